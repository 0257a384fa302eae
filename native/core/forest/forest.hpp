#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tree/tree.hpp"

namespace heldout {

// Many trees in one set of arrays, a few bytes for each node. The nodes of a tree stand together and
// breadth-first; children are counted from the first node of their tree and stand next to each other.
// A split into two has the first child at first_child and the second behind it.
struct Forest {
    std::vector<std::int64_t> tree_begin;  // n_trees + 1 positions among the nodes
    std::vector<std::int32_t> feature;     // -1 in a leaf
    std::vector<SplitKind> kind;
    std::vector<double> threshold;  // x <= threshold goes to the first child; NaN where there is none
    std::vector<std::int32_t> first_child;
    std::vector<std::int32_t> n_children;
    std::vector<std::int32_t> default_child;  // which child, counted from 0, takes missing values
    std::vector<std::int32_t> branch_level;   // the level that leads from a multiway split to this node
    std::vector<std::int32_t> set_begin;  // the levels that go to the first child: positions in set_levels
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

// The arrays of a Forest, wherever they lie: a grown forest is read without a copy.
struct ForestView {
    std::span<const std::int64_t> tree_begin;
    std::span<const std::int32_t> feature;
    std::span<const SplitKind> kind;
    std::span<const double> threshold;
    std::span<const std::int32_t> first_child;
    std::span<const std::int32_t> n_children;
    std::span<const std::int32_t> default_child;
    std::span<const std::int32_t> branch_level;
    std::span<const std::int32_t> set_begin;
    std::span<const std::int32_t> set_end;
    std::span<const std::int32_t> set_levels;
    std::span<const double> weight;
    std::span<const double> value;
    std::span<const double> importance;
    std::size_t n_outputs = 0;
    std::size_t n_columns = 0;

    std::size_t n_trees() const { return tree_begin.empty() ? 0 : tree_begin.size() - 1; }
    std::size_t n_nodes() const { return feature.size(); }
    std::size_t first_node(std::size_t tree) const { return static_cast<std::size_t>(tree_begin[tree]); }
    std::size_t n_nodes_of(std::size_t tree) const {
        return static_cast<std::size_t>(tree_begin[tree + 1] - tree_begin[tree]);
    }
};

ForestView view_of(const Forest& forest);

// Refuses arrays that differ in length, and trees that do not follow one another. Takes no time to speak of.
void check_shapes(const ForestView& forest);

// Whether a row can pass a node, counted from the first of its tree: its split is of a known kind, on a
// column that is there, and its children lie behind it inside the tree. Whoever looks at each node that it
// comes to also comes to an end.
inline bool is_passable(const ForestView& forest, std::size_t tree, std::size_t node) {
    const std::size_t at = forest.first_node(tree) + node;
    const SplitKind kind = forest.kind[at];
    if (kind == SplitKind::kLeaf) return true;
    const std::int64_t first_child = forest.first_child[at], n_children = forest.n_children[at];
    const auto n_nodes = static_cast<std::int64_t>(forest.n_nodes_of(tree));
    const bool has_children = first_child > static_cast<std::int64_t>(node) &&
                              first_child + n_children <= n_nodes && n_children >= 2 &&
                              forest.default_child[at] >= 0 && forest.default_child[at] < n_children;
    const bool has_column =
        forest.feature[at] >= 0 && static_cast<std::size_t>(forest.feature[at]) < forest.n_columns;
    const bool has_levels = forest.set_begin[at] >= 0 && forest.set_begin[at] <= forest.set_end[at] &&
                            static_cast<std::size_t>(forest.set_end[at]) <= forest.set_levels.size();
    // The comparison says no for a threshold that is not a number.
    const bool has_kind = kind == SplitKind::kThreshold
                              ? n_children == 2 && forest.threshold[at] == forest.threshold[at]
                          : kind == SplitKind::kLevelSet ? n_children == 2
                                                         : kind == SplitKind::kMultiway;
    return has_children && has_column && has_levels && has_kind;
}

// Throws what is wrong with a node that is not passable.
void refuse_node(const ForestView& forest, std::size_t tree, std::size_t node);

// Refuses a forest whose arrays do not fit together: whatever walks it afterwards stays inside its arrays and
// comes to an end.
void check_forest(const ForestView& forest);

// The forest in which every node at this depth is a leaf; below 0 there is no limit. What its splits gained
// is known only where none of them is gone: otherwise there are no importances.
Forest cut_forest(const ForestView& forest, std::int64_t max_depth);

// What a tree predicts for a row that ends in a node; nothing where only the node is wanted.
enum class PredictionKind { kShares, kVote, kMean, kNone };

PredictionKind prediction_kind(bool is_vote, bool is_regression);

// The class with the largest share in a node, the first of equal ones. A node is counted among all nodes of
// the forest.
std::size_t class_of_node(const ForestView& forest, std::size_t at);

// Writes what a node predicts: the shares of the classes, or 1 for the largest share, or the mean.
inline void write_prediction(const ForestView& forest, std::size_t at, PredictionKind kind, double* out) {
    const std::size_t n_outputs = forest.n_outputs;
    const double* value = forest.value.data() + at * n_outputs;
    if (kind == PredictionKind::kShares) {
        double total = 0;
        for (std::size_t k = 0; k < n_outputs; ++k) total += value[k];
        for (std::size_t k = 0; k < n_outputs; ++k) out[k] = value[k] / total;
    } else if (kind == PredictionKind::kMean) {
        std::copy_n(value, n_outputs, out);
    } else {
        std::fill_n(out, n_outputs, 0.0);
        out[class_of_node(forest, at)] = 1;
    }
}

}  // namespace heldout
