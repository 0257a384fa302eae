#pragma once

#include <span>
#include <vector>

#include "forest/forest.hpp"
#include "forest/forest_data.hpp"
#include "tree/problem.hpp"

namespace heldout {

// Grows the trees of the options. With replacement the weights of the rows decide how often they
// are drawn; without, or where groups are drawn, rows count by their weights. Each tree depends on the seed
// and its number alone, and so on no number of threads.
Forest grow_forest(const Problem& problem, const ForestOptions& options);

// The same for several min_leaf, which take the place of the option: what their trees share is grown once.
std::vector<Forest> grow_forests(const Problem& problem, const ForestOptions& options,
                                 std::span<const double> min_leafs);

}  // namespace heldout
