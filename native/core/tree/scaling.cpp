#include "tree/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heldout {
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
