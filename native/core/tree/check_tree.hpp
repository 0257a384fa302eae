#pragma once

#include "tree/tree.hpp"

namespace heldout {

// Refuses a tree whose nodes do not fit together: whatever walks it afterwards stays inside its arrays and
// comes to an end.
void check_tree(const Tree& tree);

}  // namespace heldout
