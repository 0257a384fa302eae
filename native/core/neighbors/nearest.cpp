#include "neighbors/nearest.hpp"

#include <algorithm>
#include <numeric>

#include "base/require.hpp"
#include "base/team.hpp"
#include "neighbors/box_scan.hpp"
#include "neighbors/direct_scan.hpp"
#include "neighbors/product_scan.hpp"
#include "neighbors/spread_order.hpp"

namespace heldout {
namespace {

// Below so many references, or where a large part of them is asked for, sifting by products does not pay.
constexpr std::size_t kFewReferences = 200;
constexpr std::size_t kLargestShare = 8;

bool can_sift(const Search& search, std::size_t n_references) {
    return (search.metric == Metric::kL2 || search.metric == Metric::kCosine) &&
           n_references >= kFewReferences && search.k <= n_references / kLargestShare;
}

}  // namespace

template <class T>
void find_nearest(const RowsView<T>& references, const RowsView<T>& queries, const Search& search,
                  const Found& found) {
    require(references.n_columns == queries.n_columns, "references and queries differ in their columns");
    require(search.column_weights.empty() || search.column_weights.size() == references.n_columns,
            "there must be a weight for each column");
    require_search(references.n_rows, queries.n_rows, search.k, search.leaves_own_out);

    const ExactDistance<T> distance(references, queries, search);
    const SearchTask<T> task{references, queries, search, distance, found};
    Team team(std::min(search.n_threads, queries.n_rows));
    if (search.method != Method::kScan && can_use_boxes(task) &&
        (search.method == Method::kTree || boxes_promise(task)))
        return scan_boxes(task, team);
    std::vector<std::size_t> left(queries.n_rows);
    std::iota(left.begin(), left.end(), std::size_t{0});
    if (can_sift(search, references.n_rows)) {
        const Shadow<float> shadow(references, search, spread_order(references.n_rows));
        std::size_t n_measured = 0;
        if (shadow.is_usable()) left = scan_products(task, shadow, left, team, n_measured);
    }
    scan_directly(task, left, team);
}

template void find_nearest(const RowsView<float>&, const RowsView<float>&, const Search&, const Found&);
template void find_nearest(const RowsView<double>&, const RowsView<double>&, const Search&, const Found&);

}  // namespace heldout
