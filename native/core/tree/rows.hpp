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

    double number(std::size_t row, std::int32_t column) const {
        return numbers[static_cast<std::ptrdiff_t>(row) * number_row_stride + column * number_column_stride];
    }
    std::int32_t level(std::size_t row, std::int32_t column) const {
        return levels[static_cast<std::ptrdiff_t>(row) * level_row_stride + column * level_column_stride];
    }

    // Refuses rows that lack a feature of the tree, or have it as the other kind.
    void check(const Tree& tree) const;
};

// Where a row with an unknown value is sent; no place in the tree.
inline constexpr std::int32_t kUnknown = -1;

// The child for a level; the node itself where that level has no branch, and kUnknown for a negative one.
std::int32_t child_for_level(const Tree& tree, std::int32_t place, std::int32_t level);

// The next node on a row's way: a child, the node itself if the row ends there, or kUnknown.
std::int32_t next_node(const Tree& tree, const Rows& rows, std::size_t row, std::int32_t place);

}  // namespace heldout
