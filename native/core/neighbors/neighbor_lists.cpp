#include "neighbors/neighbor_lists.hpp"

#include "base/require.hpp"

namespace heldout {

namespace {

void check(const NeighborTable& table, std::span<const std::int32_t> place_of,
           std::span<const std::int64_t> queries, std::size_t k) {
    require(table.depth >= 1 && table.positions.size() % table.depth == 0,
            "lists of neighbors must all be of one length");
    require(table.positions.size() == table.distances.size(), "each neighbor must have a distance");
    require(place_of.size() == table.n_rows(), "each row of the table must have a place, or none");
    require(k >= 1 && k <= table.depth, "k must not exceed the length of the lists");
    const auto n_rows = static_cast<std::int64_t>(table.n_rows());
    for (const auto query : queries)
        require(query >= 0 && query < n_rows, "a query must be a row of the table");
}

}  // namespace

std::size_t find_listed(const NeighborTable& table, std::span<const std::int32_t> place_of,
                        std::span<const std::int64_t> queries, std::size_t k, const Found& found,
                        std::span<std::uint8_t> is_short) {
    check(table, place_of, queries, k);
    require(is_short.size() == queries.size(), "each query must have a mark");
    std::size_t n_short = 0;
    for (std::size_t query = 0; query < queries.size(); ++query) {
        const std::size_t begin = static_cast<std::size_t>(queries[query]) * table.depth;
        std::int32_t* const indices = found.indices + query * k;
        double* const distances = found.distances + query * k;
        std::size_t n_found = 0;
        for (std::size_t at = begin; at < begin + table.depth && n_found < k; ++at) {
            const auto position = static_cast<std::size_t>(table.positions[at]);
            require(position < place_of.size(), "a neighbor must be a row of the table");
            const std::int32_t place = place_of[position];
            indices[n_found] = place;
            distances[n_found] = table.distances[at];
            n_found += place >= 0;
        }
        is_short[query] = n_found < k;
        n_short += n_found < k;
    }
    return n_short;
}

}  // namespace heldout
