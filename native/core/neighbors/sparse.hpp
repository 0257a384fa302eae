#pragma once

#include "neighbors/sparse_rows.hpp"

namespace heldout {

// The k nearest references of every query, as SparseDistance measures. The method of the search is not asked.
void find_nearest_sparse(const SparseRowsView& references, const SparseRowsView& queries,
                         const Search& search, const Found& found);

}  // namespace heldout
