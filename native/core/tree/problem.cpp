#include "tree/problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/require.hpp"

namespace heldout {
namespace {

void check_codes(const TreeColumn& column, std::span<const std::uint32_t> rows) {
    const auto missing = column.codes.missing();
    column.codes.visit([&](const auto& codes) {
        bool fits = true;
        if (rows.empty())
            for (const auto code : codes) fits &= code <= missing;
        else
            for (const auto row : rows) fits &= codes[row] <= missing;
        require(fits, "a code is larger than the column's number of codes");
    });
}

void check_columns(const Problem& problem) {
    const std::size_t table_rows = problem.columns.empty() ? 0 : problem.columns.front().codes.size();
    for (const auto row : problem.rows) require(row < table_rows, "a row position is outside the table");
    require(problem.n_rows == (problem.rows.empty() ? table_rows : problem.rows.size()),
            "the number of rows disagrees with the columns");
    for (const auto& column : problem.columns) {
        require(column.codes.size() == table_rows, "columns differ in their number of rows");
        require(column.codes.n_codes() <= table_rows, "a column has more codes than rows");
        check_codes(column, problem.rows);
    }
}

void check_answers(const Problem& problem) {
    if (problem.is_regression()) {
        require(problem.targets.size() == problem.n_rows, "targets and rows differ in number");
        require(std::ranges::all_of(problem.targets, [](double y) { return std::isfinite(y); }),
                "targets must be finite");
    } else {
        require(problem.classes.size() == problem.n_rows, "classes and rows differ in number");
        require(std::ranges::all_of(problem.classes, [&](auto c) { return c < problem.n_classes; }),
                "a class is not below the number of classes");
    }
    require(problem.weights.empty() || problem.weights.size() == problem.n_rows,
            "weights and rows differ in number");
    require(std::ranges::all_of(problem.weights, [](double w) { return std::isfinite(w) && w > 0; }),
            "weights must be finite and larger than zero");
    require(std::isfinite(std::accumulate(problem.weights.begin(), problem.weights.end(), 0.0)),
            "the weights' sum must be finite");
}

}  // namespace

void Problem::check() const {
    require(!columns.empty(), "at least one column is needed");
    require(n_rows > 0, "at least one row is needed");
    require(n_rows < std::size_t{1} << 30, "too many rows: fewer than 2^30 are supported");
    check_columns(*this);
    check_answers(*this);
    require(costs.empty() || costs.size() == columns.size(), "costs and columns differ in number");
    require(is_regression() == (options.criterion == Criterion::kSquaredError),
            "squared_error is the criterion of regression, and of regression alone");
    require(!(options.min_leaf < 0) && !std::isnan(options.min_gain),
            "min_leaf and min_gain must be numbers");
    require(options.cost_rule == CostRule::kNone || !costs.empty(), "a cost rule needs costs");
    require(options.numeric_cuts == NumericCuts::kPlain || !is_regression(),
            "C4.5's precautions for numeric cuts are for classes");
}

}  // namespace heldout
