#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "neighbors/best_list.hpp"
#include "neighbors/exact_distance.hpp"

namespace heldout::tests {

// Rows of small integers, so that ties abound, or of normal numbers.
template <class T>
std::vector<T> random_rows(std::size_t n, std::size_t n_columns, unsigned seed, bool is_integer) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::vector<T> rows(n * n_columns);
    for (auto& number : rows)
        number = static_cast<T>(is_integer ? std::round(2 * normal(random)) : normal(random));
    return rows;
}

// What a search returns, as one list of candidates for each query.
struct Neighbors {
    std::vector<std::int32_t> indices;
    std::vector<double> distances;

    Neighbors(std::size_t n_queries, std::size_t k) : indices(n_queries * k), distances(n_queries * k) {}
    NeighborArrays found() { return {indices.data(), distances.data()}; }
    bool operator==(const Neighbors&) const = default;
};

// All distances, sorted.
template <class T>
Neighbors plain_neighbors(const RowsView<T>& references, const RowsView<T>& queries,
                          const SearchOptions& search) {
    const ExactDistance<T> distance(references, queries, search);
    Neighbors neighbors(queries.n_rows, search.k);
    for (std::size_t query = 0; query < queries.n_rows; ++query) {
        std::vector<Candidate> all;
        for (std::size_t i = 0; i < references.n_rows; ++i)
            if (!search.leaves_own_out || i != query)
                all.push_back({distance(query, i), static_cast<std::int32_t>(i)});
        std::sort(all.begin(), all.end());
        for (std::size_t i = 0; i < search.k; ++i) {
            neighbors.indices[query * search.k + i] = all[i].index;
            neighbors.distances[query * search.k + i] = all[i].distance;
        }
    }
    return neighbors;
}

}  // namespace heldout::tests
