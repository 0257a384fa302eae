#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "neighbors/search.hpp"

namespace heldout {

// The distance that an answer is made of: in double precision, summed in the order of the columns. A row
// without length has the cosine distance 1 to every row; rounding never makes that distance negative.
template <class T>
class ExactDistance {
  public:
    ExactDistance(const RowsView<T>& references, const RowsView<T>& queries, const Search& search);

    double operator()(std::size_t query, std::size_t reference) const;

    // The distances of a query from many references.
    void measure(std::size_t query, std::span<const std::uint32_t> references, double* distances) const;

    // The distance that a sum of terms means, for every metric but the cosine.
    double of_sum(double sum_of_terms) const {
        return metric_ == Metric::kHamming ? sum_of_terms / total_weight_ : sum_of_terms;
    }
    double total_weight() const { return total_weight_; }

  private:
    template <bool kIsWeighted>
    void measure_four(const T* query, const std::uint32_t* references, double* distances) const;
    template <class Term>
    double sum(const T* a, const T* b, Term term) const;
    double dot(const T* a, const T* b) const;

    RowsView<T> references_;
    RowsView<T> queries_;
    Metric metric_;
    const double* weights_;
    double total_weight_ = 0.0;
    std::vector<double> reference_lengths_, query_lengths_;  // for the cosine alone
};

template <class T>
template <class Term>
double ExactDistance<T>::sum(const T* a, const T* b, Term term) const {
    double total = 0.0;
    const std::size_t n = references_.n_columns;
    if (weights_ == nullptr)
        for (std::size_t j = 0; j < n; ++j)
            total += term(static_cast<double>(a[j]), static_cast<double>(b[j]));
    else
        for (std::size_t j = 0; j < n; ++j)
            total += weights_[j] * term(static_cast<double>(a[j]), static_cast<double>(b[j]));
    return total;
}

template <class T>
double ExactDistance<T>::dot(const T* a, const T* b) const {
    return sum(a, b, [](double x, double y) { return x * y; });
}

template <class T>
ExactDistance<T>::ExactDistance(const RowsView<T>& references, const RowsView<T>& queries,
                                const Search& search)
    : references_(references),
      queries_(queries),
      metric_(search.metric),
      weights_(search.column_weights.empty() ? nullptr : search.column_weights.data()) {
    if (weights_ == nullptr) total_weight_ = static_cast<double>(references.n_columns);
    for (const double weight : search.column_weights) total_weight_ += weight;
    if (metric_ != Metric::kCosine) return;
    const auto lengths = [this](const RowsView<T>& rows) {
        std::vector<double> found(rows.n_rows);
        for (std::size_t i = 0; i < rows.n_rows; ++i) found[i] = std::sqrt(dot(rows.row(i), rows.row(i)));
        return found;
    };
    reference_lengths_ = lengths(references);
    query_lengths_ = lengths(queries);
}

template <class T>
double ExactDistance<T>::operator()(std::size_t query, std::size_t reference) const {
    const T* a = queries_.row(query);
    const T* b = references_.row(reference);
    switch (metric_) {
        case Metric::kL1:
            return sum(a, b, [](double x, double y) { return std::abs(x - y); });
        case Metric::kL2:
            return sum(a, b, [](double x, double y) { return (x - y) * (x - y); });
        case Metric::kLinf: {
            double largest = 0.0;
            for (std::size_t j = 0; j < references_.n_columns; ++j) {
                const double difference = std::abs(static_cast<double>(a[j]) - static_cast<double>(b[j]));
                const double weighted = weights_ == nullptr ? difference : weights_[j] * difference;
                if (weighted > largest) largest = weighted;
            }
            return largest;
        }
        case Metric::kHamming:
            return of_sum(sum(a, b, [](double x, double y) { return x != y ? 1.0 : 0.0; }));
        case Metric::kCosine: {
            const double lengths = query_lengths_[query] * reference_lengths_[reference];
            if (lengths == 0.0) return 1.0;
            return std::max(0.0, 1.0 - dot(a, b) / lengths);
        }
    }
    return 0.0;
}

// Four squared distances side by side, each summed in the order of the columns: four sums do not wait for
// each other as the terms of one do.
template <class T>
template <bool kIsWeighted>
void ExactDistance<T>::measure_four(const T* query, const std::uint32_t* references,
                                    double* distances) const {
    const T* a = references_.row(references[0]);
    const T* b = references_.row(references[1]);
    const T* c = references_.row(references[2]);
    const T* d = references_.row(references[3]);
    double sums[4] = {};
    for (std::size_t j = 0; j < references_.n_columns; ++j) {
        const auto number = static_cast<double>(query[j]);
        const double differences[4] = {number - static_cast<double>(a[j]), number - static_cast<double>(b[j]),
                                       number - static_cast<double>(c[j]),
                                       number - static_cast<double>(d[j])};
        for (std::size_t i = 0; i < 4; ++i)
            sums[i] += kIsWeighted ? weights_[j] * (differences[i] * differences[i])
                                   : differences[i] * differences[i];
    }
    for (std::size_t i = 0; i < 4; ++i) distances[i] = sums[i];
}

// The rows lie far apart: those that come next are fetched while these are measured.
template <class T>
void ExactDistance<T>::measure(std::size_t query, std::span<const std::uint32_t> references,
                               double* distances) const {
    constexpr std::size_t kAhead = 8, kLine = 64 / sizeof(T);
    std::size_t i = 0;
    if (metric_ == Metric::kL2)
        for (; i + 4 <= references.size(); i += 4) {
            for (std::size_t next = i + kAhead; next < std::min(i + kAhead + 4, references.size()); ++next)
                for (std::size_t j = 0; j < references_.n_columns; j += kLine)
                    __builtin_prefetch(references_.row(references[next]) + j);
            if (weights_ == nullptr)
                measure_four<false>(queries_.row(query), references.data() + i, distances + i);
            else
                measure_four<true>(queries_.row(query), references.data() + i, distances + i);
        }
    for (; i < references.size(); ++i) distances[i] = (*this)(query, references[i]);
}

}  // namespace heldout
