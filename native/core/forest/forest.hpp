#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/tree.hpp"

namespace heldout {

// Many trees in one set of arrays, a few bytes for each node. The nodes of a tree stand together and
// breadth-first; children are counted from the first node of their tree and stand next to each other.
// A split into two has the first child at first_child and the second behind it.
struct Forest {
    std::vector<std::int64_t> tree_begin;  // n_trees + 1 places among the nodes
    std::vector<std::int32_t> feature;     // -1 in a leaf
    std::vector<SplitKind> kind;
    std::vector<double> threshold;  // x <= threshold goes to the first child; NaN where there is none
    std::vector<std::int32_t> first_child;
    std::vector<std::int32_t> n_children;
    std::vector<std::int32_t> default_child;  // which child, counted from 0, takes unknown values
    std::vector<std::int32_t> branch_level;   // the level that leads from a multiway split to this node
    std::vector<std::int32_t> set_begin;      // the levels that go to the first child: places in set_levels
    std::vector<std::int32_t> set_end;
    std::vector<std::int32_t> set_levels;
    std::vector<double> weight;      // of the rows in the bag that came to the node
    std::vector<double> value;       // n_nodes x n_outputs: the weight of each class, or the mean
    std::vector<double> importance;  // n_trees x n_columns: what the splits on a column gained, in weight
    std::size_t n_outputs = 0;
    std::size_t n_columns = 0;

    std::size_t n_trees() const { return tree_begin.empty() ? 0 : tree_begin.size() - 1; }
    std::size_t n_nodes() const { return feature.size(); }
};

}  // namespace heldout
