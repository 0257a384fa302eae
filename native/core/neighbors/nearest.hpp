#pragma once

#include "neighbors/search.hpp"

namespace heldout {

// The k nearest references of every query, as ExactDistance measures. The method changes the time that it
// takes, never the answer.
template <class T>
void find_nearest(const RowsView<T>& references, const RowsView<T>& queries, const Search& search,
                  const Found& found);

extern template void find_nearest(const RowsView<float>&, const RowsView<float>&, const Search&,
                                  const Found&);
extern template void find_nearest(const RowsView<double>&, const RowsView<double>&, const Search&,
                                  const Found&);

}  // namespace heldout
