#include "tree/choose.hpp"

#include <cmath>

namespace heldout {
namespace {

// C4.5's tolerance: an attribute's gain may fall short of the average by this much.
constexpr double kAverageSlack = 1e-3;

double least_gain(const Problem& problem, double slack, std::span<const ColumnSplit> splits) {
    const double wanted = problem.options.min_gain + slack;
    if (!problem.options.average_gain || problem.options.criterion != Criterion::kGainRatio) return wanted;
    double sum = 0;
    std::size_t n = 0;
    for (const auto& split : splits) {
        if (!split.is_admissible()) continue;
        sum += split.gain;
        ++n;
    }
    return n == 0 ? wanted : std::max(wanted, sum / static_cast<double>(n) - kAverageSlack);
}

double worth(const Problem& problem, std::size_t column, const ColumnSplit& split) {
    double value = split.gain;
    if (problem.options.criterion == Criterion::kGainRatio)
        value = split.split_info > 0 ? split.gain / split.split_info : 0;
    switch (problem.options.cost_rule) {
        case CostRule::kTanSchlimmer:
            return value * value / problem.costs[column];
        case CostRule::kNunez:
            return (std::exp2(value) - 1) /
                   std::pow(problem.costs[column] + 1, problem.options.cost_exponent);
        default:
            return value;
    }
}

}  // namespace

std::optional<std::size_t> choose_column(const Problem& problem, double impurity,
                                         std::span<const ColumnSplit> splits) {
    const double slack = gain_slack(problem, impurity);
    const double least = least_gain(problem, slack, splits);
    std::optional<std::size_t> best;
    double best_worth = 0;
    for (std::size_t column = 0; column < splits.size(); ++column) {
        const auto& split = splits[column];
        if (!split.is_admissible() || !(split.gain > least)) continue;
        const double value = worth(problem, column, split);
        if (best && !(value > best_worth + slack)) continue;
        best = column;
        best_worth = value;
    }
    return best;
}

}  // namespace heldout
