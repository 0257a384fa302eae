#include "forest/any_column.hpp"

#include <algorithm>

#include "forest/column_cut.hpp"
#include "forest/sort_keys.hpp"
#include "tree/split_search.hpp"

namespace heldout {

AnyColumnSearch::AnyColumnSearch(const ForestData& data)
    : data_(data),
      problem_(data.problem()),
      impurity_(problem_.options.criterion, problem_.n_classes),
      level_search_(impurity_, 0) {}

double AnyColumnSearch::slack(const AnyNode& node) const {
    return gain_slack(problem_, node.impurity);
}

void AnyColumnSearch::add_row(std::uint32_t word, const AnyNode& node, double sign, double* sums) const {
    const double weight = sign * node.measure.weight(word);
    const std::uint32_t row = node.measure.row(word);
    if (problem_.is_regression()) {
        sums[0] += weight;
        sums[1] += weight * (problem_.targets[row] - node.mean);
    } else {
        sums[problem_.classes[row]] += weight;
    }
}

// Keys (code, position in the node) of the rows whose value is known, in order; the others go to missing_.
std::size_t AnyColumnSearch::sort_known(std::size_t column, const AnyNode& node) {
    if (keys_.size() < node.words.size() + kSortRoom) {
        keys_.resize(node.words.size() + kSortRoom);
        scratch_.resize(keys_.size());
    }
    missing_.clear();
    const std::size_t stride = data_.codes().row_stride();
    const std::uint32_t missing = problem_.columns[column].codes.missing();
    std::size_t n_known = 0;
    data_.codes().visit(column, [&](const auto* codes) {
        for (std::size_t i = 0; i < node.words.size(); ++i) {
            const std::uint64_t code = codes[node.measure.row(node.words[i]) * stride];
            if (code == missing)
                missing_.push_back(node.words[i]);
            else
                keys_[n_known++] = code << 32 | i;
        }
    });
    sort_keys(keys_.data(), n_known, scratch_.data());
    return n_known;
}

ColumnCut AnyColumnSearch::best_cut(std::size_t column, const AnyNode& node) {
    const std::size_t n_known = sort_known(column, node);
    if (n_known < 2 || keys_[0] >> 32 == keys_[n_known - 1] >> 32) return {};
    const bool is_lean = problem_.is_regression() && missing_.empty();
    return is_lean ? cut_targets(node, n_known) : cut_any(node, n_known);
}

// All values known: what is not on the left is on the right, and the sum of the centred targets is 0 but for
// rounding.
ColumnCut AnyColumnSearch::cut_targets(const AnyNode& node, std::size_t n) {
    const double smallest = node.min_leaf;
    const GainGrid grid(slack(node) * node.weight);
    double total = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t word = node.words[keys_[i] & 0xffffffffU];
        total += node.measure.weight(word) * (problem_.targets[node.measure.row(word)] - node.mean);
    }
    double left = 0, left_sum = 0, best_step = -std::numeric_limits<double>::infinity();
    ColumnCut best;
    for (std::size_t i = 0; i + 1 < n; ++i) {
        const std::uint32_t word = node.words[keys_[i] & 0xffffffffU];
        const double weight = node.measure.weight(word);
        left += weight;
        left_sum += weight * (problem_.targets[node.measure.row(word)] - node.mean);
        if (keys_[i] >> 32 == keys_[i + 1] >> 32) continue;
        const double right = node.weight - left, right_sum = total - left_sum;
        if (left < smallest || right < smallest || !(right > 0)) continue;
        const double quality = left_sum * left_sum / left + right_sum * right_sum / right;
        if (!(grid.step(quality) > best_step)) continue;
        best_step = grid.step(quality);
        best.quality = (quality - total * total / node.weight) / node.weight;
        best.code = static_cast<std::uint32_t>(keys_[i] >> 32);
        best.missing_left = !is_heavier(right, left);
    }
    return best;
}

ColumnCut AnyColumnSearch::cut_any(const AnyNode& node, std::size_t n_known) {
    const double smallest = node.min_leaf;
    const GainGrid grid(slack(node) * node.weight);
    left_.assign(impurity_.width(), 0.0);
    right_ = beside_ = left_;
    for (std::size_t i = 0; i < n_known; ++i)
        add_row(node.words[keys_[i] & 0xffffffffU], node, 1, right_.data());
    for (const auto word : missing_) add_row(word, node, 1, beside_.data());
    placed_ = right_;
    for (std::size_t k = 0; k < placed_.size(); ++k) placed_[k] += beside_[k];
    const double node_quality = impurity_.quality(placed_.data());
    double best_step = -std::numeric_limits<double>::infinity();
    ColumnCut best;
    for (std::size_t i = 0; i + 1 < n_known; ++i) {
        const std::uint32_t word = node.words[keys_[i] & 0xffffffffU];
        add_row(word, node, 1, left_.data());
        add_row(word, node, -1, right_.data());
        if (keys_[i] >> 32 == keys_[i + 1] >> 32) continue;
        const double* left = left_.data();
        const double* right = right_.data();
        const bool goes_left = !is_heavier(impurity_.weight(right), impurity_.weight(left));
        if (!missing_.empty()) {
            placed_ = goes_left ? left_ : right_;
            for (std::size_t k = 0; k < placed_.size(); ++k) placed_[k] += beside_[k];
            (goes_left ? left : right) = placed_.data();
        }
        if (impurity_.weight(left) < smallest || impurity_.weight(right) < smallest) continue;
        const double quality = impurity_.quality(left) + impurity_.quality(right);
        if (!(grid.step(quality) > best_step)) continue;
        best_step = grid.step(quality);
        best.quality = (quality - node_quality) / node.weight;
        best.code = static_cast<std::uint32_t>(keys_[i] >> 32);
        best.missing_left = goes_left;
    }
    return best;
}

LevelSplit AnyColumnSearch::level_split(std::size_t column, const AnyNode& node) {
    const auto& codes = problem_.columns[column].codes;
    table_.start(codes.n_codes(), impurity_.width());
    const std::size_t stride = data_.codes().row_stride();
    data_.codes().visit(column, [&](const auto* first) {
        for (const auto word : node.words) {
            const std::uint32_t level = first[node.measure.row(word) * stride];
            if (level == codes.missing()) table_.mark_missing();
            add_row(word, node, 1, level == codes.missing() ? table_.missing() : table_.sums_of(level));
        }
    });
    table_.finish();
    level_search_.set_min_leaf(node.min_leaf);
    return level_search_.search(table_, problem_.options.level_splits, problem_.is_regression(), slack(node));
}

}  // namespace heldout
