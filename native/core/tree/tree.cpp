#include "tree/tree.hpp"

#include <algorithm>

#include "base/require.hpp"

namespace heldout {
namespace {

std::vector<std::int32_t> breadth_first_order(const std::vector<Node>& nodes) {
    std::vector<std::int32_t> order{0};
    order.reserve(nodes.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Node& node = nodes[order[i]];
        for (std::int32_t child = 0; child < node.n_children; ++child)
            order.push_back(node.first_child + child);
    }
    return order;
}

}  // namespace

Tree breadth_first(const Tree& tree) {
    const auto order = breadth_first_order(tree.nodes);
    std::vector<std::int32_t> index(tree.nodes.size(), -1);
    for (std::size_t i = 0; i < order.size(); ++i) index[order[i]] = static_cast<std::int32_t>(i);

    Tree sorted;
    sorted.n_outputs = tree.n_outputs;
    sorted.nodes.reserve(order.size());
    sorted.values.reserve(order.size() * tree.n_outputs);
    for (const auto old_index : order) {
        Node node = tree.nodes[old_index];
        if (node.parent >= 0) node.parent = index[node.parent];
        if (node.kind != SplitKind::kLeaf) {
            node.first_child = index[node.first_child];
            node.default_child = index[node.default_child];
            const auto set_begin = static_cast<std::int32_t>(sorted.set_levels.size());
            sorted.set_levels.insert(sorted.set_levels.end(), tree.set_levels.begin() + node.set_begin,
                                     tree.set_levels.begin() + node.set_end);
            node.set_begin = set_begin;
            node.set_end = static_cast<std::int32_t>(sorted.set_levels.size());
        }
        sorted.nodes.push_back(node);
        const auto value = tree.values.begin() + static_cast<std::ptrdiff_t>(old_index * tree.n_outputs);
        sorted.values.insert(sorted.values.end(), value, value + static_cast<std::ptrdiff_t>(tree.n_outputs));
    }
    return sorted;
}

namespace {

void check_split(const Tree& tree, std::size_t index) {
    const Node& node = tree.nodes[index];
    const auto n_nodes = static_cast<std::int64_t>(tree.nodes.size());
    require(node.kind <= SplitKind::kLevelSet, "a node has an unknown kind of split");
    require(node.first_child > static_cast<std::int64_t>(index) && node.n_children >= 2 &&
                node.first_child <= n_nodes - std::int64_t{node.n_children},
            "children must come after their parent and lie inside the tree");
    require(node.kind == SplitKind::kMultiway || node.n_children == 2, "a binary split has two children");
    require(node.default_child >= node.first_child && node.default_child < node.first_child + node.n_children,
            "the default child must be one of the children");
    require(node.feature >= 0, "a node splits on a feature that is not there");
    require(node.set_begin >= 0 && node.set_begin <= node.set_end &&
                static_cast<std::size_t>(node.set_end) <= tree.set_levels.size(),
            "a level set lies outside its pool");
    for (std::int32_t child = 0; child < node.n_children; ++child)
        require(tree.nodes[node.first_child + child].parent == static_cast<std::int64_t>(index),
                "a child must name its parent");
}

}  // namespace

void check_tree(const Tree& tree) {
    require(!tree.nodes.empty(), "a tree needs at least one node");
    require(tree.nodes.front().parent == -1, "the root has no parent");
    require(tree.values.size() == tree.nodes.size() * tree.n_outputs, "values and nodes differ in number");
    std::size_t n_children = 0;
    for (std::size_t index = 0; index < tree.nodes.size(); ++index) {
        if (tree.nodes[index].kind == SplitKind::kLeaf) continue;
        check_split(tree, index);
        n_children += static_cast<std::size_t>(tree.nodes[index].n_children);
    }
    require(n_children + 1 == tree.nodes.size(), "every node but the root is the child of one node");
}

void make_leaf(Node& node) {
    Node leaf;
    leaf.weight = node.weight;
    leaf.impurity = node.impurity;
    leaf.n_rows = node.n_rows;
    leaf.branch_level = node.branch_level;
    leaf.parent = node.parent;
    node = leaf;
}

Tree cut_tree(const Tree& tree, std::span<const std::uint8_t> is_cut) {
    check_tree(tree);
    require(is_cut.size() == tree.nodes.size(), "marks and nodes differ in number");
    Tree cut = tree;
    for (std::size_t index = 0; index < cut.nodes.size(); ++index)
        if (is_cut[index] && cut.nodes[index].kind != SplitKind::kLeaf) make_leaf(cut.nodes[index]);
    return breadth_first(cut);
}

void graft(Tree& tree, std::int32_t index, const Tree& subtree) {
    const auto offset = static_cast<std::int32_t>(tree.nodes.size()) - 1;
    const auto set_offset = static_cast<std::int32_t>(tree.set_levels.size());
    const auto moved = [&](std::int32_t node) { return node == 0 ? index : node + offset; };
    for (std::size_t i = 0; i < subtree.nodes.size(); ++i) {
        Node node = subtree.nodes[i];
        if (node.kind != SplitKind::kLeaf) {
            node.first_child += offset;
            node.default_child += offset;
            node.set_begin += set_offset;
            node.set_end += set_offset;
        }
        if (i == 0) {
            tree.nodes[index] = node;
            continue;
        }
        node.parent = moved(node.parent);
        tree.nodes.push_back(node);
    }
    tree.values.insert(tree.values.end(),
                       subtree.values.begin() + static_cast<std::ptrdiff_t>(tree.n_outputs),
                       subtree.values.end());
    tree.set_levels.insert(tree.set_levels.end(), subtree.set_levels.begin(), subtree.set_levels.end());
}

}  // namespace heldout
