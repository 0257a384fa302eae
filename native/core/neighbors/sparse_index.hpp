#pragma once

#include "neighbors/sparse_rows.hpp"

namespace heldout {

// The references by columns: which rows store one, and what. A query meets only the columns that it stores,
// and what it has in common with each reference adds up to a score, with a bound of its error.
//
// With terms t(a, b), the distance is what the query has alone, plus what the reference has alone, less what
// they have in common: a² + b² - 2ab for L2 (halved), |a| + |b| - c for L1, where c is twice the smaller of
// two numbers of the same sign, and 1 - ab for rows of length 1. A score leaves the query's part out.
class SparseIndex {
  public:
    SparseIndex(const SparseRowsView& references, const SparseRowsView& queries, const Search& search,
                const SparseDistance& distance);

    // Scores of all references, each low enough by its own error, and the error that the query adds. Where no
    // bound holds all scores are 0, so that nothing is ruled out.
    double score(const SparseEntries& query, double query_length, std::vector<double>& scores) const;

    std::span<const double> errors() const { return errors_; }

  private:
    bool is_tame(const SparseEntries& row, double length) const;
    double alone(const SparseEntries& row) const;
    double weight(std::int32_t column) const {
        return weights_.empty() ? 1.0 : weights_[static_cast<std::size_t>(column)];
    }

    Metric metric_;
    std::span<const double> weights_;
    std::size_t n_rows_;
    double relative_error_ = 0.0;
    bool is_usable_ = true;
    std::vector<std::size_t> begin_;
    std::vector<std::uint32_t> rows_;
    std::vector<double> numbers_;
    std::vector<double> starts_;
    std::vector<double> errors_;
};

}  // namespace heldout
