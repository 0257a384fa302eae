#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "forest/forest.hpp"

namespace heldout {

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

}  // namespace heldout
