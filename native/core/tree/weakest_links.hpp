#pragma once

#include <span>
#include <vector>

#include "tree/tree.hpp"

namespace heldout {

// Cost-complexity pruning for every alpha at once (Breiman et al. 1984). costs[node] is what the node costs
// as a leaf; alpha is paid for each leaf. Gives for each split the smallest alpha at which it, or a split
// above it, is a leaf in the cheapest tree; 0 for leaves.
std::vector<double> weakest_links(const Tree& tree, std::span<const double> costs);

}  // namespace heldout
