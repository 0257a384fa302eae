#include "forest/forest.hpp"

#include <cmath>
#include <limits>
#include <vector>

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

// Appends a node that stays what it is, but for the position of its levels.
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

PredictionKind prediction_kind(bool is_vote, bool is_regression) {
    require(!is_vote || !is_regression, "means are not voted on");
    return is_regression ? PredictionKind::kMean : is_vote ? PredictionKind::kVote : PredictionKind::kShares;
}

std::size_t class_of_node(const ForestView& forest, std::size_t at) {
    const double* value = forest.value.data() + at * forest.n_outputs;
    double total = 0;
    for (std::size_t k = 0; k < forest.n_outputs; ++k) total += value[k];
    // Different weights may be the same share.
    std::size_t largest = 0;
    for (std::size_t k = 1; k < forest.n_outputs; ++k)
        if (value[k] / total > value[largest] / total) largest = k;
    return largest;
}

}  // namespace heldout
