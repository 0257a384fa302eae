#include "neighbors/mixed.hpp"

#include <algorithm>

#include "base/require.hpp"
#include "base/team.hpp"
#include "neighbors/aligned_buffer.hpp"
#include "neighbors/best_list.hpp"
#include "neighbors/mixed_panel.hpp"

namespace heldout {
namespace {

constexpr std::size_t kQueriesPerTask = 16;

void require_mixed(const MixedRows& references, const MixedRows& queries, const MixedSearch& search) {
    require(references.numbers.n_columns == queries.numbers.n_columns &&
                references.levels.n_columns == queries.levels.n_columns,
            "references and queries differ in their columns");
    require(references.numbers.n_rows == references.levels.n_rows &&
                queries.numbers.n_rows == queries.levels.n_rows,
            "numbers and levels differ in their rows");
    require(search.ranges.size() == references.numbers.n_columns &&
                search.number_weights.size() == references.numbers.n_columns &&
                search.level_weights.size() == references.levels.n_columns,
            "there must be a range and a weight for each column");
    require_search(references.numbers.n_rows, queries.numbers.n_rows, search.k, search.leaves_own_out);
}

template <class T>
AlignedBuffer<T> in_panels(const RowsView<T>& rows) {
    const std::size_t n_panels = (rows.n_rows + kMixedRows - 1) / kMixedRows;
    AlignedBuffer<T> panels(n_panels * kMixedRows * rows.n_columns);
    for (std::size_t i = 0; i < rows.n_rows; ++i)
        for (std::size_t j = 0; j < rows.n_columns; ++j)
            panels.data()[(i / kMixedRows * rows.n_columns + j) * kMixedRows + i % kMixedRows] =
                rows.row(i)[j];
    return panels;
}

}  // namespace

void find_nearest_mixed(const MixedRows& references, const MixedRows& queries, const MixedSearch& search,
                        const Found& found) {
    require_mixed(references, queries, search);
    const AlignedBuffer<double> numbers = in_panels(references.numbers);
    const AlignedBuffer<std::int32_t> levels = in_panels(references.levels);
    const std::size_t n_references = references.numbers.n_rows, n_queries = queries.numbers.n_rows;
    const auto answer = [&](std::size_t query, BestList& best) {
        best.clear();
        double distances[kMixedRows];
        for (std::size_t first = 0; first < n_references; first += kMixedRows) {
            const MixedPanel panel{numbers.data() + first * references.numbers.n_columns,
                                   levels.data() + first * references.levels.n_columns};
            gower_distances(search, panel, queries.numbers.row(query), queries.levels.row(query), distances);
            for (std::size_t i = 0; i < std::min(kMixedRows, n_references - first); ++i)
                if (!search.leaves_own_out || first + i != query) best.offer_later(distances[i], first + i);
        }
        best.write(found.indices + query * search.k, found.distances + query * search.k);
    };
    const std::size_t n_tasks = (n_queries + kQueriesPerTask - 1) / kQueriesPerTask;
    Team team(std::min(search.n_threads, n_tasks));
    std::vector<BestList> lists(team.size(), BestList(search.k));
    team.run(n_tasks, [&](std::size_t task, std::size_t member) {
        const std::size_t last = std::min((task + 1) * kQueriesPerTask, n_queries);
        for (std::size_t query = task * kQueriesPerTask; query < last; ++query) answer(query, lists[member]);
    });
}

}  // namespace heldout
