#pragma once

#include "neighbors/nearest.hpp"

namespace heldout {

// Rows with numbers (NaN is missing) and levels (below 0 is missing).
struct MixedRows {
    RowsView<double> numbers;
    RowsView<std::int32_t> levels;
};

struct MixedOptions {
    std::span<const double> ranges;  // of each column of numbers; a difference counts as a share of it
    std::span<const double> number_weights;
    std::span<const double> level_weights;
    std::size_t k = 1;            // how many neighbors each query gets
    bool leaves_own_out = false;  // the queries are the references, and no row is its own neighbor
    std::size_t n_threads = 1;
};

// The k nearest references by Gower's distance: the weighted mean, over the columns that are known in both
// rows, of the difference in shares of the range, or of 1 where levels differ. A range of 0 tells nothing
// apart; rows without a common known column have the distance 1.
void find_nearest_mixed(const MixedRows& references, const MixedRows& queries, const MixedOptions& search,
                        const NeighborArrays& out);

}  // namespace heldout
