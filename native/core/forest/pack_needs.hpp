#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/pack.hpp"

namespace heldout {

// What the splits of some trees ask for before they can be packed.
struct Needs {
    std::vector<std::uint8_t> is_used, is_inexact;  // by feature
    std::vector<std::int32_t> highest_level;
    std::size_t most_nodes = 1;
    bool fits = true;

    explicit Needs(std::size_t n_columns)
        : is_used(n_columns, 0), is_inexact(n_columns, 0), highest_level(n_columns, kHighestLevel) {}

    bool is_narrow(std::size_t feature) const { return highest_level[feature] <= kHighestLevel; }

    void add(const Needs& other) {
        for (std::size_t i = 0; i < is_used.size(); ++i) {
            is_used[i] |= other.is_used[i];
            is_inexact[i] |= other.is_inexact[i];
            highest_level[i] = std::max(highest_level[i], other.highest_level[i]);
        }
        most_nodes = std::max(most_nodes, other.most_nodes);
        fits = fits && other.fits;
    }
};

// The nodes of a tree by what they are. Whether a node is a leaf is a coin toss that no processor foresees,
// so they are told apart without a branch, and then looked at one kind after the other.
class NodesByKind {
  public:
    void sort(const ForestView& forest, std::size_t tree) {
        const std::size_t first = forest.first_node(tree), n_nodes = forest.n_nodes_of(tree);
        splits_.resize(std::max(splits_.size(), n_nodes));
        leaves_.resize(std::max(leaves_.size(), n_nodes));
        n_splits_ = n_leaves_ = 0;
        for (std::size_t node = 0; node < n_nodes; ++node) {
            const bool is_leaf = forest.kind[first + node] == SplitKind::kLeaf;
            splits_[n_splits_] = leaves_[n_leaves_] = static_cast<std::uint32_t>(node);
            n_leaves_ += is_leaf;
            n_splits_ += !is_leaf;
        }
    }

    std::span<const std::uint32_t> splits() const { return {splits_.data(), n_splits_}; }
    std::span<const std::uint32_t> leaves() const { return {leaves_.data(), n_leaves_}; }

  private:
    std::vector<std::uint32_t> splits_, leaves_;
    std::size_t n_splits_ = 0, n_leaves_ = 0;
};

// Checks every node of the forest on the way. `nodes` has one place for each member of the team.
Needs look_at_forest(const ForestView& forest, const Rows& rows, std::vector<NodesByKind>& nodes, Team& team);

}  // namespace heldout
