#include <stdexcept>
#include <vector>

#include "../check.hpp"
#include "neighbors/nearest.hpp"
#include "neighbors/neighbor_lists.hpp"
#include "random_rows.hpp"

using namespace heldout;
using namespace heldout::tests;

namespace {

struct Lists {
    Neighbors neighbors;
    std::size_t depth;

    Lists(const RowsView<double>& rows, std::size_t length) : neighbors(rows.n_rows, length), depth(length) {
        SearchOptions search;
        search.k = depth;
        search.leaves_own_out = true;
        find_nearest(rows, rows, search, neighbors.found());
    }
    NeighborTable table() const { return {neighbors.indices, neighbors.distances, depth}; }
};

}  // namespace

TEST("lists of all rows give the nearest of every part of them, or say that they are too short") {
    const std::size_t n = 120, n_columns = 3, k = 4;
    const auto numbers = random_rows<double>(n, n_columns, 3, true);
    const Lists lists({numbers.data(), n, n_columns}, 12);
    std::vector<std::int32_t> index_of(n, -1);
    std::vector<double> members, asked;
    std::vector<std::int64_t> queries;
    std::int32_t n_members = 0;
    for (std::size_t row = 0; row < n; ++row) {
        auto& part = row % 3 == 0 ? asked : members;
        part.insert(part.end(), numbers.begin() + row * n_columns, numbers.begin() + (row + 1) * n_columns);
        if (row % 3 == 0)
            queries.push_back(static_cast<std::int64_t>(row));
        else
            index_of[row] = n_members++;
    }
    Neighbors found(queries.size(), k), wanted(queries.size(), k);
    std::vector<std::uint8_t> is_short(queries.size());
    const auto n_short = find_listed(lists.table(), index_of, queries, k, found.found(), is_short);
    SearchOptions search;
    search.k = k;
    const std::size_t n_references = members.size() / n_columns;
    find_nearest<double>({members.data(), n_references, n_columns}, {asked.data(), queries.size(), n_columns},
                         search, wanted.found());
    std::size_t n_marked = 0;
    for (std::size_t query = 0; query < queries.size(); ++query) {
        n_marked += is_short[query];
        for (std::size_t rank = query * k; rank < (query + 1) * k && !is_short[query]; ++rank) {
            CHECK(found.indices[rank] == wanted.indices[rank]);
            CHECK(found.distances[rank] == wanted.distances[rank]);
        }
    }
    CHECK(n_marked == n_short);
    CHECK(n_short < queries.size() / 4);
}

TEST("lists that do not fit together are refused") {
    const std::vector<std::int32_t> positions{1, 0}, outside{1, 2}, index_of{0, -1}, one{0};
    const std::vector<double> distances{1.0, 1.0};
    const std::vector<std::int64_t> queries{1}, missing{2};
    std::vector<std::uint8_t> is_short(1);
    Neighbors found(1, 1);
    const auto find = [&](const auto& listed, const auto& places, const auto& asked, std::size_t k) {
        return find_listed({listed, distances, 1}, places, asked, k, found.found(), is_short);
    };
    CHECK(find(positions, index_of, queries, 1) == 0);
    CHECK_THROWS(std::invalid_argument, find(outside, index_of, queries, 1));
    CHECK_THROWS(std::invalid_argument, find(positions, one, queries, 1));
    CHECK_THROWS(std::invalid_argument, find(positions, index_of, missing, 1));
    CHECK_THROWS(std::invalid_argument, find(positions, index_of, queries, 2));
}
