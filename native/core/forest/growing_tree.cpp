#include "forest/growing_tree.hpp"

#include <algorithm>
#include <limits>

#include "base/require.hpp"
#include "tree/tree.hpp"

namespace heldout {
namespace {

// The indices of the nodes in breadth-first order.
std::vector<std::int32_t> breadth_first_order(const std::vector<GrowingNode>& nodes) {
    std::vector<std::int32_t> order{0};
    order.reserve(nodes.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto& node = nodes[order[i]];
        for (std::int32_t child = 0; child < node.n_children; ++child)
            order.push_back(node.first_child + child);
    }
    return order;
}

void reserve(Forest& forest, std::size_t n_nodes) {
    forest.feature.reserve(n_nodes);
    forest.kind.reserve(n_nodes);
    forest.threshold.reserve(n_nodes);
    forest.first_child.reserve(n_nodes);
    forest.n_children.reserve(n_nodes);
    forest.default_child.reserve(n_nodes);
    forest.branch_level.reserve(n_nodes);
    forest.set_begin.reserve(n_nodes);
    forest.set_end.reserve(n_nodes);
    forest.weight.reserve(n_nodes);
    forest.value.reserve(n_nodes * forest.n_outputs);
}

// The middle of a gap in single precision where that still separates: such thresholds can be compared in
// half the space.
double short_threshold(double lower, double upper) {
    const double middle = threshold_between(lower, upper);
    const auto rounded = static_cast<double>(static_cast<float>(middle));
    return rounded >= lower && rounded < upper ? rounded : middle;
}

double threshold_of(const GrowingNode& node, const ForestData& data) {
    if (node.kind != SplitKind::kThreshold) return std::numeric_limits<double>::quiet_NaN();
    return short_threshold(data.number(node.feature, node.code_below),
                           data.number(node.feature, node.code_above));
}

void write(Forest& forest, const GrowingTree& tree, const GrowingNode& node, std::int32_t first_child) {
    forest.feature.push_back(node.feature);
    forest.kind.push_back(node.kind);
    forest.first_child.push_back(node.n_children > 0 ? first_child : -1);
    forest.n_children.push_back(node.n_children);
    forest.default_child.push_back(node.default_child);
    forest.branch_level.push_back(node.branch_level);
    forest.weight.push_back(node.weight);
    const auto begin = static_cast<std::int32_t>(forest.set_levels.size());
    forest.set_levels.insert(forest.set_levels.end(), tree.set_levels.begin() + node.set_begin,
                             tree.set_levels.begin() + node.set_end);
    const bool has_set = node.kind == SplitKind::kLevelSet;
    forest.set_begin.push_back(has_set ? begin : 0);
    forest.set_end.push_back(has_set ? static_cast<std::int32_t>(forest.set_levels.size()) : 0);
}

template <class T>
void extend(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

Forest finish_tree(const GrowingTree& tree, const ForestData& data) {
    Forest forest;
    forest.n_outputs = tree.n_outputs;
    forest.n_columns = tree.importance.size();
    forest.importance = tree.importance;
    reserve(forest, tree.nodes.size());
    const auto order = breadth_first_order(tree.nodes);
    for (const auto index : order) forest.threshold.push_back(threshold_of(tree.nodes[index], data));
    std::int32_t n_placed = 1;
    for (const auto index : order) {
        const auto& node = tree.nodes[index];
        write(forest, tree, node, n_placed);
        n_placed += node.n_children;
        const auto value = tree.values.begin() + static_cast<std::ptrdiff_t>(index * tree.n_outputs);
        forest.value.insert(forest.value.end(), value, value + static_cast<std::ptrdiff_t>(tree.n_outputs));
    }
    forest.tree_begin = {0, static_cast<std::int64_t>(tree.nodes.size())};
    return forest;
}

void append(Forest& forest, Forest&& further) {
    const auto n_nodes = static_cast<std::int64_t>(forest.n_nodes());
    const auto n_levels = static_cast<std::int32_t>(forest.set_levels.size());
    require(forest.set_levels.size() + further.set_levels.size() < std::size_t{1} << 31,
            "the sets of levels of all trees are too many: grow fewer trees");
    if (forest.tree_begin.empty()) forest.tree_begin.push_back(0);
    for (std::size_t tree = 1; tree < further.tree_begin.size(); ++tree)
        forest.tree_begin.push_back(n_nodes + further.tree_begin[tree]);
    for (std::size_t node = 0; node < further.n_nodes(); ++node) {
        const std::int32_t shift = further.kind[node] == SplitKind::kLevelSet ? n_levels : 0;
        forest.set_begin.push_back(further.set_begin[node] + shift);
        forest.set_end.push_back(further.set_end[node] + shift);
    }
    extend(forest.feature, further.feature);
    extend(forest.kind, further.kind);
    extend(forest.threshold, further.threshold);
    extend(forest.first_child, further.first_child);
    extend(forest.n_children, further.n_children);
    extend(forest.default_child, further.default_child);
    extend(forest.branch_level, further.branch_level);
    extend(forest.set_levels, further.set_levels);
    extend(forest.weight, further.weight);
    extend(forest.value, further.value);
    extend(forest.importance, further.importance);
    forest.n_outputs = further.n_outputs;
    forest.n_columns = further.n_columns;
}

}  // namespace heldout
