#include "tree/cut_tree.hpp"

#include "base/require.hpp"
#include "tree/check_tree.hpp"

namespace heldout {

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
    for (std::size_t place = 0; place < cut.nodes.size(); ++place)
        if (is_cut[place] && cut.nodes[place].kind != SplitKind::kLeaf) make_leaf(cut.nodes[place]);
    return breadth_first(cut);
}

}  // namespace heldout
