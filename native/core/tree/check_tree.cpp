#include "tree/check_tree.hpp"

#include "base/require.hpp"

namespace heldout {
namespace {

void check_split(const Tree& tree, std::size_t place) {
    const Node& node = tree.nodes[place];
    const auto n_nodes = static_cast<std::int64_t>(tree.nodes.size());
    require(node.kind <= SplitKind::kLevelSet, "a node has an unknown kind of split");
    require(node.first_child > static_cast<std::int64_t>(place) && node.n_children >= 2 &&
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
        require(tree.nodes[node.first_child + child].parent == static_cast<std::int64_t>(place),
                "a child must name its parent");
}

}  // namespace

void check_tree(const Tree& tree) {
    require(!tree.nodes.empty(), "a tree needs at least one node");
    require(tree.nodes.front().parent == -1, "the root has no parent");
    require(tree.values.size() == tree.nodes.size() * tree.n_outputs, "values and nodes differ in number");
    std::size_t n_children = 0;
    for (std::size_t place = 0; place < tree.nodes.size(); ++place) {
        if (tree.nodes[place].kind == SplitKind::kLeaf) continue;
        check_split(tree, place);
        n_children += static_cast<std::size_t>(tree.nodes[place].n_children);
    }
    require(n_children + 1 == tree.nodes.size(), "every node but the root is the child of one node");
}

}  // namespace heldout
