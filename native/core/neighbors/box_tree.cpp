#include "neighbors/box_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "neighbors/direct_scan.hpp"
#include "neighbors/product_scan.hpp"
#include "neighbors/shadow.hpp"

namespace heldout {
namespace {

constexpr std::size_t kSampledRows = 48;

}  // namespace

template <class T>
BoxTree<T>::BoxTree(const RowsView<T>& rows, const SearchOptions& search, std::vector<std::uint32_t> order)
    : rows_(rows),
      search_(search),
      gap_(gap_kernel<T>(search.metric, !search.column_weights.empty())),
      order_(std::move(order)) {
    const auto d = static_cast<double>(rows.n_columns);
    kept_share_ = 1 - 2 * (d + 2) * std::numeric_limits<double>::epsilon();
    keys_.resize(order_.size());
    grow(0, static_cast<std::uint32_t>(order_.size()));
    keys_ = {};
    boxes_.resize(2 * nodes_.size() * rows_.n_columns);
    for (std::size_t node = nodes_.size(); node-- > 0;) bound(node);
}

// The column in which a sample of the rows lies farthest apart, as the metric sees it.
template <class T>
std::uint32_t BoxTree<T>::widest_column(std::uint32_t begin, std::uint32_t end) const {
    const std::size_t step = std::max<std::size_t>(1, (end - begin) / kSampledRows);
    std::vector<T> low(rows_.row(order_[begin]), rows_.row(order_[begin]) + rows_.n_columns), high(low);
    for (std::size_t i = begin; i < end; i += step) {
        const T* row = rows_.row(order_[i]);
        for (std::size_t j = 0; j < rows_.n_columns; ++j) {
            low[j] = std::min(low[j], row[j]);
            high[j] = std::max(high[j], row[j]);
        }
    }
    std::uint32_t widest = 0;
    double largest = -1.0;
    for (std::size_t j = 0; j < rows_.n_columns; ++j) {
        double width = static_cast<double>(high[j]) - static_cast<double>(low[j]);
        if (!search_.column_weights.empty())
            width *= search_.metric == Metric::kL2 ? std::sqrt(search_.column_weights[j])
                                                   : search_.column_weights[j];
        if (width > largest) {
            largest = width;
            widest = static_cast<std::uint32_t>(j);
        }
    }
    return widest;
}

template <class T>
std::size_t BoxTree<T>::grow(std::uint32_t begin, std::uint32_t end) {
    const std::size_t node = nodes_.size();
    nodes_.push_back({begin, end});
    if (end - begin <= kLeafRows || rows_.n_columns == 0) return node;
    const std::uint32_t column = widest_column(begin, end);
    for (std::uint32_t i = begin; i < end; ++i) keys_[i] = {rows_.row(order_[i])[column], order_[i]};
    constexpr auto kRows = static_cast<std::uint32_t>(kLeafRows);
    const std::uint32_t n_leaves = (end - begin + kRows - 1) / kRows;
    const std::uint32_t middle = begin + (n_leaves + 1) / 2 * kRows;
    const auto at = [&](std::uint32_t i) { return keys_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(begin), at(middle - 1), at(end));
    for (std::uint32_t i = begin; i < end; ++i) order_[i] = keys_[i].second;
    nodes_[node].column = column;
    nodes_[node].cut = keys_[middle - 1].first;
    grow(begin, middle);
    const std::size_t right = grow(middle, end);
    nodes_[node].right = static_cast<std::uint32_t>(right);
    return node;
}

template <class T>
void BoxTree<T>::bound(std::size_t node) {
    T* low = boxes_.data() + 2 * node * rows_.n_columns;
    T* high = low + rows_.n_columns;
    if (nodes_[node].right != 0) {
        for (std::size_t j = 0; j < rows_.n_columns; ++j) {
            low[j] = std::min(low_of(node + 1)[j], low_of(nodes_[node].right)[j]);
            high[j] = std::max(high_of(node + 1)[j], high_of(nodes_[node].right)[j]);
        }
        return;
    }
    for (std::size_t i = nodes_[node].begin; i < nodes_[node].end; ++i) {
        const T* row = rows_.row(order_[i]);
        for (std::size_t j = 0; j < rows_.n_columns; ++j) {
            low[j] = i == nodes_[node].begin ? row[j] : std::min(low[j], row[j]);
            high[j] = i == nodes_[node].begin ? row[j] : std::max(high[j], row[j]);
        }
    }
}

template <class T>
std::size_t BoxTree<T>::position_of(const T* row) const {
    std::size_t node = 0;
    while (nodes_[node].right != 0)
        node = row[nodes_[node].column] <= nodes_[node].cut ? node + 1 : nodes_[node].right;
    return nodes_[node].begin;
}

template class BoxTree<float>;
template class BoxTree<double>;

namespace {

constexpr std::size_t kCellRows = 1024;  // queries in different cells do not go together
constexpr std::size_t kGroupsPerTask = 8;
constexpr std::size_t kFewestReferences = 2048;  // below, a scan is over before a tree has grown
constexpr std::size_t kBoxPilotQueries = 24;
constexpr std::size_t kPilotShare = 16;  // a tree of one in so many references is tried
constexpr double kLargestVisitedShare = 0.3;

template <class T>
bool are_finite(const RowsView<T>& rows) {
    const std::size_t n = rows.n_rows * rows.n_columns;
    return std::all_of(rows.numbers, rows.numbers + n, [](T number) { return std::isfinite(number); });
}

// Queries in the order of the tree, cut into groups of neighbors.
struct QueryOrder {
    std::vector<std::size_t> queries;
    std::vector<std::size_t> group_begins;

    std::span<const std::size_t> group(std::size_t i) const {
        return std::span(queries).subspan(group_begins[i], group_begins[i + 1] - group_begins[i]);
    }
    std::size_t n_groups() const { return group_begins.size() - 1; }
};

template <class T>
QueryOrder order_queries(const SearchTask<T>& task, const BoxTree<T>& tree, std::size_t group_size) {
    std::vector<std::pair<std::size_t, std::size_t>> positions(task.queries.n_rows);
    for (std::size_t i = 0; i < positions.size(); ++i)
        positions[i] = {tree.position_of(task.queries.row(i)), i};
    std::sort(positions.begin(), positions.end());
    QueryOrder order;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const bool is_full = i > 0 && i - order.group_begins.back() == group_size;
        if (i == 0 || is_full || positions[i].first / kCellRows != positions[i - 1].first / kCellRows)
            order.group_begins.push_back(i);
        order.queries.push_back(positions[i].second);
    }
    order.group_begins.push_back(positions.size());
    return order;
}

// The smallest box around some queries, and its centre.
template <class T>
struct QueryBox {
    std::vector<T> low, high, centre;

    QueryBox(const RowsView<T>& rows, std::span<const std::size_t> queries) {
        low.assign(rows.row(queries[0]), rows.row(queries[0]) + rows.n_columns);
        high = low;
        for (const std::size_t query : queries)
            for (std::size_t j = 0; j < rows.n_columns; ++j) {
                low[j] = std::min(low[j], rows.row(query)[j]);
                high[j] = std::max(high[j], rows.row(query)[j]);
            }
        centre.resize(low.size());
        for (std::size_t j = 0; j < centre.size(); ++j) centre[j] = low[j] / 2 + high[j] / 2;
    }
};

template <class T, class Scan>
void scan_group(const SearchTask<T>& task, const BoxTree<T>& tree, std::span<const std::size_t> queries,
                Scan& scan) {
    const QueryBox<T> box(task.queries, queries);
    scan.begin(queries);
    tree.go_through(box.low.data(), box.high.data(), box.centre.data(), scan);
}

template <class Scan, class Work>
void run_groups(const QueryOrder& order, Team& team, std::vector<Scan>& scans, const Work& work) {
    team.run((order.n_groups() + kGroupsPerTask - 1) / kGroupsPerTask,
             [&](std::size_t task, std::size_t member) {
                 const std::size_t last = std::min((task + 1) * kGroupsPerTask, order.n_groups());
                 for (std::size_t i = task * kGroupsPerTask; i < last; ++i) work(i, scans[member]);
             });
}

template <class T>
void scan_boxes_directly(const SearchTask<T>& task, const BoxTree<T>& tree, Team& team) {
    const DirectPanels<T> panels(task.references, tree.order(), team);
    const QueryOrder order = order_queries(task, tree, DirectScan<T>::kQueries);
    std::vector<DirectScan<T>> scans(team.size(), DirectScan<T>(task, panels, false));
    run_groups(order, team, scans, [&](std::size_t i, DirectScan<T>& scan) {
        scan_group(task, tree, order.group(i), scan);
        scan.finish();
    });
}

template <class T>
void scan_boxes_by_products(const SearchTask<T>& task, const BoxTree<T>& tree, const Shadow<float>& shadow,
                            Team& team) {
    const QueryOrder order = order_queries(task, tree, kGroupQueries<float>);
    std::vector<GroupScan<T, float>> scans(team.size(), GroupScan<T, float>(task, shadow, 1));
    std::vector<Left> left(order.n_groups());
    run_groups(order, team, scans, [&](std::size_t i, GroupScan<T, float>& scan) {
        scan_group(task, tree, order.group(i), scan);
        scan.finish(order.group(i).size(), left[i], false);
    });
    Left all;
    for (const auto& some : left) all.add(some);
    scan_directly(task, all.unbounded, team);
}

// Counts the leaves that a query visits, with a scan that does the work.
template <class T>
struct CountingScan {
    DirectScan<T>& scan;
    std::size_t n_visits = 0;

    double limit() const { return scan.limit(); }
    void visit(std::size_t begin, std::size_t end) {
        ++n_visits;
        scan.visit(begin, end);
    }
};

// Whether a scan takes long enough for a tree to be grown, even if searching it cost nothing. Both in units
// of one term of a distance in a scan, for each reference.
template <class T>
bool has_time_for_a_tree(const SearchTask<T>& task) {
    const auto n_columns = static_cast<double>(task.references.n_columns);
    const bool is_sifted = task.search.metric == Metric::kL2;
    const double scan = static_cast<double>(task.queries.n_rows) * (n_columns + 4) / (is_sifted ? 24 : 4);
    const double depth = std::log2(static_cast<double>(task.references.n_rows) / BoxTree<T>::kLeafRows);
    return scan > 1.5 * (40 * depth + 10 * n_columns);
}

}  // namespace

template <class T>
bool can_use_boxes(const SearchTask<T>& task) {
    const Metric metric = task.search.metric;
    return (metric == Metric::kL1 || metric == Metric::kL2 || metric == Metric::kLinf) &&
           task.references.n_columns > 0 && are_finite(task.references) && are_finite(task.queries);
}

template <class T>
bool boxes_promise(const SearchTask<T>& task) {
    const std::size_t n_sampled = task.references.n_rows / kPilotShare;
    if (task.references.n_rows < kFewestReferences || task.search.k > n_sampled / 4 ||
        !has_time_for_a_tree(task))
        return false;
    std::vector<std::uint32_t> sample = spread_order(task.references.n_rows);
    sample.resize(n_sampled);
    Team alone(1);
    const BoxTree<T> tree(task.references, task.search, std::move(sample));
    const DirectPanels<T> panels(task.references, tree.order(), alone);
    DirectScan<T> scan(task, panels, false);
    CountingScan<T> counting{scan};
    for (std::size_t i = 0; i < kBoxPilotQueries; ++i) {
        const std::size_t query = i * task.queries.n_rows / kBoxPilotQueries;
        const QueryBox<T> box(task.queries, {&query, 1});
        scan.begin({&query, 1});
        tree.go_through(box.low.data(), box.high.data(), box.centre.data(), counting);
    }
    const std::size_t n_leaves = (n_sampled + BoxTree<T>::kLeafRows - 1) / BoxTree<T>::kLeafRows;
    return static_cast<double>(counting.n_visits) <
           kLargestVisitedShare * static_cast<double>(kBoxPilotQueries * n_leaves);
}

template <class T>
void scan_boxes(const SearchTask<T>& task, Team& team) {
    if (task.queries.n_rows == 0) return;
    const BoxTree<T> tree(task.references, task.search, spread_order(task.references.n_rows));
    if (task.search.metric == Metric::kL2) {
        const Shadow<float> shadow(task.references, task.search, tree.order());
        if (shadow.is_usable()) return scan_boxes_by_products(task, tree, shadow, team);
    }
    scan_boxes_directly(task, tree, team);
}

template bool can_use_boxes(const SearchTask<float>&);
template bool can_use_boxes(const SearchTask<double>&);
template bool boxes_promise(const SearchTask<float>&);
template bool boxes_promise(const SearchTask<double>&);
template void scan_boxes(const SearchTask<float>&, Team&);
template void scan_boxes(const SearchTask<double>&, Team&);

}  // namespace heldout
