#include "neighbors/direct_scan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace heldout {

template <class T>
DirectPanels<T>::DirectPanels(const RowsView<T>& rows, std::vector<std::uint32_t> order, Team& team)
    : n_columns_(rows.n_columns), order_(std::move(order)) {
    const std::size_t n_panels = (order_.size() + kDirectRows - 1) / kDirectRows;
    numbers_ = AlignedBuffer<T>::zeros(n_panels * kDirectRows * n_columns_);
    team.run(n_panels, [&](std::size_t panel, std::size_t) {
        T* numbers = numbers_.data() + panel * kDirectRows * n_columns_;
        const std::size_t first = panel * kDirectRows;
        for (std::size_t i = first; i < std::min(first + kDirectRows, order_.size()); ++i) {
            const T* row = rows.row(order_[i]);
            for (std::size_t j = 0; j < n_columns_; ++j) numbers[j * kDirectRows + i - first] = row[j];
        }
    });
}

template <class T>
DirectScan<T>::DirectScan(const SearchTask<T>& task, const DirectPanels<T>& panels, bool is_ascending)
    : task_(task),
      panels_(panels),
      is_ascending_(is_ascending),
      kernel_(direct_kernel<T>(task.search.metric, !task.search.column_weights.empty())),
      lists_(kDirectQueries, BestList(task.search.k)) {}

// A sum that reaches this belongs to no reference of interest.
template <class T>
double DirectScan<T>::bound(double limit) const {
    if (task_.search.metric == Metric::kHamming)
        limit *= task_.distance.total_weight();
    else if (is_ascending_)
        return limit;
    if (std::isinf(limit)) return std::numeric_limits<double>::quiet_NaN();
    return limit * (1 + 8 * std::numeric_limits<double>::epsilon()) + std::numeric_limits<double>::min();
}

template <class T>
void DirectScan<T>::begin(std::span<const std::size_t> queries) {
    queries_.assign(queries.begin(), queries.end());
    for (std::size_t q = 0; q < kDirectQueries; ++q) {
        at_once_.rows[q] = task_.queries.row(queries[std::min(q, queries.size() - 1)]);
        at_once_.bounds[q] = q < queries.size() ? std::numeric_limits<double>::quiet_NaN() : -1.0;
        lists_[q].clear();
    }
    limit_ = std::numeric_limits<double>::quiet_NaN();
}

template <class T>
void DirectScan<T>::offer_panel(std::size_t first, std::size_t n) {
    for (std::size_t q = 0; q < queries_.size(); ++q) {
        const double bound_of_query = at_once_.bounds[q];
        unsigned is_any = 0;
        for (std::size_t i = 0; i < kDirectRows; ++i) is_any |= sums_[q][i] >= bound_of_query ? 0U : 1U;
        if (is_any == 0) continue;
        const std::size_t own = task_.own_row(queries_[q]);
        for (std::size_t i = 0; i < n; ++i)
            if (!(sums_[q][i] >= bound_of_query) && panels_.row_of(first + i) != own)
                offer(lists_[q], task_.distance.of_sum(sums_[q][i]), panels_.row_of(first + i));
        at_once_.bounds[q] = bound(lists_[q].limit());
    }
}

template <class T>
void DirectScan<T>::offer(BestList& best, double distance, std::size_t row) const {
    if (is_ascending_)
        best.offer_later(distance, row);
    else
        best.offer(distance, row);
}

template <class T>
void DirectScan<T>::visit(std::size_t begin, std::size_t end) {
    for (std::size_t first = begin; first < end; first += kDirectRows) {
        kernel_(panels_.panel_at(first), task_.references.n_columns, task_.search.column_weights.data(),
                at_once_, sums_);
        offer_panel(first, std::min(kDirectRows, end - first));
    }
    limit_ = -std::numeric_limits<double>::infinity();
    for (std::size_t q = 0; q < queries_.size(); ++q) {
        lists_[q].shrink_if_much_is_new();
        const double limit = lists_[q].limit();
        at_once_.bounds[q] = bound(limit);
        if (!(limit <= limit_)) limit_ = limit;
        if (std::isnan(limit_)) break;
    }
}

template <class T>
void DirectScan<T>::finish() {
    for (std::size_t q = 0; q < queries_.size(); ++q)
        lists_[q].write(task_.indices(queries_[q]), task_.distances(queries_[q]));
}

namespace {

// So few queries are not worth that the references are packed for them.
constexpr std::size_t kFewQueries = 4;
constexpr std::size_t kRowsTogether = 256;

// Measures the references in the order in which they stand.
template <class T>
void search_one(const SearchTask<T>& task, std::size_t query, BestList& best) {
    best.clear();
    const std::size_t own = task.own_row(query), n_rows = task.references.n_rows;
    std::uint32_t rows[kRowsTogether];
    double distances[kRowsTogether];
    for (std::size_t first = 0; first < n_rows; first += kRowsTogether) {
        const std::size_t n = std::min(kRowsTogether, n_rows - first);
        std::iota(rows, rows + n, static_cast<std::uint32_t>(first));
        task.distance.measure(query, {rows, n}, distances);
        for (std::size_t i = 0; i < n; ++i)
            if (rows[i] != own) best.offer_later(distances[i], rows[i]);
    }
    best.write(task.indices(query), task.distances(query));
}

}  // namespace

template <class T>
void scan_directly(const SearchTask<T>& task, const std::vector<std::size_t>& queries, Team& team) {
    if (queries.empty()) return;
    if (task.search.metric == Metric::kCosine || queries.size() <= kFewQueries) {
        std::vector<BestList> lists(team.size(), BestList(task.search.k));
        team.run(queries.size(),
                 [&](std::size_t i, std::size_t member) { search_one(task, queries[i], lists[member]); });
        return;
    }
    std::vector<std::uint32_t> order(task.references.n_rows);
    std::iota(order.begin(), order.end(), 0U);
    const DirectPanels<T> panels(task.references, std::move(order), team);
    const std::size_t n_tasks = (queries.size() + kDirectQueries - 1) / kDirectQueries;
    std::vector<DirectScan<T>> scans(std::min(team.size(), n_tasks), DirectScan<T>(task, panels, true));
    team.run(n_tasks, [&](std::size_t i, std::size_t member) {
        const auto some = std::span(queries).subspan(i * kDirectQueries);
        scans[member].begin(some.first(std::min(kDirectQueries, some.size())));
        scans[member].visit(0, panels.n_rows());
        scans[member].finish();
    });
}

template class DirectPanels<float>;
template class DirectPanels<double>;
template class DirectScan<float>;
template class DirectScan<double>;
template void scan_directly(const SearchTask<float>&, const std::vector<std::size_t>&, Team&);
template void scan_directly(const SearchTask<double>&, const std::vector<std::size_t>&, Team&);

}  // namespace heldout
