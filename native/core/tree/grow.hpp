#pragma once

#include "tree/problem.hpp"
#include "tree/tree.hpp"

namespace heldout {

// Grows the tree that the problem asks for. The answer does not depend on the number of threads.
Tree grow_tree(const Problem& problem);

}  // namespace heldout
