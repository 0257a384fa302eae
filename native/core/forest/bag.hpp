#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heldout {

// Which rows a tree sees. A bag depends on the seed and the number of its tree alone. With groups, whole
// groups are drawn, all alike.
struct BagOptions {
    std::uint64_t seed = 0;
    bool is_bootstrap = true;  // draws with replacement; otherwise without
    std::size_t n_draws = 0;   // how many rows or groups are drawn; without replacement, at most all
    std::span<const std::uint32_t> groups = {};  // of each row, numbered from 0; none: every row by itself

    // Whether the weights decide how often a row is drawn; otherwise it counts with its weight.
    bool draws_by_weight() const { return is_bootstrap && groups.empty(); }
};

// One group for each row, and every number up to the largest is that of a row.
void check_groups(const BagOptions& options, std::size_t n_rows);

// How often each row is in the bag of a tree. Where weights decide, rows are drawn in proportion to them
// (none: all alike).
std::vector<std::uint32_t> bag_of_tree(const BagOptions& options, std::uint64_t tree, std::size_t n_rows,
                                       std::span<const double> weights);

// The key of everything else that is random in a tree.
std::uint64_t key_of_tree(const BagOptions& options, std::uint64_t tree);

}  // namespace heldout
