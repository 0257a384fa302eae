#include "forest/node_sums.hpp"

#include <algorithm>
#include <limits>

namespace heldout {
namespace {

// The mean and the variance by West's update.
NodeSums sum_targets(const Problem& problem, const RowMeasure& measure, std::span<const std::uint32_t> words,
                     double& value) {
    NodeSums sums;
    double mean = 0, squares = 0;
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    for (const auto word : words) {
        const double target = problem.targets[measure.row(word)], weight = measure.weight(word);
        sums.weight += weight;
        lowest = std::min(lowest, target);
        highest = std::max(highest, target);
        const double step = target - mean;
        mean += step * (weight / sums.weight);
        squares += weight * step * (target - mean);
    }
    sums.is_mixed = lowest < highest;
    value = sums.is_mixed ? std::clamp(mean, lowest, highest) : lowest;
    sums.impurity = sums.is_mixed ? squares / sums.weight : 0;
    return sums;
}

void count_two_classes(WordBits bits, std::span<const std::uint32_t> words, std::span<double> value) {
    std::uint32_t total = 0, ones = 0;
    for (const auto word : words) {
        const std::uint32_t times = bits.times(word);
        total += times;
        ones += times & -(word & 1U);
    }
    value[0] = total - ones;
    value[1] = ones;
}

}  // namespace

NodeSums sum_rows(const Problem& problem, const RowMeasure& measure, std::span<const std::uint32_t> words,
                  std::span<double> value) {
    if (problem.is_regression()) return sum_targets(problem, measure, words, value[0]);
    std::ranges::fill(value, 0.0);
    if (measure.is_counted() && value.size() == 2)
        count_two_classes(measure.bits, words, value);
    else if (measure.is_counted())
        for (const auto word : words) value[measure.bits.class_of(word)] += measure.bits.times(word);
    else
        for (const auto word : words) value[problem.classes[word]] += measure.weight(word);
    NodeSums sums;
    std::size_t n_present = 0;
    for (const double weight : value) {
        sums.weight += weight;
        n_present += weight > 0;
    }
    sums.is_mixed = n_present > 1;
    return sums;
}

}  // namespace heldout
