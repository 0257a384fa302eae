#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heldout {

// A row whose columns stand one behind the other.
struct DenseRow {
    const double* values;
    std::size_t n;

    template <class Visit>
    void visit(Visit&& take) const {
        for (std::size_t column = 0; column < n; ++column) take(column, values[column]);
    }
};

// A row of which the columns are named, in ascending order; the others are zero.
struct SparseRow {
    const double* values;
    const std::int32_t* columns;
    std::size_t n;

    template <class Visit>
    void visit(Visit&& take) const {
        for (std::size_t i = 0; i < n; ++i) take(static_cast<std::size_t>(columns[i]), values[i]);
    }
};

struct DenseRows {
    const double* values;
    std::size_t n_rows;
    std::size_t n_columns;

    DenseRow row(std::size_t i) const { return {values + i * n_columns, n_columns}; }

    std::size_t mean_length() const { return n_columns; }

    // Prefetches the beginning of a row that is needed soon: n columns of it.
    void prefetch(std::size_t i, std::size_t n) const {
        const double* begin = values + i * n_columns;
        for (std::size_t column = 0; column < n; column += 8) __builtin_prefetch(begin + column);
    }
    void prefetch_ends(std::size_t) const {}
};

// Rows one behind the other: row i has the entries from ends[i] to ends[i + 1].
struct SparseRows {
    std::span<const double> values;
    std::span<const std::int32_t> columns;
    std::span<const std::int64_t> ends;
    std::size_t n_rows;
    std::size_t n_columns;

    SparseRow row(std::size_t i) const {
        const auto begin = static_cast<std::size_t>(ends[i]);
        return {values.data() + begin, columns.data() + begin, static_cast<std::size_t>(ends[i + 1]) - begin};
    }

    std::size_t mean_length() const { return n_rows ? values.size() / n_rows : 0; }

    // n: how many entries; if it changed from row to row, the processor would foresee less
    void prefetch(std::size_t i, std::size_t n) const {
        const auto begin = static_cast<std::size_t>(ends[i]);
        for (std::size_t at = 0; at <= n; at += 8) __builtin_prefetch(values.data() + begin + at);
        for (std::size_t at = 0; at <= n; at += 16) __builtin_prefetch(columns.data() + begin + at);
    }
    void prefetch_ends(std::size_t i) const { __builtin_prefetch(ends.data() + i); }
};

// Throws unless every entry lies inside.
void check_rows(const DenseRows& rows);
void check_rows(const SparseRows& rows);

// The scores of each row by each of several linear functions: its intercept, plus the products in the order
// of the columns. One function behind the other in `weights`; one row behind the other in the result.
std::vector<double> linear_scores(const DenseRows& rows, std::span<const double> weights,
                                  std::span<const double> intercepts);
std::vector<double> linear_scores(const SparseRows& rows, std::span<const double> weights,
                                  std::span<const double> intercepts);

}  // namespace heldout
