#include "forest/cut.hpp"

#include <limits>
#include <vector>

#include "base/require.hpp"

namespace heldout {
namespace {

// How many nodes of a tree lie in its first levels, and in all of those but the last. Breadth-first, these
// are the first nodes.
struct TopOfTree {
    std::size_t n_nodes;
    std::size_t n_above;
};

TopOfTree top_of_tree(const ForestView& forest, std::size_t tree, std::int64_t max_depth) {
    const std::size_t first = forest.first_node(tree), n_nodes = forest.n_nodes_of(tree);
    TopOfTree top{1, 0};
    std::size_t n_placed = 1;  // children of the nodes so far, and the root
    std::size_t level_end = 1;
    std::int64_t depth = 0;
    for (std::size_t node = 0; node < n_nodes; ++node) {
        if (node == level_end) {
            level_end = n_placed;
            ++depth;
        }
        const std::size_t at = first + node;
        if (depth < max_depth) top.n_above = node + 1;
        if (forest.kind[at] != SplitKind::kLeaf) {
            require(static_cast<std::size_t>(forest.first_child[at]) == n_placed,
                    "the nodes of a tree must stand breadth-first");
            n_placed += static_cast<std::size_t>(forest.n_children[at]);
        }
        if (depth <= max_depth) top.n_nodes = node + 1;
    }
    return top;
}

template <class T>
void extend(std::vector<T>& to, std::span<const T> from) {
    to.insert(to.end(), from.begin(), from.end());
}

// Appends a node that stays what it is, but for the place of its levels.
void append_node(const ForestView& forest, std::size_t at, Forest& cut) {
    cut.feature.push_back(forest.feature[at]);
    cut.kind.push_back(forest.kind[at]);
    cut.threshold.push_back(forest.threshold[at]);
    cut.first_child.push_back(forest.first_child[at]);
    cut.n_children.push_back(forest.n_children[at]);
    cut.default_child.push_back(forest.default_child[at]);
    const bool has_set = forest.kind[at] == SplitKind::kLevelSet;
    cut.set_begin.push_back(has_set ? static_cast<std::int32_t>(cut.set_levels.size()) : 0);
    if (has_set)
        extend(cut.set_levels, forest.set_levels.subspan(
                                   static_cast<std::size_t>(forest.set_begin[at]),
                                   static_cast<std::size_t>(forest.set_end[at] - forest.set_begin[at])));
    require(cut.set_levels.size() <= std::numeric_limits<std::int32_t>::max(), "the level sets overlap");
    cut.set_end.push_back(has_set ? static_cast<std::int32_t>(cut.set_levels.size()) : 0);
}

void append_leaf(Forest& cut) {
    cut.feature.push_back(-1);
    cut.kind.push_back(SplitKind::kLeaf);
    cut.threshold.push_back(std::numeric_limits<double>::quiet_NaN());
    cut.first_child.push_back(-1);
    cut.n_children.push_back(0);
    cut.default_child.push_back(-1);
    cut.set_begin.push_back(0);
    cut.set_end.push_back(0);
}

}  // namespace

Forest cut_forest(const ForestView& forest, std::int64_t max_depth) {
    check_forest(forest);
    if (max_depth < 0) max_depth = std::numeric_limits<std::int64_t>::max();
    Forest cut;
    cut.n_outputs = forest.n_outputs;
    cut.n_columns = forest.n_columns;
    cut.tree_begin.push_back(0);
    for (std::size_t tree = 0; tree < forest.n_trees(); ++tree) {
        const std::size_t first = forest.first_node(tree);
        const auto [n_nodes, n_above] = top_of_tree(forest, tree, max_depth);
        for (std::size_t node = 0; node < n_nodes; ++node) {
            if (node < n_above)
                append_node(forest, first + node, cut);
            else
                append_leaf(cut);
        }
        extend(cut.branch_level, forest.branch_level.subspan(first, n_nodes));
        extend(cut.weight, forest.weight.subspan(first, n_nodes));
        extend(cut.value, forest.value.subspan(first * forest.n_outputs, n_nodes * forest.n_outputs));
        cut.tree_begin.push_back(static_cast<std::int64_t>(cut.n_nodes()));
    }
    if (cut.n_nodes() == forest.n_nodes()) extend(cut.importance, forest.importance);
    return cut;
}

}  // namespace heldout
