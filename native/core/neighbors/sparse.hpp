#pragma once

#include <vector>

#include "neighbors/nearest.hpp"

namespace heldout {

// Rows of which only some columns are stored: those of row i stand from begin[i] to begin[i + 1], their
// columns ascending. What is not stored is 0.
struct SparseRowsView {
    std::span<const std::int64_t> begin;
    std::span<const std::int32_t> columns;
    std::span<const double> numbers;
    std::size_t n_columns;

    std::size_t n_rows() const { return begin.size() - 1; }
};

// The columns that one row stores.
struct SparseEntries {
    const std::int32_t* columns;
    const double* numbers;
    std::size_t n;
};

SparseEntries entries_of(const SparseRowsView& rows, std::size_t i);

void require_rows(const SparseRowsView& rows);

// The distance of sparse rows by L1, L2 or cosine, with the same bits as ExactDistance gives for the same
// rows with all columns stored: the sum goes over the columns that either row stores, in their order.
class SparseDistance {
  public:
    SparseDistance(const SparseRowsView& references, const SparseRowsView& queries,
                   const SearchOptions& search);

    double operator()(std::size_t query, std::size_t reference) const;

    // The product of the weighted rows, and its root, which is the length of a row, if both are the same.
    double dot(const SparseEntries& a, const SparseEntries& b) const;
    double query_length(std::size_t query) const { return query_lengths_[query]; }
    double reference_length(std::size_t reference) const { return reference_lengths_[reference]; }

  private:
    SparseRowsView references_, queries_;
    Metric metric_;
    const double* weights_;
    std::vector<double> reference_lengths_, query_lengths_;  // for the cosine alone
};

// The k nearest references of every query, as SparseDistance measures. The method of the search is ignored.
void find_nearest_sparse(const SparseRowsView& references, const SparseRowsView& queries,
                         const SearchOptions& search, const NeighborArrays& out);

}  // namespace heldout
