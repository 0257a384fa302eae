#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tree/tree.hpp"

namespace heldout {

// Rows to send down a tree. `column_of` says which column a feature has: one of `numbers` (>= 0) or, counted
// from -1 down, of `levels`. NaN and negative levels are missing values.
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
    std::span<const std::int32_t> column_of;

    double number(std::size_t row, std::int32_t column) const {
        return numbers[static_cast<std::ptrdiff_t>(row) * number_row_stride + column * number_column_stride];
    }
    std::int32_t level(std::size_t row, std::int32_t column) const {
        return levels[static_cast<std::ptrdiff_t>(row) * level_row_stride + column * level_column_stride];
    }

    // Refuses rows that lack a feature of the tree, or have it as the other kind.
    void check(const Tree& tree) const;
};

// Where a row with a missing value is sent; not an index of the tree.
inline constexpr std::int32_t kMissing = -1;

// The child for a level; the node itself where that level has no branch, and kMissing for a negative one.
std::int32_t child_for_level(const Tree& tree, std::int32_t index, std::int32_t level);

// The next node on a row's way: a child, the node itself if the row ends there, or kMissing.
std::int32_t next_node(const Tree& tree, const Rows& rows, std::size_t row, std::int32_t index);

// The node that each row ends in. A missing value goes to the default child.
void apply_tree(const Tree& tree, const Rows& rows, std::size_t n_threads, std::int32_t* reached);

// The part of its parent's weight that went to each node; 1 for the root.
std::vector<double> branch_shares(const Tree& tree);

struct PredictOptions {
    bool splits_missing = false;  // rows with a missing value go down every branch, with the branch's share
    bool is_regression = false;   // means are predicted; otherwise the shares of the classes
    std::size_t n_threads = 1;
};

// What the tree predicts for each row. A row that is split among branches gets the sum over the nodes where
// its fragments end.
void predict_tree(const Tree& tree, const Rows& rows, const PredictOptions& options, double* predictions);

// The labels that losses compare predictions with: classes or targets, the other is empty. Without weights
// every row counts once.
struct Labels {
    std::span<const std::uint32_t> classes;
    std::span<const double> targets;
    std::span<const double> weights;

    double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }

    // Refuses labels that do not fit the rows, or a model with so many outputs.
    void check(std::size_t n_rows, std::size_t n_outputs) const;
};

// For each node, what it would lose as a leaf on the rows that come to it: the weight of those of another
// class than its own, or the squared distance of their targets to its mean.
std::vector<double> node_losses(const Tree& tree, const Rows& rows, const Labels& labels,
                                bool splits_missing);

}  // namespace heldout
