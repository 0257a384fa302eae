#pragma once

#include <cstdint>
#include <span>

#include "neighbors/nearest.hpp"

namespace heldout {

// The nearest others of every row of a table, nearest first: `depth` of them for each row.
struct NeighborTable {
    std::span<const std::int32_t> positions;
    std::span<const double> distances;
    std::size_t depth = 0;

    std::size_t n_rows() const { return depth == 0 ? 0 : positions.size() / depth; }
};

// The k nearest members of each query by these lists. `index_of` has for each row of the table its index
// among the members, or a number below 0. Returns for how many queries the list held fewer than k members;
// these are marked in `is_short`, and what is found for them is not to be used.
std::size_t find_listed(const NeighborTable& table, std::span<const std::int32_t> index_of,
                        std::span<const std::int64_t> queries, std::size_t k, const NeighborArrays& out,
                        std::span<std::uint8_t> is_short);

}  // namespace heldout
