#include "neighbors/mixed.hpp"

#include <algorithm>
#include <cmath>

#include "base/aligned_buffer.hpp"
#include "base/processor.hpp"
#include "base/require.hpp"
#include "base/team.hpp"
#include "neighbors/best_list.hpp"

namespace heldout {
namespace {

// So many references stand side by side, column by column.
constexpr std::size_t kMixedRows = 16;

struct MixedPanel {
    const double* numbers;
    const std::int32_t* levels;
};

// A term that is not known adds nothing to either sum; adding 0 changes no bit of them.
__attribute__((always_inline)) inline void sum_terms(const MixedOptions& search, const MixedPanel& panel,
                                                     const double* numbers, const std::int32_t* levels,
                                                     double (&distances)[kMixedRows]) {
    double totals[kMixedRows] = {}, weights[kMixedRows] = {};
    for (std::size_t j = 0; j < search.ranges.size(); ++j) {
        const double number = numbers[j], weight = search.number_weights[j], range = search.ranges[j];
        if (std::isnan(number)) continue;
        const double* column = panel.numbers + j * kMixedRows;
        for (std::size_t i = 0; i < kMixedRows; ++i) weights[i] += column[i] == column[i] ? weight : 0.0;
        if (!(range > 0.0)) continue;
        for (std::size_t i = 0; i < kMixedRows; ++i) {
            const double term = weight * (std::abs(number - column[i]) / range);
            totals[i] += column[i] == column[i] ? term : 0.0;
        }
    }
    for (std::size_t j = 0; j < search.level_weights.size(); ++j) {
        const std::int32_t level = levels[j];
        const double weight = search.level_weights[j];
        if (level < 0) continue;
        const std::int32_t* column = panel.levels + j * kMixedRows;
        for (std::size_t i = 0; i < kMixedRows; ++i) {
            weights[i] += column[i] >= 0 ? weight : 0.0;
            totals[i] += column[i] >= 0 && column[i] != level ? weight : 0.0;
        }
    }
    for (std::size_t i = 0; i < kMixedRows; ++i)
        distances[i] = weights[i] > 0.0 ? totals[i] / weights[i] : 1.0;
}

#if defined(HELDOUT_AVX512)
HELDOUT_AVX512 void sum_terms_avx512(const MixedOptions& search, const MixedPanel& panel,
                                     const double* numbers, const std::int32_t* levels,
                                     double (&distances)[kMixedRows]) {
    sum_terms(search, panel, numbers, levels, distances);
}
#endif

// Gower's distances of one query from the rows of a panel, with the vectors that the processor has.
void gower_distances(const MixedOptions& search, const MixedPanel& panel, const double* numbers,
                     const std::int32_t* levels, double (&distances)[kMixedRows]) {
#if defined(HELDOUT_AVX512)
    if (has_avx512()) return sum_terms_avx512(search, panel, numbers, levels, distances);
#endif
    sum_terms(search, panel, numbers, levels, distances);
}

constexpr std::size_t kQueriesPerTask = 16;

void require_mixed(const MixedRows& references, const MixedRows& queries, const MixedOptions& search) {
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
    auto panels = AlignedBuffer<T>::zeros(n_panels * kMixedRows * rows.n_columns);
    for (std::size_t i = 0; i < rows.n_rows; ++i)
        for (std::size_t j = 0; j < rows.n_columns; ++j)
            panels.data()[(i / kMixedRows * rows.n_columns + j) * kMixedRows + i % kMixedRows] =
                rows.row(i)[j];
    return panels;
}

}  // namespace

void find_nearest_mixed(const MixedRows& references, const MixedRows& queries, const MixedOptions& search,
                        const NeighborArrays& out) {
    require_mixed(references, queries, search);
    const AlignedBuffer<double> numbers = in_panels(references.numbers);
    const AlignedBuffer<std::int32_t> levels = in_panels(references.levels);
    const std::size_t n_references = references.numbers.n_rows, n_queries = queries.numbers.n_rows;
    const auto search_one = [&](std::size_t query, BestList& best) {
        best.clear();
        double distances[kMixedRows];
        for (std::size_t first = 0; first < n_references; first += kMixedRows) {
            const MixedPanel panel{numbers.data() + first * references.numbers.n_columns,
                                   levels.data() + first * references.levels.n_columns};
            gower_distances(search, panel, queries.numbers.row(query), queries.levels.row(query), distances);
            for (std::size_t i = 0; i < std::min(kMixedRows, n_references - first); ++i)
                if (!search.leaves_own_out || first + i != query) best.offer_later(distances[i], first + i);
        }
        best.write(out.indices + query * search.k, out.distances + query * search.k);
    };
    const std::size_t n_tasks = (n_queries + kQueriesPerTask - 1) / kQueriesPerTask;
    Team team(std::min(search.n_threads, n_tasks));
    std::vector<BestList> lists(team.size(), BestList(search.k));
    team.run(n_tasks, [&](std::size_t task, std::size_t member) {
        const std::size_t last = std::min((task + 1) * kQueriesPerTask, n_queries);
        for (std::size_t query = task * kQueriesPerTask; query < last; ++query)
            search_one(query, lists[member]);
    });
}

}  // namespace heldout
