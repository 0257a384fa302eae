#include <limits>
#include <stdexcept>

#include "../check.hpp"
#include "neighbors/nearest.hpp"
#include "random_rows.hpp"

using namespace heldout;
using namespace heldout::tests;

namespace {

template <class T>
void check_all_ways(std::size_t n, std::size_t n_queries, std::size_t n_columns, bool is_integer) {
    const auto rows = random_rows<T>(n + n_queries, n_columns, 5, is_integer);
    const RowsView<T> references{rows.data(), n, n_columns};
    const RowsView<T> queries{rows.data() + n * n_columns, n_queries, n_columns};
    for (const auto metric : {Metric::kL1, Metric::kL2, Metric::kLinf, Metric::kHamming, Metric::kCosine}) {
        for (const std::size_t k : {std::size_t{1}, std::size_t{9}, n}) {
            SearchOptions search;
            search.metric = metric;
            search.k = k;
            const Neighbors wanted = plain_neighbors(references, queries, search);
            for (const auto method : {Method::kAuto, Method::kScan, Method::kTree}) {
                for (const std::size_t n_threads : {1, 2}) {
                    search.method = method;
                    search.n_threads = n_threads;
                    Neighbors found(n_queries, k);
                    find_nearest(references, queries, search, found.found());
                    CHECK(found == wanted);
                }
            }
        }
    }
}

}  // namespace

TEST("every metric, method and number of threads finds what sorting all distances finds") {
    for (const bool is_integer : {false, true}) {
        check_all_ways<double>(700, 30, 5, is_integer);
        check_all_ways<float>(700, 30, 5, is_integer);
        check_all_ways<double>(300, 17, 33, is_integer);
    }
}

TEST("a tree that pays is chosen, and its neighbors are those of a scan") {
    const std::size_t n = 6000, n_columns = 2;
    const auto rows = random_rows<double>(n, n_columns, 6, false);
    const RowsView<double> references{rows.data(), n, n_columns};
    for (const auto metric : {Metric::kL1, Metric::kL2, Metric::kLinf}) {
        SearchOptions search;
        search.metric = metric;
        search.k = 4;
        search.leaves_own_out = true;
        Neighbors by_choice(n, 4), by_scan(n, 4);
        find_nearest(references, references, search, by_choice.found());
        search.method = Method::kScan;
        find_nearest(references, references, search, by_scan.found());
        CHECK(by_choice == by_scan);
        for (std::size_t i = 0; i < n; ++i) CHECK(by_choice.indices[4 * i] != static_cast<std::int32_t>(i));
    }
}

TEST("numbers at the ends of the range have their neighbors, too") {
    auto rows = random_rows<double>(400, 3, 7, true);
    const double scales[] = {1e-320, 1e-170, 1e160, 1e307};
    for (const double scale : scales) {
        auto scaled = rows;
        for (auto& number : scaled) number *= scale;
        const RowsView<double> references{scaled.data(), 400, 3};
        SearchOptions search;
        search.k = 11;
        const Neighbors wanted = plain_neighbors(references, references, search);
        for (const auto method : {Method::kScan, Method::kTree}) {
            search.method = method;
            Neighbors found(400, 11);
            find_nearest(references, references, search, found.found());
            CHECK(found == wanted);
        }
    }
}

TEST("what is not a number is far away and does no harm") {
    auto rows = random_rows<double>(500, 4, 8, false);
    for (std::size_t i = 0; i < rows.size(); i += 7) rows[i] = std::numeric_limits<double>::quiet_NaN();
    const RowsView<double> references{rows.data(), 500, 4};
    for (const auto metric : {Metric::kL1, Metric::kL2, Metric::kLinf, Metric::kHamming, Metric::kCosine}) {
        SearchOptions search;
        search.metric = metric;
        search.k = 30;
        search.method = Method::kTree;
        Neighbors found(500, 30);
        find_nearest(references, references, search, found.found());
        for (const double distance : found.distances) CHECK(distance >= 0);
    }
}

TEST("a search with shapes that do not fit is refused") {
    const std::vector<double> rows(12, 1.0);
    const RowsView<double> three{rows.data(), 4, 3}, two{rows.data(), 6, 2};
    Neighbors found(6, 6);
    SearchOptions search;
    CHECK_THROWS(std::invalid_argument, find_nearest(three, two, search, found.found()));
    search.k = 0;
    CHECK_THROWS(std::invalid_argument, find_nearest(three, three, search, found.found()));
    search.k = 5;
    CHECK_THROWS(std::invalid_argument, find_nearest(three, three, search, found.found()));
    search.k = 4;
    search.leaves_own_out = true;
    CHECK_THROWS(std::invalid_argument, find_nearest(three, three, search, found.found()));
}
