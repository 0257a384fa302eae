#include "tree/fragment_search.hpp"

#include <cmath>
#include <limits>

namespace heldout {

JointCodes::JointCodes(const Problem& problem) : codes_(problem.columns.size()) {
    if (problem.is_regression()) return;
    for (std::size_t column = 0; column < problem.columns.size(); ++column) {
        const auto& source = problem.columns[column];
        const std::size_t n_cells = (source.codes.n_codes() + std::size_t{1}) * problem.n_classes;
        if (!source.is_category() || n_cells > std::numeric_limits<std::uint16_t>::max()) continue;
        codes_[column].resize(problem.n_rows);
        for (std::size_t row = 0; row < problem.n_rows; ++row)
            codes_[column][row] = static_cast<std::uint16_t>(
                source.codes[problem.table_row(row)] * problem.n_classes + problem.classes[row]);
    }
}

namespace {

// A node with enough fragments counts into a table with a cell for every level and class.
constexpr std::size_t kCellsPerFragment = 4;
constexpr std::size_t kFewClasses = 32;

}  // namespace

template <class Word>
FragmentSearch<Word>::FragmentSearch(const Problem& problem, const Orders<Word>& orders,
                                     const JointCodes& joint_codes)
    : problem_(problem),
      orders_(orders),
      joint_codes_(joint_codes),
      impurity_(problem.options.criterion, problem.n_classes),
      level_search_(impurity_, problem.options.min_leaf, true),
      scan_(problem),
      is_entropy_(problem.options.criterion == Criterion::kEntropy ||
                  problem.options.criterion == Criterion::kGainRatio) {}

template <class Word>
ColumnSplit FragmentSearch<Word>::search(std::size_t column, const FragmentNode<Word>& node,
                                         const NodeView& view) {
    if (!problem_.columns[column].is_category()) return search_numbers(column, node, view);
    if (is_entropy_ && problem_.has_multiway() && counts_densely(column, node)) {
        count_densely(column, node, view);
        return dense_branches(column, view);
    }
    const LevelSplit split = level_split(column, node, view);
    return {split.gain, split.split_info};
}

template <class Word>
LevelSplit FragmentSearch<Word>::level_split(std::size_t column, const FragmentNode<Word>& node,
                                             const NodeView& view) {
    count_levels(column, node, view);
    return level_search_.search(table_, problem_.options.level_splits, problem_.is_regression(),
                                gain_slack(problem_, view.impurity));
}

template <class Word>
void FragmentSearch<Word>::add_fragment(std::size_t row, double weight, const NodeView& view,
                                        double* sums) const {
    if (problem_.is_regression()) {
        sums[0] += weight;
        sums[1] += weight * view.centre().around(problem_.targets[row]);
    } else {
        sums[problem_.classes[row]] += weight;
    }
}

template <class Word>
bool FragmentSearch<Word>::counts_densely(std::size_t column, const FragmentNode<Word>& node) const {
    const std::size_t n_cells = (problem_.columns[column].codes.n_codes() + 1) * impurity_.width();
    return impurity_.width() <= kFewClasses && n_cells <= kCellsPerFragment * node.size();
}

// The sums of each level, those of missing values last.
template <class Word>
void FragmentSearch<Word>::count_densely(std::size_t column, const FragmentNode<Word>& node,
                                         const NodeView& view) {
    const auto& source = problem_.columns[column].codes;
    const std::size_t width = impurity_.width();
    dense_.assign((source.n_codes() + std::size_t{1}) * width, 0.0);
    if (const auto* joint = joint_codes_.of_column(column)) {
        for (std::size_t i = 0; i < node.size(); ++i) dense_[joint[node.rows[i]]] += node.weights[i];
        return;
    }
    source.visit([&](const auto& codes) {
        for (std::size_t i = 0; i < node.size(); ++i)
            add_fragment(node.rows[i], node.weights[i], view,
                         dense_.data() + codes[problem_.table_row(node.rows[i])] * width);
    });
}

// A branch for each level, by entropy: what LevelSearch finds, without its table.
template <class Word>
ColumnSplit FragmentSearch<Word>::dense_branches(std::size_t column, const NodeView& view) const {
    const std::size_t n_levels = problem_.columns[column].codes.n_codes(), width = impurity_.width();
    double known[kFewClasses] = {}, quality = 0, sizes = 0, known_weight = 0;
    std::size_t n_branches = 0, n_large = 0;
    for (std::size_t level = 0; level < n_levels; ++level) {
        const double* sums = dense_.data() + level * width;
        double weight = 0, terms = 0;
        for (std::size_t k = 0; k < width; ++k) {
            weight += sums[k];
            known[k] += sums[k];
        }
        if (!(weight > 0)) continue;
        for (std::size_t k = 0; k < width; ++k) terms += x_log2_x(sums[k]);
        const double size = x_log2_x(weight);
        quality += terms - size;
        sizes += size;
        known_weight += weight;
        ++n_branches;
        n_large += weight >= problem_.options.min_leaf;
    }
    if (n_branches < 2 || n_large < 2) return {};
    double missing_weight = 0;
    for (std::size_t k = 0; k < width; ++k) missing_weight += dense_[n_levels * width + k];
    const double weight = known_weight + missing_weight;
    const double split_info = log2_of(weight) - (sizes + x_log2_x(missing_weight)) / weight;
    return {(quality - impurity_.quality(known)) / view.weight, split_info};
}

template <class Word>
void FragmentSearch<Word>::count_levels(std::size_t column, const FragmentNode<Word>& node,
                                        const NodeView& view) {
    const TreeColumn& source = problem_.columns[column];
    table_.start(source.codes.n_codes(), impurity_.width());
    if (counts_densely(column, node)) {
        count_densely(column, node, view);
        table_.take_dense(dense_);
    } else {
        source.codes.visit([&](const auto& codes) {
            for (std::size_t i = 0; i < node.size(); ++i) {
                const std::uint32_t level = codes[problem_.table_row(node.rows[i])];
                const bool is_missing = level == source.codes.missing();
                if (is_missing) table_.mark_missing();
                add_fragment(node.rows[i], node.weights[i], view,
                             is_missing ? table_.missing() : table_.sums_of(level));
            }
        });
    }
    table_.finish();
}

template <class Word>
ColumnSplit FragmentSearch<Word>::search_numbers(std::size_t column, const FragmentNode<Word>& node,
                                                 const NodeView& view) {
    const std::size_t index = orders_.index_of(column);
    const std::span<const Word> words(node.order(index), node.n_known[index]);
    const auto& layout = orders_.layout();
    const double least = gain_slack(problem_, view.impurity);
    const auto add = [&](Word word, double sign, double* sums) {
        const std::size_t fragment = layout.row(word);
        add_fragment(node.rows[fragment], sign * node.weights[fragment], view, sums);
    };
    const double slack = least * view.weight;
    const FragmentCut cut = is_entropy_
                                ? scan_.by_entropy(words, layout, node.weights.data(), view.weight, slack)
                                : scan_.by_any(words, slack, add);
    if (cut.position == 0) return {};
    const double gain =
        (cut.quality - cut.known_quality) / view.weight - problem_.charge(cut.n_cuts, view.weight);
    if (problem_.options.numeric_cuts == NumericCuts::kC45 && !(gain > least)) return {};
    const double left_share = cut.left_weight / view.weight;
    const double right_share = (cut.known_weight - cut.left_weight) / view.weight;
    return {gain, entropy_of_shares(left_share, right_share), cut.position};
}

template class FragmentSearch<std::uint32_t>;
template class FragmentSearch<std::uint64_t>;

}  // namespace heldout
