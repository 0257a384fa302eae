#include "neighbors/neighbor_lists.hpp"

#include "base/require.hpp"

namespace heldout {
namespace {

void check(const NeighborTable& table, std::span<const std::int32_t> index_of,
           std::span<const std::int64_t> queries, std::size_t k) {
    require(table.depth >= 1 && table.positions.size() % table.depth == 0,
            "lists of neighbors must all be of one length");
    require(table.positions.size() == table.distances.size(), "each neighbor must have a distance");
    require(index_of.size() == table.n_rows(), "each row of the table must have a place, or none");
    require(k >= 1 && k <= table.depth, "k must not exceed the length of the lists");
    const auto n_rows = static_cast<std::int64_t>(table.n_rows());
    for (const auto query : queries)
        require(query >= 0 && query < n_rows, "a query must be a row of the table");
}

}  // namespace

std::size_t find_listed(const NeighborTable& table, std::span<const std::int32_t> index_of,
                        std::span<const std::int64_t> queries, std::size_t k, const NeighborArrays& out,
                        std::span<std::uint8_t> is_short) {
    check(table, index_of, queries, k);
    require(is_short.size() == queries.size(), "each query must have a mark");
    std::size_t n_short = 0;
    for (std::size_t query = 0; query < queries.size(); ++query) {
        const std::size_t begin = static_cast<std::size_t>(queries[query]) * table.depth;
        std::int32_t* const indices = out.indices + query * k;
        double* const distances = out.distances + query * k;
        std::size_t n_found = 0;
        for (std::size_t at = begin; at < begin + table.depth && n_found < k; ++at) {
            const auto position = static_cast<std::size_t>(table.positions[at]);
            require(position < index_of.size(), "a neighbor must be a row of the table");
            const std::int32_t index = index_of[position];
            indices[n_found] = index;
            distances[n_found] = table.distances[at];
            n_found += index >= 0;
        }
        is_short[query] = n_found < k;
        n_short += n_found < k;
    }
    return n_short;
}

}  // namespace heldout
