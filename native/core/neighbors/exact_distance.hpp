#pragma once

#include <vector>

#include "neighbors/nearest.hpp"

namespace heldout {

// The distance that decides who is nearest: in double precision, summed in the order of the columns. A row
// without length has the cosine distance 1 to every row; rounding never makes that distance negative.
template <class T>
class ExactDistance {
  public:
    ExactDistance(const RowsView<T>& references, const RowsView<T>& queries, const SearchOptions& search);

    double operator()(std::size_t query, std::size_t reference) const;

    // The distances of a query from many references.
    void measure(std::size_t query, std::span<const std::uint32_t> references, double* distances) const;

    // The distance that a sum of terms means, for every metric but the cosine.
    double of_sum(double sum_of_terms) const {
        return metric_ == Metric::kHamming ? sum_of_terms / total_weight_ : sum_of_terms;
    }
    double total_weight() const { return total_weight_; }

  private:
    // Some distances side by side: several sums do not wait for each other as the terms of one do.
    template <std::size_t kRows>
    void measure_some(std::size_t query, const std::uint32_t* references, double* distances) const;
    template <std::size_t kRows, class Term>
    void add_terms(const T* query, const T* const* rows, Term term, double* sums) const;
    double cosine(double dot, std::size_t query, std::size_t reference) const;
    std::vector<double> lengths(const RowsView<T>& rows) const;

    RowsView<T> references_;
    RowsView<T> queries_;
    Metric metric_;
    const double* weights_;
    double total_weight_ = 0.0;
    std::vector<double> reference_lengths_, query_lengths_;  // for the cosine alone
};

extern template class ExactDistance<float>;
extern template class ExactDistance<double>;

// What a search needs at hand.
template <class T>
struct SearchTask {
    RowsView<T> references;
    RowsView<T> queries;
    SearchOptions search;
    const ExactDistance<T>& distance;
    NeighborArrays out;

    std::int32_t* indices(std::size_t query) const { return out.indices + query * search.k; }
    double* distances(std::size_t query) const { return out.distances + query * search.k; }

    // The reference that is no neighbor of a query.
    std::size_t own_row(std::size_t query) const { return search.leaves_own_out ? query : kNoRow; }
};

}  // namespace heldout
