#include "tree/split_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heldout {

template <class Word>
SplitSearch<Word>::SplitSearch(const Problem& problem, Orders<Word>& orders, const EntropyTable& entropies)
    : problem_(problem),
      orders_(orders),
      entropies_(entropies),
      impurity_(problem.options.criterion, problem.n_classes),
      level_search_(impurity_, problem.options.min_leaf) {}

template <class Word>
ColumnSplit SplitSearch<Word>::search(std::size_t column, const NodeView& node, double floor) {
    if (!problem_.columns[column].is_category()) return search_numbers(column, node, floor);
    const LevelSplit split = level_split(column, node);
    return {split.gain, split.split_info};
}

template <class Word>
LevelSplit SplitSearch<Word>::level_split(std::size_t column, const NodeView& node) {
    count_levels(column, node);
    return level_search_.search(table_, problem_.options.level_splits, problem_.is_regression(),
                                gain_slack(problem_, node.impurity));
}

template <class Word>
std::size_t SplitSearch<Word>::count_known(std::size_t column, const NodeView& node) {
    if (!orders_.has_missing(column)) return node.n_rows;
    const auto& codes = problem_.columns[column].codes;
    const Word* words = orders_.order(orders_.index_of(column)) + node.begin;
    const auto is_known = [&](Word word) {
        return codes[problem_.table_row(orders_.layout().row(word))] != codes.missing();
    };
    return static_cast<std::size_t>(std::partition_point(words, words + node.n_rows, is_known) - words);
}

template <class Word>
ColumnSplit SplitSearch<Word>::search_numbers(std::size_t column, const NodeView& node, double floor) {
    const Word* words = orders_.order(orders_.index_of(column)) + node.begin;
    const std::size_t n_known = count_known(column, node);
    const bool is_lean =
        problem_.weights.empty() && n_known == node.n_rows && problem_.options.criterion != Criterion::kError;
    if (!is_lean) return any_cut({words, n_known}, {words + n_known, node.n_rows - n_known}, node);
    const auto smallest =
        static_cast<std::size_t>(std::max(1.0, std::ceil(problem_.smallest_branch(node.weight))));
    if (2 * smallest > node.n_rows) return {};
    const CutRange range{smallest, node.n_rows - smallest};
    Cut cut = lean_cut({words, node.n_rows}, range, node, floor);
    if (cut.position == 0) return {};
    if (problem_.options.numeric_cuts == NumericCuts::kC45) {
        const auto n_cuts = std::count_if(words + range.first, words + range.last + 1,
                                          [](Word word) { return WordLayout<Word>::starts_value(word); });
        cut.gain -= problem_.charge(static_cast<std::size_t>(n_cuts), node.weight);
        if (!(cut.gain > gain_slack(problem_, node.impurity))) return {};
    }
    const bool missing_left = 2 * cut.position >= node.n_rows;
    if (problem_.options.criterion != Criterion::kGainRatio) return {cut.gain, 0, cut.position, missing_left};
    const double left_share = static_cast<double>(cut.position) / static_cast<double>(node.n_rows);
    return {cut.gain, entropy_of_shares(left_share), cut.position, missing_left};
}

template <class Word>
Cut SplitSearch<Word>::lean_cut(std::span<const Word> words, CutRange range, const NodeView& node,
                                double floor) const {
    const auto& layout = orders_.layout();
    const double slack = gain_slack(problem_, node.impurity);
    const bool is_gini = problem_.options.criterion == Criterion::kGini;
    if (problem_.is_regression())
        return scan_targets(words, layout, range, floor, slack, problem_.targets.data(), node.centre());
    if (node.values.size() == 2) {
        const auto n_second = static_cast<std::size_t>(node.values[1]);
        return is_gini ? scan_two_classes(words, layout, range, floor, n_second)
                       : scan_two_classes(words, layout, range, floor, n_second, entropies_);
    }
    return is_gini ? scan_many_classes(words, layout, range, slack, node.values)
                   : scan_many_classes(words, layout, range, slack, node.values, entropies_);
}

// Adds a row to sums, or takes it away again (sign -1).
template <class Word>
void SplitSearch<Word>::add_row(Word word, const NodeView& node, double sign, double* sums) const {
    const std::size_t row = orders_.layout().row(word);
    const double weight = sign * problem_.weight(row);
    if (problem_.is_regression()) {
        sums[0] += weight;
        sums[1] += weight * node.centre().around(problem_.targets[row]);
    } else {
        sums[orders_.layout().class_of(word)] += weight;
    }
}

// The path for weighted rows and missing values: slower, and right in every case.
template <class Word>
ColumnSplit SplitSearch<Word>::any_cut(std::span<const Word> known, std::span<const Word> missing,
                                       const NodeView& node) {
    const double slack = gain_slack(problem_, node.impurity) * node.weight;
    left_.assign(impurity_.width(), 0.0);
    right_ = missing_ = left_;
    for (const Word word : known) add_row(word, node, 1.0, right_.data());
    for (const Word word : missing) add_row(word, node, 1.0, missing_.data());
    placed_ = right_;
    for (std::size_t k = 0; k < placed_.size(); ++k) placed_[k] += missing_[k];
    const double node_quality = impurity_.quality(placed_.data());
    const double smallest = problem_.smallest_branch(impurity_.weight(right_.data()));
    double best_quality = -std::numeric_limits<double>::infinity();
    std::size_t n_cuts = 0;
    ColumnSplit best;
    for (std::size_t position = 1; position < known.size(); ++position) {
        add_row(known[position - 1], node, 1.0, left_.data());
        add_row(known[position - 1], node, -1.0, right_.data());
        if (!WordLayout<Word>::starts_value(known[position])) continue;
        const double* left = left_.data();
        const double* right = right_.data();
        const bool goes_left = !is_heavier(impurity_.weight(right), impurity_.weight(left));
        if (!missing.empty()) {
            placed_ = goes_left ? left_ : right_;
            for (std::size_t k = 0; k < placed_.size(); ++k) placed_[k] += missing_[k];
            (goes_left ? left : right) = placed_.data();
        }
        const double left_weight = impurity_.weight(left), right_weight = impurity_.weight(right);
        if (left_weight < smallest || right_weight < smallest) continue;
        ++n_cuts;
        const double quality = impurity_.quality(left) + impurity_.quality(right);
        if (!(quality > best_quality + slack)) continue;
        best_quality = quality;
        best = {(quality - node_quality) / node.weight,
                entropy_of_shares(left_weight / (left_weight + right_weight)), position, goes_left};
    }
    if (!best.is_admissible() || problem_.options.numeric_cuts == NumericCuts::kPlain) return best;
    best.gain -= problem_.charge(n_cuts, node.weight);
    return best.gain > gain_slack(problem_, node.impurity) ? best : ColumnSplit{};
}

template <class Word>
void SplitSearch<Word>::count_levels(std::size_t column, const NodeView& node) {
    const TreeColumn& source = problem_.columns[column];
    table_.start(source.codes.n_codes(), impurity_.width());
    const Word* words = orders_.order(orders_.index_of(column)) + node.begin;
    source.codes.visit([&](const auto& codes) {
        for (std::size_t i = 0; i < node.n_rows; ++i) {
            const std::uint32_t level = codes[problem_.table_row(orders_.layout().row(words[i]))];
            if (level == source.codes.missing()) table_.mark_missing();
            add_row(words[i], node, 1.0,
                    level == source.codes.missing() ? table_.missing() : table_.sums_of(level));
        }
    });
    table_.finish();
}

template class SplitSearch<std::uint32_t>;
template class SplitSearch<std::uint64_t>;

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
