#include "forest/tree_grower.hpp"

#include <algorithm>
#include <limits>

#include "base/processor.hpp"
#include "base/require.hpp"
#include "forest/words.hpp"

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

TreeGrower::TreeGrower(const ForestData& data, const EntropyTable& entropies,
                       std::span<const double> min_leafs)
    : data_(data),
      problem_(data.problem()),
      min_leafs_(min_leafs.begin(), min_leafs.end()),
      search_(data, entropies),
      is_avx512_(has_avx512()),
      scratch_(problem_.n_rows) {
    words_.reserve(problem_.n_rows);
}

std::vector<Forest> TreeGrower::grow(std::uint64_t tree, std::span<const double> bag_weights) {
    trees_.assign(min_leafs_.size(), {});
    for (auto& growing : trees_) {
        growing.n_outputs = problem_.is_regression() ? 1 : problem_.n_classes;
        growing.importance.assign(problem_.columns.size(), 0.0);
    }
    node_indices_.clear();
    fill_bag(tree, bag_weights);
    grow_root(key_of_tree(data_.options().bag, tree));
    while (!stack_.empty()) {
        const OpenNode open = stack_.back();
        stack_.pop_back();
        visit(open);
    }
    std::vector<Forest> forests;
    for (const auto& growing : trees_) forests.push_back(finish_tree(growing, data_));
    return forests;
}

void TreeGrower::fill_bag(std::uint64_t tree, std::span<const double> bag_weights) {
    const auto counts = bag_of_tree(data_.options().bag, tree, problem_.n_rows, bag_weights);
    const bool is_counted = data_.can_count() && std::ranges::max(counts) <= WordBits::kMostTimes;
    measure_ = {};
    words_.clear();
    if (is_counted) {
        measure_.bits = data_.counted_bits();
        for (std::uint32_t row = 0; row < counts.size(); ++row)
            if (counts[row] > 0)
                words_.push_back(row << measure_.bits.stat_bits |
                                 measure_.bits.stat(counts[row], problem_.classes[row]));
        return;
    }
    weights_.resize(problem_.n_rows);
    for (std::uint32_t row = 0; row < counts.size(); ++row) {
        if (counts[row] > 0) words_.push_back(row);
        weights_[row] = counts[row] * problem_.weight(row);
    }
    measure_.weights = weights_.data();
}

void TreeGrower::grow_root(std::uint64_t key) {
    const auto n = static_cast<std::uint32_t>(words_.size());
    const OpenNode above{0, n, -1, key, 0, trees_.size(), 0};
    ends_.assign(1, n);
    sum_children(above);
    add_child(above, 0, -1);
    if (!stack_.empty()) stack_.back().key = key;
}

AnyNode TreeGrower::view(const OpenNode& open) const {
    const auto& tree = trees_[open.first_setting];
    const std::int32_t index = node_indices_[open.indices];
    const auto& node = tree.nodes[index];
    const double mean = problem_.is_regression() ? tree.values[index] : 0;
    return {{words_.data() + open.begin, open.n}, measure_, node.weight, mean, node.impurity,
            min_leafs_[open.first_setting]};
}

void TreeGrower::visit(OpenNode open) {
    const AnyNode node = view(open);
    const auto& tree = trees_[open.first_setting];
    const std::span values(tree.values.data() + node_indices_[open.indices] * tree.n_outputs, tree.n_outputs);
    const auto choice = search_.find(node, values, open.key);
    if (!choice) {
        // A larger min_leaf may leave a node with other columns, of which one gains enough.
        if (problem_.options.min_gain > -std::numeric_limits<double>::infinity() && open.n_settings > 1)
            stack_.push_back({open.begin, open.n, open.depth, open.key, open.first_setting + 1,
                              open.n_settings - 1, open.indices + 1});
        return;
    }
    const bool is_category = problem_.columns[choice->column].is_category();
    const GrowingNode split = is_category ? cut_levels(open, node, *choice) : cut_numbers(open, *choice);
    sum_children(open);
    const std::size_t n_kept = count_satisfied(open);
    if (n_kept < open.n_settings) part_from(open, n_kept);
    open.n_settings = n_kept;
    write_split(open, split, *choice);
}

GrowingNode TreeGrower::cut_numbers(const OpenNode& open, const NodeSplit& choice) {
    const std::uint32_t missing = problem_.columns[choice.column].codes.missing();
    const WordCut cut{data_.codes(), measure_.bits, choice.column, choice.code, missing, choice.missing_left};
    const WordParts parts =
        partition_words(words_of(open), cut, scratch_.data(), data_.has_missing(choice.column), is_avx512_);
    ends_ = {open.begin + static_cast<std::uint32_t>(parts.n_left), open.begin + open.n};
    branch_levels_.clear();
    GrowingNode split;
    split.kind = SplitKind::kThreshold;
    split.code_below = parts.highest_left;
    split.code_above = parts.lowest_right;
    // Where nothing is missing, the heavier side will take what may come; it is known when both are added up.
    if (parts.has_missing) split.default_child = choice.missing_left ? 0 : 1;
    return split;
}

GrowingNode TreeGrower::cut_levels(const OpenNode& open, const AnyNode& node, const NodeSplit& choice) {
    auto& any = search_.any();
    const LevelSplit level_split = any.level_split(choice.column, node);
    const LevelTable& table = any.levels();
    const bool is_multiway = problem_.options.level_splits == LevelSplits::kMultiway;
    GrowingNode split;
    split.kind = is_multiway ? SplitKind::kMultiway : SplitKind::kLevelSet;
    split.default_child = is_multiway                 ? static_cast<std::int32_t>(any.heaviest_level())
                          : level_split.missing_first ? 0
                                                      : 1;
    std::vector<std::uint32_t> child_of_level(table.size(), 1);
    branch_levels_.clear();
    set_levels_.clear();
    if (is_multiway) {
        for (std::size_t index = 0; index < table.size(); ++index) {
            child_of_level[index] = static_cast<std::uint32_t>(index);
            branch_levels_.push_back(static_cast<std::int32_t>(table.level(index)));
        }
    }
    for (const auto index : level_split.first_side) {
        child_of_level[index] = 0;
        set_levels_.push_back(static_cast<std::int32_t>(table.level(index)));
    }
    ends_.assign(is_multiway ? table.size() : 2, 0);
    branch_words(open, child_of_level, choice.column, static_cast<std::uint32_t>(split.default_child));
    return split;
}

// Brings the words of each child together, in their order; ends_ has as many entries as there are children.
void TreeGrower::branch_words(const OpenNode& open, std::span<const std::uint32_t> child_of_level,
                              std::size_t column, std::uint32_t missing_child) {
    const LevelTable& table = search_.any().levels();
    const std::uint32_t missing = problem_.columns[column].codes.missing();
    const std::size_t stride = data_.codes().row_stride();
    const auto words = words_of(open);
    branch_.resize(open.n);
    data_.codes().visit(column, [&](const auto* codes) {
        for (std::size_t i = 0; i < open.n; ++i) {
            const std::uint32_t level = codes[measure_.row(words[i]) * stride];
            branch_[i] = level == missing ? missing_child : child_of_level[table.index_of(level)];
            ++ends_[branch_[i]];
        }
    });
    std::vector<std::uint32_t> begins;
    std::uint32_t begin = 0;
    for (auto& end : ends_) {
        begins.push_back(begin);
        begin += end;
        end = open.begin + begin;
    }
    for (std::size_t i = 0; i < open.n; ++i) scratch_[begins[branch_[i]]++] = words[i];
    std::copy_n(scratch_.begin(), open.n, words.begin());
}

void TreeGrower::sum_children(const OpenNode& open) {
    const std::size_t n_outputs = trees_.front().n_outputs;
    sums_.resize(ends_.size());
    values_.resize(ends_.size() * n_outputs);
    std::uint32_t begin = open.begin;
    for (std::size_t child = 0; child < ends_.size(); ++child) {
        const std::span<const std::uint32_t> words(words_.data() + begin, ends_[child] - begin);
        sums_[child] = sum_rows(problem_, measure_, words, {values_.data() + child * n_outputs, n_outputs});
        begin = ends_[child];
    }
}

// How many of the settings the split satisfies: two branches hold their min_leaf.
std::size_t TreeGrower::count_satisfied(const OpenNode& open) const {
    if (open.n_settings == 1) return 1;
    double largest = 0, second = 0;
    for (const auto& sums : sums_) {
        second = std::max(second, std::min(largest, sums.weight));
        largest = std::max(largest, sums.weight);
    }
    std::size_t n_satisfied = 1;
    while (n_satisfied < open.n_settings && second >= min_leafs_[open.first_setting + n_satisfied])
        ++n_satisfied;
    return n_satisfied;
}

// The settings after the first so many go their own way, with the words as they were: rows ascend.
void TreeGrower::part_from(const OpenNode& open, std::size_t n_kept) {
    const auto begin = static_cast<std::uint32_t>(words_.size());
    require(words_.size() + open.n < std::size_t{1} << 32, "too many rows for so many min_leaf at once");
    words_.resize(words_.size() + open.n);
    std::copy_n(words_.begin() + open.begin, open.n, words_.begin() + begin);
    std::sort(words_.begin() + begin, words_.end());
    stack_.push_back({begin, open.n, open.depth, open.key, open.first_setting + n_kept,
                      open.n_settings - n_kept, open.indices + n_kept});
}

void TreeGrower::write_split(const OpenNode& open, GrowingNode split, const NodeSplit& choice) {
    if (split.default_child < 0) split.default_child = is_heavier(sums_[1].weight, sums_[0].weight) ? 1 : 0;
    for (std::size_t setting = 0; setting < open.n_settings; ++setting) {
        auto& tree = trees_[open.first_setting + setting];
        auto& node = tree.nodes[node_indices_[open.indices + setting]];
        node.feature = static_cast<std::int32_t>(choice.column);
        node.kind = split.kind;
        node.code_below = split.code_below;
        node.code_above = split.code_above;
        node.default_child = split.default_child;
        node.first_child = static_cast<std::int32_t>(tree.nodes.size());
        node.n_children = static_cast<std::int32_t>(ends_.size());
        tree.importance[choice.column] += choice.gain * node.weight;
        if (split.kind != SplitKind::kLevelSet) continue;
        node.set_begin = static_cast<std::int32_t>(tree.set_levels.size());
        tree.set_levels.insert(tree.set_levels.end(), set_levels_.begin(), set_levels_.end());
        node.set_end = static_cast<std::int32_t>(tree.set_levels.size());
    }
    for (std::size_t child = 0; child < ends_.size(); ++child)
        add_child(open, child, branch_levels_.empty() ? -1 : branch_levels_[child]);
}

// Adds a child to the tree of every setting, and leaves it open for those that may split it.
void TreeGrower::add_child(const OpenNode& open, std::size_t child, std::int32_t branch_level) {
    const NodeSums& sums = sums_[child];
    GrowingNode node;
    node.branch_level = branch_level;
    node.weight = sums.weight;
    node.impurity = sums.impurity;
    const std::uint32_t begin = child == 0 ? open.begin : ends_[child - 1];
    const std::uint32_t n = ends_[child] - begin;
    const std::int64_t depth = open.depth + 1;
    const auto max_depth = problem_.options.max_depth;
    const bool may_split = sums.is_mixed && n > 1 && (max_depth < 0 || depth < max_depth);
    const std::size_t indices = node_indices_.size();
    std::size_t n_open = 0;
    for (std::size_t setting = 0; setting < open.n_settings; ++setting) {
        auto& tree = trees_[open.first_setting + setting];
        const auto index = static_cast<std::int32_t>(tree.nodes.size());
        tree.nodes.push_back(node);
        const auto value = values_.begin() + static_cast<std::ptrdiff_t>(child * tree.n_outputs);
        tree.values.insert(tree.values.end(), value, value + static_cast<std::ptrdiff_t>(tree.n_outputs));
        if (!may_split || node.weight < 2 * min_leafs_[open.first_setting + setting]) continue;
        node_indices_.push_back(index);
        ++n_open;
    }
    if (n_open > 0)
        stack_.push_back(
            {begin, n, depth, key_of_part(open.key, child), open.first_setting, n_open, indices});
}

}  // namespace heldout
