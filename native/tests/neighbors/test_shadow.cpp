#include <numeric>

#include "../check.hpp"
#include "base/processor.hpp"
#include "neighbors/shadow.hpp"
#include "random_rows.hpp"

using namespace heldout;
using namespace heldout::tests;

namespace {

struct NoRelief final : Relief {
    void relieve(std::size_t) override { throw std::runtime_error("nothing should overflow"); }
};

template <class F>
using Kernel = void (*)(const Panels<F>&, std::size_t, std::size_t, QueryGroup<F>&, Relief&);

// Scores of all references for some queries, taken from survivors of an infinite threshold.
template <class F>
void check_bounds(Kernel<F> kernel, Metric metric, double offset) {
    constexpr std::size_t kQueries = kGroupQueries<F>;
    const std::size_t n = 200, n_columns = 21, capacity = n + 2 * kPanelRows;
    auto rows = random_rows<double>(n + kQueries, n_columns, 3, false);
    for (auto& number : rows) number += offset;
    const RowsView<double> references{rows.data(), n, n_columns};
    const RowsView<double> queries{rows.data() + n * n_columns, kQueries, n_columns};
    SearchOptions search;
    search.metric = metric;
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    const Shadow<F> shadow(references, search, order);
    CHECK(shadow.is_usable());
    const ExactDistance<double> distance(references, queries, search);

    std::vector<F> packed(kQueries * n_columns), scores(kQueries * capacity);
    std::vector<std::uint32_t> positions(kQueries * capacity);
    QueryGroup<F> group{};
    std::vector<QueryBounds> bounds(kQueries);
    group.packed = packed.data();
    group.n_most = n + kPanelRows;
    for (std::size_t q = 0; q < kQueries; ++q) {
        CHECK(shadow.pack_query(queries.row(q), packed.data() + q, bounds[q]));
        group.thresholds[q] = std::numeric_limits<F>::infinity();
        group.survivors[q] = {scores.data() + q * capacity, positions.data() + q * capacity, 0};
    }
    NoRelief relief;
    kernel(shadow.panels(), 0, shadow.n_panels(), group, relief);
    for (std::size_t q = 0; q < kQueries; ++q) {
        CHECK(group.survivors[q].n == n);
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t position = group.survivors[q].positions[i];
            const double exact = distance(q, shadow.row_of(position));
            const F score = group.survivors[q].scores[i];
            CHECK(score < shadow.threshold(exact, bounds[q]));
            const double highest =
                static_cast<double>(score) + 2 * shadow.error_of(position) + 2 * bounds[q].error;
            CHECK(shadow.threshold(exact, bounds[q]) <= shadow.threshold_above(highest));
            CHECK(exact <= shadow.distance_within(shadow.threshold(exact, bounds[q]), bounds[q]));
        }
    }
}

template <class F>
void check_kernels() {
    for (const double offset : {0.0, 1e6})
        for (const auto metric : {Metric::kL2, Metric::kCosine}) {
            check_bounds<F>(&scan_panels_plain<F>, metric, offset);
            if constexpr (kCompilesAvx512)
                if (has_avx512()) check_bounds<F>(&scan_panels_avx512, metric, offset);
        }
}

}  // namespace

TEST("the score of every reference keeps its bounds, in single precision") {
    check_kernels<float>();
}

TEST("the score of every reference keeps its bounds, in double precision") {
    check_kernels<double>();
}

TEST("a shadow is not used where its bound would not hold") {
    for (const double bad : {1e200, std::numeric_limits<double>::infinity(), std::nan("")}) {
        std::vector<double> rows(64, 1.0);
        rows[5] = bad;
        std::vector<std::uint32_t> order(32);
        std::iota(order.begin(), order.end(), 0U);
        CHECK(!Shadow<float>(RowsView<double>{rows.data(), 32, 2}, SearchOptions{}, order).is_usable());
    }
}
