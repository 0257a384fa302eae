#include <algorithm>
#include <cmath>

#include "base/require.hpp"
#include "neighbors/sparse.hpp"

namespace heldout {
namespace {

// Sums term(a, b) over the columns that are stored in either row, in their order.
template <class Term>
double sum_of_union(const SparseEntries& a, const SparseEntries& b, const double* weights, Term term) {
    double total = 0.0;
    const auto add = [&](std::int32_t column, double x, double y) {
        total += weights == nullptr ? term(x, y) : weights[column] * term(x, y);
    };
    std::size_t i = 0, j = 0;
    while (i < a.n && j < b.n) {
        const std::int32_t column = std::min(a.columns[i], b.columns[j]);
        const double x = a.columns[i] == column ? a.numbers[i++] : 0.0;
        const double y = b.columns[j] == column ? b.numbers[j++] : 0.0;
        add(column, x, y);
    }
    for (; i < a.n; ++i) add(a.columns[i], a.numbers[i], 0.0);
    for (; j < b.n; ++j) add(b.columns[j], 0.0, b.numbers[j]);
    return total;
}

}  // namespace

SparseEntries entries_of(const SparseRowsView& rows, std::size_t i) {
    const auto begin = static_cast<std::size_t>(rows.begin[i]);
    return {rows.columns.data() + begin, rows.numbers.data() + begin,
            static_cast<std::size_t>(rows.begin[i + 1]) - begin};
}

void require_rows(const SparseRowsView& rows) {
    require(!rows.begin.empty() && rows.begin.front() == 0, "the first row must begin at 0");
    require(std::is_sorted(rows.begin.begin(), rows.begin.end()), "no row may end before it begins");
    require(static_cast<std::size_t>(rows.begin.back()) == rows.columns.size() &&
                rows.columns.size() == rows.numbers.size(),
            "there must be as many columns and numbers as the rows say");
    for (std::size_t i = 0; i < rows.n_rows(); ++i) {
        const SparseEntries row = entries_of(rows, i);
        for (std::size_t j = 0; j < row.n; ++j)
            require(row.columns[j] >= 0 && static_cast<std::size_t>(row.columns[j]) < rows.n_columns &&
                        (j == 0 || row.columns[j - 1] < row.columns[j]),
                    "the columns of a row must ascend, within the number of columns");
    }
}

SparseDistance::SparseDistance(const SparseRowsView& references, const SparseRowsView& queries,
                               const SearchOptions& search)
    : references_(references),
      queries_(queries),
      metric_(search.metric),
      weights_(search.column_weights.empty() ? nullptr : search.column_weights.data()) {
    if (metric_ != Metric::kCosine) return;
    const auto lengths = [this](const SparseRowsView& rows) {
        std::vector<double> all(rows.n_rows());
        for (std::size_t i = 0; i < all.size(); ++i) {
            const SparseEntries row = entries_of(rows, i);
            all[i] = std::sqrt(dot(row, row));
        }
        return all;
    };
    reference_lengths_ = lengths(references);
    query_lengths_ = lengths(queries);
}

double SparseDistance::dot(const SparseEntries& a, const SparseEntries& b) const {
    return sum_of_union(a, b, weights_, [](double x, double y) { return x * y; });
}

double SparseDistance::operator()(std::size_t query, std::size_t reference) const {
    const SparseEntries a = entries_of(queries_, query), b = entries_of(references_, reference);
    if (metric_ == Metric::kL1)
        return sum_of_union(a, b, weights_, [](double x, double y) { return std::abs(x - y); });
    if (metric_ == Metric::kL2)
        return sum_of_union(a, b, weights_, [](double x, double y) { return (x - y) * (x - y); });
    const double lengths = query_lengths_[query] * reference_lengths_[reference];
    return lengths == 0.0 ? 1.0 : std::max(0.0, 1.0 - dot(a, b) / lengths);
}

}  // namespace heldout
