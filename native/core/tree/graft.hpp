#pragma once

#include "tree/tree.hpp"

namespace heldout {

// Puts a subtree that was grown by itself in the place of the leaf it started from.
void graft(Tree& tree, std::int32_t place, const Tree& subtree);

}  // namespace heldout
