#pragma once

#include <span>
#include <vector>

#include "tree/problem.hpp"
#include "tree/tree.hpp"

namespace heldout {

// Grows the tree that the problem asks for. The answer does not depend on the number of threads.
Tree grow_tree(const Problem& problem);

// The same for several min_leaf at once: the rows are sorted for all of them together.
std::vector<Tree> grow_trees(const Problem& problem, std::span<const double> min_leafs);

}  // namespace heldout
