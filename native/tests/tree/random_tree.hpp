#pragma once

#include <cstdint>
#include <random>

#include "tree/tree.hpp"

namespace heldout::tests {

// A tree of random shape over one number, with random class weights in its leaves that add up upwards.
inline Tree random_tree(std::uint64_t seed, std::size_t n_splits, std::size_t n_classes = 2) {
    std::mt19937_64 random(seed);
    Tree tree;
    tree.n_outputs = n_classes;
    tree.nodes.resize(1);
    for (std::size_t split = 0; split < n_splits; ++split) {
        std::size_t index;
        do index = random() % tree.nodes.size();
        while (tree.nodes[index].kind != SplitKind::kLeaf);
        Node& node = tree.nodes[index];
        node.kind = SplitKind::kThreshold;
        node.feature = 0;
        node.threshold = static_cast<double>(random() % 100);
        node.first_child = static_cast<std::int32_t>(tree.nodes.size());
        node.n_children = 2;
        node.default_child = node.first_child;
        Node child;
        child.parent = static_cast<std::int32_t>(index);
        tree.nodes.insert(tree.nodes.end(), 2, child);
    }
    tree.values.assign(tree.nodes.size() * n_classes, 0.0);
    for (std::size_t index = tree.nodes.size(); index-- > 0;) {
        Node& node = tree.nodes[index];
        for (std::size_t k = 0; k < n_classes; ++k) {
            double& value = tree.values[index * n_classes + k];
            if (node.kind == SplitKind::kLeaf) value = static_cast<double>(1 + random() % 9);
            for (std::int32_t i = 0; i < node.n_children; ++i)
                value += tree.values[(node.first_child + i) * n_classes + k];
            node.weight += value;
        }
    }
    return breadth_first(tree);
}

}  // namespace heldout::tests
