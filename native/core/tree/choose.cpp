#include "tree/choose.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heldout {
namespace {

// C4.5's tolerance: an attribute's gain may fall short of the average by this much.
constexpr double kAverageSlack = 1e-3;

// C4.5 leaves a category with a level for every third row or more out of the average, unless all are such.
constexpr double kManyLevels = 0.3;

bool has_many_levels(const Problem& problem, std::size_t column) {
    const TreeColumn& source = problem.columns[column];
    const double n_levels = static_cast<double>(source.codes.n_codes()) * problem.unit_weight;
    return source.is_category() && n_levels >= kManyLevels * problem.total_weight;
}

// The rules for costs weigh the gain itself.
bool goes_by_ratio(const Problem& problem) {
    return problem.options.criterion == Criterion::kGainRatio && problem.options.cost_rule == CostRule::kNone;
}

double least_gain(const Problem& problem, std::span<const ColumnSplit> splits) {
    constexpr double kAny = -std::numeric_limits<double>::infinity();
    if (!problem.options.average_gain || !goes_by_ratio(problem)) return kAny;
    double sum = 0, sum_of_few = 0;
    std::size_t n = 0, n_of_few = 0;
    for (std::size_t column = 0; column < splits.size(); ++column) {
        if (!splits[column].is_admissible()) continue;
        sum += splits[column].gain;
        ++n;
        if (has_many_levels(problem, column)) continue;
        sum_of_few += splits[column].gain;
        ++n_of_few;
    }
    if (n_of_few > 0) return sum_of_few / static_cast<double>(n_of_few) - kAverageSlack;
    return n > 0 ? sum / static_cast<double>(n) - kAverageSlack : kAny;
}

// With costs the logarithm is compared: no unit of gain or cost then makes it overflow. The gain of a
// regression split counts as the share of the node's variance that it explains.
double worth(const Problem& problem, double impurity, std::size_t column, const ColumnSplit& split) {
    double value = split.gain;
    if (goes_by_ratio(problem)) value = split.split_info > 0 ? split.gain / split.split_info : 0;
    if (problem.options.cost_rule == CostRule::kNone) return value;
    if (problem.is_regression()) value /= impurity;
    value = std::max(value, std::numeric_limits<double>::min());
    if (problem.options.cost_rule == CostRule::kTanSchlimmer)
        return 2 * std::log(value) - std::log(problem.costs[column]);
    return std::log(std::expm1(value * std::log(2.0))) -
           problem.options.cost_exponent * std::log1p(problem.costs[column]);
}

}  // namespace

std::optional<std::size_t> choose_column(const Problem& problem, double impurity,
                                         std::span<const ColumnSplit> splits) {
    const double slack = gain_slack(problem, impurity);
    const double least = least_gain(problem, splits);
    const double worth_slack = problem.options.cost_rule == CostRule::kNone ? slack : 1e-12;
    std::optional<std::size_t> best;
    double best_worth = 0;
    for (std::size_t column = 0; column < splits.size(); ++column) {
        const auto& split = splits[column];
        if (!split.is_admissible() || split.gain < least) continue;
        const double value = worth(problem, impurity, column, split);
        if (best && !(value > best_worth + worth_slack)) continue;
        best = column;
        best_worth = value;
    }
    if (best && !(splits[*best].gain > problem.options.min_gain + slack)) return std::nullopt;
    return best;
}

}  // namespace heldout
