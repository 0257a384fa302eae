#include "linear/scores.hpp"

#include <algorithm>

#include "base/require.hpp"

namespace heldout {

void check_rows(const DenseRows& rows) {
    require(rows.n_rows == 0 || rows.n_columns == 0 || rows.values != nullptr, "rows have no values");
}

void check_rows(const SparseRows& rows) {
    require(rows.ends.size() == rows.n_rows + 1, "a sparse matrix needs an end for each row, and a begin");
    require(rows.values.size() == rows.columns.size(), "a sparse matrix needs a column for each value");
    require(rows.ends[0] == 0, "the first row of a sparse matrix begins elsewhere than at 0");
    for (std::size_t i = 0; i < rows.n_rows; ++i)
        require(rows.ends[i] <= rows.ends[i + 1], "a row of a sparse matrix ends before it begins");
    require(static_cast<std::size_t>(rows.ends[rows.n_rows]) == rows.values.size(),
            "the last row of a sparse matrix ends elsewhere than its values");
    for (const std::int32_t column : rows.columns)
        require(column >= 0 && static_cast<std::size_t>(column) < rows.n_columns,
                "a sparse matrix names a column that is not there");
}

namespace {

// A sum in order has to wait for every addition; so many rows are added up at a time.
constexpr std::size_t kRowsAtOnce = 8;

void one_function(const DenseRows& rows, const double* weights, double intercept, double* scores) {
    const std::size_t n = rows.n_columns;
    std::size_t i = 0;
    for (; i + kRowsAtOnce <= rows.n_rows; i += kRowsAtOnce) {
        const double* first = rows.values + i * n;
        double sums[kRowsAtOnce];
        std::fill_n(sums, kRowsAtOnce, intercept);
        for (std::size_t column = 0; column < n; ++column)
            for (std::size_t r = 0; r < kRowsAtOnce; ++r) sums[r] += weights[column] * first[r * n + column];
        std::copy_n(sums, kRowsAtOnce, scores + i);
    }
    for (; i < rows.n_rows; ++i) {
        double sum = intercept;
        for (std::size_t column = 0; column < n; ++column)
            sum += weights[column] * rows.values[i * n + column];
        scores[i] = sum;
    }
}

void one_function(const SparseRows& rows, const double* weights, double intercept, double* scores) {
    for (std::size_t i = 0; i < rows.n_rows; ++i) {
        double sum = intercept;
        rows.row(i).visit([&](std::size_t column, double value) { sum += weights[column] * value; });
        scores[i] = sum;
    }
}

// The weights of one column stand together, so that all functions are added up at a time.
template <class Rows>
void many_functions(const Rows& rows, std::span<const double> weights, std::span<const double> intercepts,
                    double* scores) {
    const std::size_t n_functions = intercepts.size();
    std::vector<double> by_column(weights.size());
    for (std::size_t k = 0; k < n_functions; ++k)
        for (std::size_t column = 0; column < rows.n_columns; ++column)
            by_column[column * n_functions + k] = weights[k * rows.n_columns + column];
    for (std::size_t i = 0; i < rows.n_rows; ++i) {
        double* sums = scores + i * n_functions;
        std::copy(intercepts.begin(), intercepts.end(), sums);
        rows.row(i).visit([&](std::size_t column, double value) {
            const double* of_column = by_column.data() + column * n_functions;
            for (std::size_t k = 0; k < n_functions; ++k) sums[k] += of_column[k] * value;
        });
    }
}

template <class Rows>
std::vector<double> all_scores(const Rows& rows, std::span<const double> weights,
                               std::span<const double> intercepts) {
    check_rows(rows);
    require(weights.size() == intercepts.size() * rows.n_columns,
            "linear functions need a weight for each column and an intercept");
    std::vector<double> scores(rows.n_rows * intercepts.size());
    if (intercepts.size() == 1)
        one_function(rows, weights.data(), intercepts[0], scores.data());
    else
        many_functions(rows, weights, intercepts, scores.data());
    return scores;
}

}  // namespace

std::vector<double> linear_scores(const DenseRows& rows, std::span<const double> weights,
                                  std::span<const double> intercepts) {
    return all_scores(rows, weights, intercepts);
}

std::vector<double> linear_scores(const SparseRows& rows, std::span<const double> weights,
                                  std::span<const double> intercepts) {
    return all_scores(rows, weights, intercepts);
}

}  // namespace heldout
