#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heldout {

// Which rows a tree sees. A bag depends on the seed and the number of its tree alone.
struct BagOptions {
    std::uint64_t seed = 0;
    bool is_bootstrap = true;  // draws with replacement; otherwise without
    std::size_t n_draws = 0;   // how many rows are drawn; without replacement, at most all
};

// How often each row is in the bag of a tree. With replacement rows are drawn in proportion to their
// weights (none: all alike).
std::vector<std::uint32_t> bag_of_tree(const BagOptions& options, std::uint64_t tree, std::size_t n_rows,
                                       std::span<const double> weights);

}  // namespace heldout
