#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
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

// A grown tree: nodes breadth-first, the class weights (or the mean) of each, and the pool of level sets.
struct Tree {
    std::vector<Node> nodes;
    std::vector<double> values;  // n_nodes x n_outputs
    std::vector<std::int32_t> set_levels;
    std::size_t n_outputs = 0;
};

// The same tree with its nodes in breadth-first order, whatever the order they were made in.
Tree breadth_first(const Tree& tree);

}  // namespace heldout
