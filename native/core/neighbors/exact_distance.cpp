#include "neighbors/exact_distance.hpp"

#include <algorithm>
#include <cmath>

namespace heldout {
namespace {

constexpr std::size_t kAtOnce = 4;
constexpr std::size_t kAhead = 8;

double product(double x, double y) {
    return x * y;
}

}  // namespace

template <class T>
ExactDistance<T>::ExactDistance(const RowsView<T>& references, const RowsView<T>& queries,
                                const SearchOptions& search)
    : references_(references),
      queries_(queries),
      metric_(search.metric),
      weights_(search.column_weights.empty() ? nullptr : search.column_weights.data()) {
    if (weights_ == nullptr) total_weight_ = static_cast<double>(references.n_columns);
    for (const double weight : search.column_weights) total_weight_ += weight;
    if (metric_ != Metric::kCosine) return;
    reference_lengths_ = lengths(references);
    query_lengths_ = search.leaves_own_out ? reference_lengths_ : lengths(queries);
}

template <class T>
std::vector<double> ExactDistance<T>::lengths(const RowsView<T>& rows) const {
    std::vector<double> all(rows.n_rows);
    for (std::size_t i = 0; i < rows.n_rows; ++i) {
        const T* row = rows.row(i);
        double squares = 0.0;
        add_terms<1>(row, &row, product, &squares);
        all[i] = std::sqrt(squares);
    }
    return all;
}

template <class T>
template <std::size_t kRows, class Term>
void ExactDistance<T>::add_terms(const T* query, const T* const* rows, Term term, double* sums) const {
    double totals[kRows] = {};
    const std::size_t n = references_.n_columns;
    if (weights_ == nullptr) {
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t i = 0; i < kRows; ++i)
                totals[i] += term(static_cast<double>(query[j]), static_cast<double>(rows[i][j]));
    } else {
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t i = 0; i < kRows; ++i)
                totals[i] +=
                    weights_[j] * term(static_cast<double>(query[j]), static_cast<double>(rows[i][j]));
    }
    for (std::size_t i = 0; i < kRows; ++i) sums[i] = totals[i];
}

template <class T>
double ExactDistance<T>::cosine(double dot, std::size_t query, std::size_t reference) const {
    const double product_of_lengths = query_lengths_[query] * reference_lengths_[reference];
    return product_of_lengths == 0.0 ? 1.0 : std::max(0.0, 1.0 - dot / product_of_lengths);
}

template <class T>
template <std::size_t kRows>
void ExactDistance<T>::measure_some(std::size_t query, const std::uint32_t* references,
                                    double* distances) const {
    const T* a = queries_.row(query);
    const T* rows[kRows];
    for (std::size_t i = 0; i < kRows; ++i) rows[i] = references_.row(references[i]);
    switch (metric_) {
        case Metric::kL1:
            return add_terms<kRows>(a, rows, [](double x, double y) { return std::abs(x - y); }, distances);
        case Metric::kL2:
            return add_terms<kRows>(a, rows, [](double x, double y) { return (x - y) * (x - y); }, distances);
        case Metric::kLinf:
            for (std::size_t i = 0; i < kRows; ++i) {
                double largest = 0.0;
                for (std::size_t j = 0; j < references_.n_columns; ++j) {
                    const double difference =
                        std::abs(static_cast<double>(a[j]) - static_cast<double>(rows[i][j]));
                    const double term = weights_ == nullptr ? difference : weights_[j] * difference;
                    largest = term > largest ? term : largest;
                }
                distances[i] = largest;
            }
            return;
        case Metric::kHamming:
            add_terms<kRows>(a, rows, [](double x, double y) { return x != y ? 1.0 : 0.0; }, distances);
            for (std::size_t i = 0; i < kRows; ++i) distances[i] = of_sum(distances[i]);
            return;
        case Metric::kCosine:
            add_terms<kRows>(a, rows, product, distances);
            for (std::size_t i = 0; i < kRows; ++i) distances[i] = cosine(distances[i], query, references[i]);
            return;
    }
}

template <class T>
double ExactDistance<T>::operator()(std::size_t query, std::size_t reference) const {
    const auto index = static_cast<std::uint32_t>(reference);
    double distance = 0.0;
    measure_some<1>(query, &index, &distance);
    return distance;
}

// The rows lie far apart: those that come next are fetched while these are measured.
template <class T>
void ExactDistance<T>::measure(std::size_t query, std::span<const std::uint32_t> references,
                               double* distances) const {
    constexpr std::size_t kLine = 64 / sizeof(T);
    std::size_t i = 0;
    for (; i + kAtOnce <= references.size(); i += kAtOnce) {
        for (std::size_t next = i + kAhead; next < std::min(i + kAhead + kAtOnce, references.size()); ++next)
            for (std::size_t j = 0; j < references_.n_columns; j += kLine)
                __builtin_prefetch(references_.row(references[next]) + j);
        measure_some<kAtOnce>(query, references.data() + i, distances + i);
    }
    for (; i < references.size(); ++i) measure_some<1>(query, references.data() + i, distances + i);
}

template class ExactDistance<float>;
template class ExactDistance<double>;

}  // namespace heldout
