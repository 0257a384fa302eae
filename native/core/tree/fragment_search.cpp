#include "tree/fragment_search.hpp"

#include <cmath>

namespace heldout {
namespace {

// A node with enough fragments counts into a table with a place for every level.
constexpr std::size_t kCellsPerFragment = 4;

}  // namespace

template <class Word>
FragmentSearch<Word>::FragmentSearch(const Problem& problem, const Orders<Word>& orders)
    : problem_(problem),
      orders_(orders),
      impurity_(problem.options.criterion, problem.n_classes),
      level_search_(impurity_, problem.options.min_leaf, true),
      scan_(problem),
      is_entropy_(problem.options.criterion == Criterion::kEntropy ||
                  problem.options.criterion == Criterion::kGainRatio) {}

template <class Word>
ColumnSplit FragmentSearch<Word>::search(std::size_t column, const FragmentNode<Word>& node,
                                         const NodeView& view) {
    if (!problem_.columns[column].is_category()) return search_numbers(column, node, view);
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
void FragmentSearch<Word>::count_levels(std::size_t column, const FragmentNode<Word>& node,
                                        const NodeView& view) {
    const TreeColumn& source = problem_.columns[column];
    const std::size_t n_levels = source.codes.n_codes(), width = impurity_.width();
    table_.start(n_levels, width);
    source.codes.visit([&](const auto& codes) {
        if ((n_levels + 1) * width <= kCellsPerFragment * node.size()) {
            dense_.assign((n_levels + 1) * width, 0.0);
            for (std::size_t i = 0; i < node.size(); ++i)
                add_fragment(node.rows[i], node.weights[i], view,
                             dense_.data() + codes[problem_.table_row(node.rows[i])] * width);
            table_.take_dense(dense_);
            return;
        }
        for (std::size_t i = 0; i < node.size(); ++i) {
            const std::uint32_t level = codes[problem_.table_row(node.rows[i])];
            const bool is_unknown = level == n_levels;
            if (is_unknown) table_.mark_unknown();
            add_fragment(node.rows[i], node.weights[i], view,
                         is_unknown ? table_.unknown() : table_.sums_of(level));
        }
    });
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
