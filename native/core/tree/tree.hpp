#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace heldout {

enum class SplitKind : std::uint8_t { kLeaf = 0, kThreshold = 1, kMultiway = 2, kLevelSet = 3 };

// One node. The children of a node stand next to each other, after their parent.
struct Node {
    double threshold = std::numeric_limits<double>::quiet_NaN();
    double gap_below = std::numeric_limits<double>::quiet_NaN();  // the values on both sides of the threshold
    double gap_above = std::numeric_limits<double>::quiet_NaN();
    double weight = 0;
    double impurity = 0;
    double gain = 0;
    std::int64_t n_rows = 0;
    std::int32_t feature = -1;
    std::int32_t first_child = -1;
    std::int32_t n_children = 0;
    std::int32_t default_child = -1;
    std::int32_t branch_level = -1;
    std::int32_t set_begin = 0;
    std::int32_t set_end = 0;
    std::int32_t parent = -1;
    SplitKind kind = SplitKind::kLeaf;
};

// Halfway between two neighboring values; where that is not below the upper one, the lower one itself.
inline double threshold_between(double lower, double upper) {
    const double middle = lower / 2 + upper / 2;
    return std::isfinite(middle) && middle >= lower && middle < upper ? middle : lower;
}

// A grown tree: nodes breadth-first, the class weights (or the mean) of each, and the pool of level sets.
struct Tree {
    std::vector<Node> nodes;
    std::vector<double> values;  // n_nodes x n_outputs
    std::vector<std::int32_t> set_levels;
    std::size_t n_outputs = 0;
};

// The same tree with its nodes in breadth-first order, whatever the order they were made in.
Tree breadth_first(const Tree& tree);

// Refuses a tree whose nodes do not fit together: whatever walks it afterwards stays inside its arrays and
// comes to an end.
void check_tree(const Tree& tree);

// The tree in which the marked nodes are leaves; what was below them is gone.
Tree cut_tree(const Tree& tree, std::span<const std::uint8_t> is_cut);

// The node becomes a leaf; its children, if any, are no longer reached.
void make_leaf(Node& node);

// Puts a subtree that was grown by itself in the place of the leaf it started from.
void graft(Tree& tree, std::int32_t index, const Tree& subtree);

}  // namespace heldout
