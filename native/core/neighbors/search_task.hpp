#pragma once

#include "neighbors/exact_distance.hpp"

namespace heldout {

// What a search needs at hand.
template <class T>
struct SearchTask {
    RowsView<T> references;
    RowsView<T> queries;
    Search search;
    const ExactDistance<T>& distance;
    Found found;

    std::int32_t* indices(std::size_t query) const { return found.indices + query * search.k; }
    double* distances(std::size_t query) const { return found.distances + query * search.k; }

    // The reference that is no neighbor of a query.
    std::size_t own_row(std::size_t query) const { return search.leaves_own_out ? query : kNoRow; }
};

}  // namespace heldout
