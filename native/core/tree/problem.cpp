#include "tree/problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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

void check_labels(const Problem& problem) {
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
    check_labels(*this);
    require(costs.empty() || costs.size() == columns.size(), "costs and columns differ in number");
    require(is_regression() == (options.criterion == Criterion::kSquaredError),
            "squared_error is the criterion of regression, and of regression alone");
    require(!(options.min_leaf < 0) && !std::isnan(options.min_gain),
            "min_leaf and min_gain must be numbers");
    require(options.cost_rule == CostRule::kNone || !costs.empty(), "a cost rule needs costs");
    require(options.numeric_cuts == NumericCuts::kPlain || !is_regression(),
            "C4.5's precautions for numeric cuts are for classes");
}

namespace {

// A branch may weigh this much less than min_leaf: sums of weights are rounded.
constexpr double kMinLeafSlack = 1e-9;

// What can be taken from every target without rounding: by Sterbenz's lemma the smallest, if none is more
// than twice as large.
double exact_offset(std::span<const double> targets) {
    const auto [low, high] = std::ranges::minmax(targets);
    if (low > 0 && high <= 2 * low) return low;
    if (high < 0 && low >= 2 * high) return high;
    return 0;
}

}  // namespace

ScaledProblem::ScaledProblem(const Problem& problem) : scaled_(problem) {
    if (problem.is_regression()) scale_targets(problem.targets);
    if (!problem.weights.empty()) scale_weights(problem.weights);
    scaled_.options.min_leaf = min_leaf(problem.options.min_leaf);
    for (std::size_t row = 0; row < scaled_.n_rows; ++row) scaled_.total_weight += scaled_.weight(row);
    std::vector<std::uint8_t> is_present(problem.n_classes, 0);
    for (const auto class_ : problem.classes) is_present[class_] = 1;
    scaled_.n_present_classes = static_cast<std::size_t>(std::ranges::count(is_present, 1));
}

void ScaledProblem::scale_targets(std::span<const double> targets) {
    offset_ = exact_offset(targets);
    targets_.assign(targets.begin(), targets.end());
    double largest = 0;
    for (auto& target : targets_) {
        target -= offset_;
        largest = std::max(largest, std::abs(target));
    }
    if (largest > 0) target_exponent_ = std::ilogb(largest) + 1;
    for (auto& target : targets_) target = std::ldexp(target, -target_exponent_);
    scaled_.targets = targets_;
    scaled_.options.min_gain = std::ldexp(scaled_.options.min_gain, -2 * target_exponent_);
}

void ScaledProblem::scale_weights(std::span<const double> weights) {
    weight_exponent_ = std::ilogb(*std::ranges::max_element(weights));
    weights_.assign(weights.begin(), weights.end());
    // A row that weighs next to nothing beside the others still has a weight.
    constexpr double kLightest = std::numeric_limits<double>::min();
    for (auto& weight : weights_) weight = std::max(std::ldexp(weight, -weight_exponent_), kLightest);
    scaled_.weights = weights_;
    scaled_.unit_weight = std::ldexp(1.0, -weight_exponent_);
}

double ScaledProblem::min_leaf(double given) const {
    return std::ldexp(given, -weight_exponent_) * (1 - kMinLeafSlack);
}

void ScaledProblem::restore(Tree& tree) const {
    for (auto& node : tree.nodes) {
        node.weight = weight_as_given(node.weight);
        node.impurity = gain_as_given(node.impurity);
        node.gain = gain_as_given(node.gain);
    }
    const bool is_regression = scaled_.is_regression();
    for (auto& value : tree.values) value = is_regression ? target_as_given(value) : weight_as_given(value);
}

}  // namespace heldout
