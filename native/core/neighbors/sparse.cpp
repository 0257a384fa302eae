#include "neighbors/sparse.hpp"

#include <algorithm>

#include "base/require.hpp"
#include "base/team.hpp"
#include "neighbors/score_sieve.hpp"
#include "neighbors/sparse_index.hpp"

namespace heldout {
namespace {

constexpr std::size_t kSparseQueriesPerTask = 16;

}  // namespace

void find_nearest_sparse(const SparseRowsView& references, const SparseRowsView& queries,
                         const Search& search, const Found& found) {
    require_rows(references);
    require_rows(queries);
    require(references.n_columns == queries.n_columns, "references and queries differ in their columns");
    require(search.column_weights.empty() || search.column_weights.size() == references.n_columns,
            "there must be a weight for each column");
    require(search.metric == Metric::kL1 || search.metric == Metric::kL2 || search.metric == Metric::kCosine,
            "sparse rows have the metrics l1, l2 and cosine");
    require_search(references.n_rows(), queries.n_rows(), search.k, search.leaves_own_out);

    const SparseDistance distance(references, queries, search);
    const SparseIndex index(references, queries, search, distance);
    struct Member {
        ScoreSieve sieve;
        std::vector<double> scores;
    };
    const std::size_t n_tasks = (queries.n_rows() + kSparseQueriesPerTask - 1) / kSparseQueriesPerTask;
    Team team(std::min(search.n_threads, n_tasks));
    std::vector<Member> members(team.size(), {ScoreSieve(search.k, search.leaves_own_out), {}});
    team.run(n_tasks, [&](std::size_t task, std::size_t member) {
        auto& [sieve, scores] = members[member];
        const std::size_t last = std::min((task + 1) * kSparseQueriesPerTask, queries.n_rows());
        for (std::size_t query = task * kSparseQueriesPerTask; query < last; ++query) {
            const double length = search.metric == Metric::kCosine ? distance.query_length(query) : 1.0;
            const double error = index.score(entries_of(queries, query), length, scores);
            sieve.sift(scores, index.errors(), error, search.leaves_own_out ? query : kNoRow,
                       [&](std::size_t reference) { return distance(query, reference); });
            sieve.write(found.indices + query * search.k, found.distances + query * search.k);
        }
    });
}

}  // namespace heldout
