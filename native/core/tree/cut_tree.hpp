#pragma once

#include <cstdint>
#include <span>

#include "tree/tree.hpp"

namespace heldout {

// The tree in which the marked nodes are leaves; what was below them is gone.
Tree cut_tree(const Tree& tree, std::span<const std::uint8_t> is_cut);

// The node becomes a leaf; its children, if any, are no longer reached.
void make_leaf(Node& node);

}  // namespace heldout
