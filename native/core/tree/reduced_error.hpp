#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tree/tree.hpp"

namespace heldout {

// Reduced-error pruning: costs[node] is what the node loses as a leaf on validation rows. Gives 1 where a
// split becomes a leaf. Best-first takes the split that gains most, again and again, until every one would
// lose; bottom-up asks each split once, after those below it.
std::vector<std::uint8_t> reduced_error(const Tree& tree, std::span<const double> costs, bool is_best_first,
                                        bool prune_ties);

}  // namespace heldout
