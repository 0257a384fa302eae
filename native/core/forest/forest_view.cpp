#include "forest/forest_view.hpp"

#include <cmath>
#include <limits>

#include "base/require.hpp"

namespace heldout {

ForestView view_of(const Forest& forest) {
    return {forest.tree_begin,  forest.feature,    forest.kind,          forest.threshold,
            forest.first_child, forest.n_children, forest.default_child, forest.branch_level,
            forest.set_begin,   forest.set_end,    forest.set_levels,    forest.weight,
            forest.value,       forest.importance, forest.n_outputs,     forest.n_columns};
}

void check_shapes(const ForestView& forest) {
    const std::size_t n = forest.n_nodes();
    require(!forest.tree_begin.empty(), "a forest needs to say where its trees begin");
    require(forest.kind.size() == n && forest.threshold.size() == n && forest.first_child.size() == n &&
                forest.n_children.size() == n && forest.default_child.size() == n &&
                forest.branch_level.size() == n && forest.set_begin.size() == n &&
                forest.set_end.size() == n && forest.weight.size() == n,
            "the arrays of a forest differ in length");
    require(forest.n_outputs > 0 && forest.value.size() / forest.n_outputs == n &&
                forest.value.size() % forest.n_outputs == 0,
            "values and nodes differ in number");
    require(forest.importance.empty() || forest.importance.size() == forest.n_trees() * forest.n_columns,
            "importances are needed for each tree and column, or not at all");
    require(forest.tree_begin.front() == 0 && forest.tree_begin.back() == static_cast<std::int64_t>(n),
            "the trees of a forest must hold all its nodes");
    for (std::size_t tree = 0; tree < forest.n_trees(); ++tree) {
        const std::int64_t begin = forest.tree_begin[tree], end = forest.tree_begin[tree + 1];
        require(begin >= 0 && begin < end, "a tree needs at least one node");
        require(end - begin <= std::numeric_limits<std::int32_t>::max(), "a tree has too many nodes");
    }
}

void refuse_node(const ForestView& forest, std::size_t tree, std::size_t node) {
    const std::size_t at = forest.first_node(tree) + node;
    require(forest.kind[at] <= SplitKind::kLevelSet, "a node has an unknown kind of split");
    const std::int64_t first = forest.first_child[at], n_children = forest.n_children[at];
    require(first > static_cast<std::int64_t>(node) && n_children >= 2 &&
                first + n_children <= static_cast<std::int64_t>(forest.n_nodes_of(tree)),
            "children must come after their parent and lie inside the tree");
    require(forest.kind[at] == SplitKind::kMultiway || n_children == 2, "a binary split has two children");
    require(forest.default_child[at] >= 0 && forest.default_child[at] < n_children,
            "the default child must be one of the children");
    require(forest.feature[at] >= 0 && static_cast<std::size_t>(forest.feature[at]) < forest.n_columns,
            "a node splits on a feature that is not there");
    require(forest.kind[at] != SplitKind::kThreshold || !std::isnan(forest.threshold[at]),
            "a split on a number needs a threshold");
    require(forest.set_begin[at] >= 0 && forest.set_begin[at] <= forest.set_end[at] &&
                static_cast<std::size_t>(forest.set_end[at]) <= forest.set_levels.size(),
            "a level set lies outside its pool");
}

void check_forest(const ForestView& forest) {
    check_shapes(forest);
    for (std::size_t tree = 0; tree < forest.n_trees(); ++tree) {
        const std::size_t first = forest.first_node(tree), n_nodes = forest.n_nodes_of(tree);
        std::size_t n_children = 0;
        for (std::size_t node = 0; node < n_nodes; ++node) {
            if (!is_passable(forest, tree, node)) refuse_node(forest, tree, node);
            if (forest.kind[first + node] != SplitKind::kLeaf)
                n_children += static_cast<std::size_t>(forest.n_children[first + node]);
        }
        require(n_children + 1 == n_nodes, "every node but the root is the child of one node");
    }
}

}  // namespace heldout
