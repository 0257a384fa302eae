#pragma once

#include <span>
#include <vector>

#include "tree/problem.hpp"
#include "tree/tree.hpp"

namespace heldout {

// Grows the tree of the problem. It does not depend on the number of threads.
Tree grow_tree(const Problem& problem);

// The same for several min_leaf at once: the rows are sorted for all of them together.
std::vector<Tree> grow_trees(const Problem& problem, std::span<const double> min_leafs);

// Nodes of more rows than this, and of more than this part of all rows, are split by the whole team; a
// smaller one is handed out whole, and the subtree that grows from it is grafted afterwards.
inline constexpr std::size_t kHandedOutRows = 1024;
inline constexpr std::size_t kHandedOutShare = 16;

}  // namespace heldout
