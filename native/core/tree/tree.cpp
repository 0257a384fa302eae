#include "tree/tree.hpp"

#include <algorithm>

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
    std::vector<std::int32_t> place(tree.nodes.size(), -1);
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<std::int32_t>(i);

    Tree sorted;
    sorted.n_outputs = tree.n_outputs;
    sorted.nodes.reserve(order.size());
    sorted.values.reserve(order.size() * tree.n_outputs);
    for (const auto old_place : order) {
        Node node = tree.nodes[old_place];
        if (node.parent >= 0) node.parent = place[node.parent];
        if (node.kind != SplitKind::kLeaf) {
            node.first_child = place[node.first_child];
            node.default_child = place[node.default_child];
            const auto set_begin = static_cast<std::int32_t>(sorted.set_levels.size());
            sorted.set_levels.insert(sorted.set_levels.end(), tree.set_levels.begin() + node.set_begin,
                                     tree.set_levels.begin() + node.set_end);
            node.set_begin = set_begin;
            node.set_end = static_cast<std::int32_t>(sorted.set_levels.size());
        }
        sorted.nodes.push_back(node);
        const auto value = tree.values.begin() + static_cast<std::ptrdiff_t>(old_place * tree.n_outputs);
        sorted.values.insert(sorted.values.end(), value, value + static_cast<std::ptrdiff_t>(tree.n_outputs));
    }
    return sorted;
}

}  // namespace heldout
