#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tree/tree.hpp"

namespace heldout {

// Rows to send down a tree. A feature's place is its column in `numbers` (>= 0) or, counted from -1 down,
// in `levels`; NaN and negative levels are unknown.
struct Rows {
    const double* numbers;
    std::ptrdiff_t number_row_stride;
    std::ptrdiff_t number_column_stride;
    std::size_t n_numbers;
    const std::int32_t* levels;
    std::ptrdiff_t level_row_stride;
    std::ptrdiff_t level_column_stride;
    std::size_t n_levels;
    std::size_t n_rows;
    std::span<const std::int32_t> place;
};

// The node that each row ends in.
void apply_tree(std::span<const Node> nodes, std::span<const std::int32_t> set_levels, const Rows& rows,
                std::size_t n_threads, std::int32_t* reached);

}  // namespace heldout
