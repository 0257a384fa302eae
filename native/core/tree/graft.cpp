#include "tree/graft.hpp"

namespace heldout {

void graft(Tree& tree, std::int32_t place, const Tree& subtree) {
    const auto offset = static_cast<std::int32_t>(tree.nodes.size()) - 1;
    const auto set_offset = static_cast<std::int32_t>(tree.set_levels.size());
    const auto moved = [&](std::int32_t node) { return node == 0 ? place : node + offset; };
    for (std::size_t i = 0; i < subtree.nodes.size(); ++i) {
        Node node = subtree.nodes[i];
        if (node.kind != SplitKind::kLeaf) {
            node.first_child += offset;
            node.default_child += offset;
            node.set_begin += set_offset;
            node.set_end += set_offset;
        }
        if (i == 0) {
            tree.nodes[place] = node;
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
