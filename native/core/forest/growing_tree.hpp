#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "forest/forest.hpp"
#include "forest/forest_data.hpp"

namespace heldout {

// A node while its tree grows.
struct GrowingNode {
    double weight = 0;
    double impurity = 0;  // of a regression
    std::int32_t feature = -1;
    std::int32_t first_child = -1;
    std::int32_t n_children = 0;
    std::int32_t default_child = -1;
    std::int32_t branch_level = -1;
    std::int32_t set_begin = 0;
    std::int32_t set_end = 0;
    std::uint32_t code_below = 0;  // on both sides of a threshold
    std::uint32_t code_above = 0;
    SplitKind kind = SplitKind::kLeaf;
};

// A tree while it grows: nodes in the order in which they were made, siblings next to each other.
struct GrowingTree {
    std::vector<GrowingNode> nodes;
    std::vector<double> values;
    std::vector<std::int32_t> set_levels;
    std::vector<double> importance;
    std::size_t n_outputs = 0;
};

// The finished tree as a forest of one, its nodes breadth-first. Thresholds are made here, all in a row, so
// that the numbers behind the codes are fetched together.
Forest finish_tree(const GrowingTree& tree, const ForestData& data);

// Puts the trees of a forest behind those of another.
void append(Forest& forest, Forest&& further);

}  // namespace heldout
