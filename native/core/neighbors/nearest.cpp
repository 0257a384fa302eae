#include "neighbors/nearest.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/require.hpp"
#include "base/team.hpp"
#include "neighbors/box_tree.hpp"
#include "neighbors/direct_scan.hpp"
#include "neighbors/product_scan.hpp"
#include "neighbors/shadow.hpp"

namespace heldout {

void require_search(std::size_t n_references, std::size_t n_queries, std::size_t k, bool leaves_own_out) {
    require(n_references <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()),
            "too many references: at most 2^31 - 1");
    require(!leaves_own_out || n_references == n_queries,
            "where a row is not its own neighbor, the queries are the references");
    require(k >= 1, "k must be at least 1");
    require(k + (leaves_own_out ? 1 : 0) <= n_references, "k is larger than the number of references");
}

namespace {

// For so few references or queries, or where a large part of the references is wanted, sifting by products
// does not pay.
constexpr std::size_t kFewReferences = 200;
constexpr std::size_t kFewestQueries = 24;
constexpr std::size_t kLargestShare = 8;

// So many queries go first, and show whether the shadow tells the references apart.
constexpr std::size_t kPilotQueries = 48;
constexpr std::size_t kLargestMeasuredShare = 24;

template <class T>
bool can_sift(const SearchTask<T>& task) {
    const SearchOptions& search = task.search;
    return (search.metric == Metric::kL2 || search.metric == Metric::kCosine) &&
           task.references.n_rows >= kFewReferences && task.queries.n_rows >= kFewestQueries &&
           search.k <= task.references.n_rows / kLargestShare;
}

// Sifts with shadows of one precision and gives the queries that are left without neighbors. When the
// first ones show that too many references must be measured exactly, `others` are not even tried.
template <class F, class T>
std::vector<std::size_t> sift(const SearchTask<T>& task, const std::vector<std::size_t>& queries,
                              Team& team) {
    const Shadow<F> shadow(task.references, task.search, spread_order(task.references.n_rows));
    if (!shadow.is_usable()) return queries;
    std::vector<std::size_t> first, others;
    const std::size_t step = std::max<std::size_t>(1, queries.size() / kPilotQueries);
    for (std::size_t i = 0; i < queries.size(); ++i) (i % step == 0 ? first : others).push_back(queries[i]);
    std::size_t n_measured = 0;
    std::vector<std::size_t> left = scan_products(task, shadow, first, team, n_measured);
    const std::size_t n_few = task.references.n_rows / kLargestMeasuredShare + 4 * task.search.k;
    const bool is_sharp = n_measured <= first.size() * n_few;
    const auto more = is_sharp ? scan_products(task, shadow, others, team, n_measured) : others;
    left.insert(left.end(), more.begin(), more.end());
    return left;
}

}  // namespace

template <class T>
void find_nearest(const RowsView<T>& references, const RowsView<T>& queries, const SearchOptions& search,
                  const NeighborArrays& out) {
    require(references.n_columns == queries.n_columns, "references and queries differ in their columns");
    require(search.column_weights.empty() || search.column_weights.size() == references.n_columns,
            "there must be a weight for each column");
    require_search(references.n_rows, queries.n_rows, search.k, search.leaves_own_out);

    const ExactDistance<T> distance(references, queries, search);
    const SearchTask<T> task{references, queries, search, distance, out};
    Team team(std::min(search.n_threads, queries.n_rows));
    if (search.method != Method::kScan && can_use_boxes(task) &&
        (search.method == Method::kTree || boxes_promise(task)))
        return scan_boxes(task, team);
    std::vector<std::size_t> left(queries.n_rows);
    std::iota(left.begin(), left.end(), std::size_t{0});
    if (can_sift(task)) {
        left = sift<float>(task, left, team);
        if (left.size() > queries.n_rows / 2) left = sift<double>(task, left, team);
    }
    scan_directly(task, left, team);
}

template void find_nearest(const RowsView<float>&, const RowsView<float>&, const SearchOptions&,
                           const NeighborArrays&);
template void find_nearest(const RowsView<double>&, const RowsView<double>&, const SearchOptions&,
                           const NeighborArrays&);

}  // namespace heldout
