#include "forest/node_search.hpp"

#include <algorithm>
#include <cmath>

#include "forest/column_cut.hpp"
#include "tree/split_search.hpp"

namespace heldout {

NodeSearch::NodeSearch(const ForestData& data, const EntropyTable& entropies)
    : data_(data),
      problem_(data.problem()),
      is_two_classes_(problem_.n_classes == 2 && problem_.options.criterion == Criterion::kGini),
      is_entropy_(problem_.options.criterion == Criterion::kEntropy),
      draw_(problem_.columns.size(), data.options().max_features),
      any_(data),
      counts_(problem_.n_classes) {
    if (!data.can_count()) return;
    if (is_two_classes_)
        two_.emplace(data);
    else if (is_entropy_)
        entropy_.emplace(data, entropies);
    else
        gini_.emplace(data, entropies);
}

void NodeSearch::count(const AnyNode& node, std::span<const double> values) {
    const auto total = static_cast<std::uint32_t>(node.weight);
    const auto smallest = static_cast<std::uint32_t>(std::max(1.0, std::ceil(node.min_leaf)));
    for (std::size_t k = 0; k < values.size(); ++k) counts_[k] = static_cast<std::uint32_t>(values[k]);
    if (is_two_classes_) {
        counted_ = {node.words, total, counts_[1], smallest};
        largest_gain_ = 2.0 * counts_[0] * counts_[1] / (double{1} * total * total) * (1 - 1e-12);
    } else {
        classes_ = {node.words, counts_, total, smallest};
    }
}

NodeSplit NodeSearch::look_at(std::size_t column, const AnyNode& node, double floor) {
    NodeSplit split{column};
    if (problem_.columns[column].is_category()) {
        split.gain = any_.level_split(column, node).gain;
        return split;
    }
    const bool can_count = node.measure.is_counted() && !data_.has_missing(column);
    ColumnCut cut;
    if (!can_count)
        cut = any_.best_cut(column, node);
    else if (is_two_classes_)
        cut = two_->best_cut(column, counted_, floor);
    else
        cut = is_entropy_ ? entropy_->best_cut(column, classes_, floor)
                          : gini_->best_cut(column, classes_, floor);
    if (!cut.is_found()) return split;
    split.code = cut.code;
    split.missing_left = cut.missing_left;
    if (!can_count)
        split.gain = cut.quality;
    else if (is_two_classes_)
        split.gain = TwoClassSearch::gain(cut.quality, counted_);
    else
        split.gain = is_entropy_ ? entropy_->gain(cut.quality, classes_) : gini_->gain(cut.quality, classes_);
    return split;
}

// Nothing gains more than a split into pure branches.
bool NodeSearch::is_perfect(const NodeSplit& split, const AnyNode& node) const {
    return node.measure.is_counted() && is_two_classes_ && split.gain >= largest_gain_;
}

std::optional<NodeSplit> NodeSearch::find(const AnyNode& node, std::span<const double> values,
                                          std::uint64_t key) {
    if (node.measure.is_counted()) count(node, values);
    const double slack = gain_slack(problem_, node.impurity);
    const GainGrid grid(slack);
    draw_.start(key);
    NodeSplit best;
    bool is_found = false;
    for (std::size_t n_seen = 0; !draw_.is_empty(); ++n_seen) {
        if (is_found && n_seen >= data_.options().max_features) break;
        const NodeSplit split = look_at(draw_.next(), node, best.gain);
        if (!(split.gain > -std::numeric_limits<double>::infinity())) continue;
        if (is_found && !(grid.step(split.gain) > grid.step(best.gain))) continue;
        best = split;
        is_found = true;
        if (is_perfect(best, node)) break;
    }
    if (!is_found || !(best.gain > problem_.options.min_gain + slack)) return std::nullopt;
    return best;
}

}  // namespace heldout
