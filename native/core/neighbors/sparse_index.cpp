#include "neighbors/sparse_index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heldout {
namespace {

constexpr double kSparseError = 0x1p-900;  // beside which no product that is lost matters

std::size_t most_entries(const SparseRowsView& rows) {
    std::size_t most = 0;
    for (std::size_t i = 0; i < rows.n_rows(); ++i) most = std::max(most, entries_of(rows, i).n);
    return most;
}

}  // namespace

SparseIndex::SparseIndex(const SparseRowsView& references, const SparseRowsView& queries,
                         const Search& search, const SparseDistance& distance)
    : metric_(search.metric),
      weights_(search.column_weights),
      n_rows_(references.n_rows()),
      begin_(references.n_columns + 1),
      rows_(references.columns.size()),
      numbers_(references.columns.size()),
      starts_(n_rows_),
      errors_(n_rows_) {
    constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;
    const auto n_terms = static_cast<double>(std::max(most_entries(references), most_entries(queries)));
    relative_error_ = 1.02 * (12 * n_terms + 128) * kUnit;
    for (const double weight : weights_)
        is_usable_ &= weight == 0.0 || (weight >= 1 / kLargestWeight && weight <= kLargestWeight);
    for (const std::int32_t column : references.columns) ++begin_[static_cast<std::size_t>(column) + 1];
    for (std::size_t j = 0; j < references.n_columns; ++j) begin_[j + 1] += begin_[j];
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t i = 0; i < n_rows_; ++i) {
        const SparseEntries row = entries_of(references, i);
        const double length = metric_ == Metric::kCosine ? distance.reference_length(i) : 1.0;
        is_usable_ &= is_tame(row, length);
        for (std::size_t j = 0; j < row.n; ++j) {
            const std::size_t at = next[static_cast<std::size_t>(row.columns[j])]++;
            rows_[at] = static_cast<std::uint32_t>(i);
            numbers_[at] = length == 0.0 ? 0.0 : row.numbers[j] / length;
        }
        const double own = alone(row);
        errors_[i] = own * relative_error_ + kSparseError;
        starts_[i] = (metric_ == Metric::kCosine ? 0.0 : own) - errors_[i];
    }
}

// Whether the bound holds for a row: no number too large, and for the cosine a length that is not too small.
bool SparseIndex::is_tame(const SparseEntries& row, double length) const {
    for (std::size_t j = 0; j < row.n; ++j)
        if (!(std::abs(row.numbers[j]) <= kLargestNumber)) return false;
    return metric_ != Metric::kCosine || length == 0.0 ||
           (length >= kSmallestNumber && length <= kLargestNumber);
}

// What a row adds to a distance by itself; for the cosine, the scale of the error.
double SparseIndex::alone(const SparseEntries& row) const {
    if (metric_ == Metric::kCosine) return 1.0;
    double total = 0.0;
    for (std::size_t j = 0; j < row.n; ++j) {
        const double number = row.numbers[j];
        total += weight(row.columns[j]) * (metric_ == Metric::kL1 ? std::abs(number) : number * number / 2);
    }
    return total;
}

double SparseIndex::score(const SparseEntries& query, double query_length,
                          std::vector<double>& scores) const {
    if (!is_usable_ || !is_tame(query, query_length)) {
        scores.assign(n_rows_, 0.0);
        return std::numeric_limits<double>::infinity();
    }
    scores = starts_;
    for (std::size_t j = 0; j < query.n; ++j) {
        const auto column = static_cast<std::size_t>(query.columns[j]);
        const double own = query_length == 0.0 ? 0.0 : query.numbers[j] / query_length;
        const double column_weight = weight(query.columns[j]);
        if (metric_ == Metric::kL1) {
            for (std::size_t at = begin_[column]; at < begin_[column + 1]; ++at)
                if ((numbers_[at] > 0) == (own > 0))
                    scores[rows_[at]] -= column_weight * 2 * std::min(std::abs(numbers_[at]), std::abs(own));
        } else {
            const double factor = column_weight * own;
            for (std::size_t at = begin_[column]; at < begin_[column + 1]; ++at)
                scores[rows_[at]] -= factor * numbers_[at];
        }
    }
    return (metric_ == Metric::kCosine ? 1.0 : alone(query)) * relative_error_ + kSparseError;
}

}  // namespace heldout
