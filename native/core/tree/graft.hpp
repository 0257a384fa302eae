#pragma once

#include "tree/tree.hpp"

namespace heldout {

// Nodes of more rows, and of a larger share of them, are split by the whole team; smaller ones are handed out
// whole.
inline constexpr std::size_t kHandedOutShare = 16;
inline constexpr std::size_t kHandedOutRows = 1024;

// Puts a subtree that was grown by itself in the place of the leaf it started from.
void graft(Tree& tree, std::int32_t place, const Tree& subtree);

}  // namespace heldout
