#include "tree/level_search.hpp"

#include <algorithm>
#include <numeric>

namespace heldout {

void LevelTable::start(std::size_t n_levels, std::size_t width) {
    for (const auto level : levels_) slot_of_level_[level] = kAbsent;
    if (slot_of_level_.size() < n_levels) slot_of_level_.resize(n_levels, kAbsent);
    levels_.clear();
    slot_.clear();
    sums_.clear();
    width_ = width;
    has_missing_ = false;
    missing_.assign(width, 0.0);
}

double* LevelTable::sums_of(std::uint32_t level) {
    auto& slot = slot_of_level_[level];
    if (slot == kAbsent) {
        slot = static_cast<std::uint32_t>(levels_.size());
        levels_.push_back(level);
        sums_.resize(sums_.size() + width_, 0.0);
    }
    return sums_.data() + slot * width_;
}

void LevelTable::take_dense(const std::vector<double>& sums) {
    const auto n_levels = static_cast<std::uint32_t>(sums.size() / width_ - 1);
    const auto occurs = [&](std::uint32_t level) {
        const auto first = sums.begin() + static_cast<std::ptrdiff_t>(level * width_);
        return std::any_of(first, first + static_cast<std::ptrdiff_t>(width_),
                           [](double x) { return x > 0; });
    };
    for (std::uint32_t level = 0; level < n_levels; ++level)
        if (occurs(level)) std::copy_n(sums.data() + level * width_, width_, sums_of(level));
    if (!occurs(n_levels)) return;
    mark_missing();
    std::copy_n(sums.data() + n_levels * width_, width_, missing());
}

void LevelTable::finish() {
    std::sort(levels_.begin(), levels_.end());
    slot_.resize(levels_.size());
    for (std::size_t index = 0; index < levels_.size(); ++index) {
        slot_[index] = slot_of_level_[levels_[index]];
        slot_of_level_[levels_[index]] = static_cast<std::uint32_t>(index);
    }
}

namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

void add(std::vector<double>& to, const double* sums) {
    for (std::size_t k = 0; k < to.size(); ++k) to[k] += sums[k];
}

void subtract(std::vector<double>& from, const double* sums) {
    for (std::size_t k = 0; k < from.size(); ++k) from[k] -= sums[k];
}

}  // namespace

double entropy_of_shares(double first_share) {
    return -x_log2_x(first_share) - x_log2_x(1 - first_share);
}

double entropy_of_shares(double first_share, double second_share) {
    return -x_log2_x(first_share) - x_log2_x(second_share) - x_log2_x(1 - first_share - second_share);
}

void LevelSearch::add_totals(const LevelTable& table, double slack) {
    known_.assign(impurity_.width(), 0.0);
    for (std::size_t index = 0; index < table.size(); ++index) add(known_, table.sums(index));
    whole_ = known_;
    add(whole_, table.missing_sums());
    node_weight_ = impurity_.weight(whole_.data());
    node_quality_ = impurity_.quality(splits_missing_ ? known_.data() : whole_.data());
    slack_ = slack * node_weight_;
}

LevelSplit LevelSearch::search(const LevelTable& table, LevelSplits splits, bool is_regression,
                               double slack) {
    if (table.size() < 2) return {};
    add_totals(table, slack);
    switch (splits) {
        case LevelSplits::kMultiway:
            return multiway(table);
        case LevelSplits::kOneVsRest:
            return one_vs_rest(table);
        default:
            return best_subset(table, is_regression);
    }
}

std::size_t LevelSearch::heaviest(const LevelTable& table) const {
    std::size_t heaviest = 0;
    for (std::size_t index = 1; index < table.size(); ++index)
        if (is_heavier(impurity_.weight(table.sums(index)), impurity_.weight(table.sums(heaviest))))
            heaviest = index;
    return heaviest;
}

LevelSplit LevelSearch::multiway(const LevelTable& table) {
    const bool places_missing = table.has_missing() && !splits_missing_;
    const std::size_t with_missing = places_missing ? heaviest(table) : table.size();
    double quality = 0, split_info = 0;
    if (splits_missing_) split_info -= x_log2_x(impurity_.weight(table.missing_sums()) / node_weight_);
    std::size_t n_large = 0;
    for (std::size_t index = 0; index < table.size(); ++index) {
        const double* sums = table.sums(index);
        if (index == with_missing) {
            placed_.assign(sums, sums + impurity_.width());
            add(placed_, table.missing_sums());
            sums = placed_.data();
        }
        const double weight = impurity_.weight(sums);
        quality += impurity_.quality(sums);
        split_info -= x_log2_x(weight / node_weight_);
        n_large += weight >= min_leaf_;
    }
    if (n_large < 2) return {};
    return {gain_of(quality), split_info, {}, false};
}

double LevelSearch::pair_quality(const LevelTable& table, const double* left, const double* right,
                                 bool ties_go_left) {
    const double known_left = impurity_.weight(left), known_right = impurity_.weight(right);
    missing_left_ = ties_go_left ? !is_heavier(known_right, known_left) : is_heavier(known_left, known_right);
    if (table.has_missing() && !splits_missing_) {
        placed_.assign(table.missing_sums(), table.missing_sums() + impurity_.width());
        add(placed_, missing_left_ ? left : right);
        (missing_left_ ? left : right) = placed_.data();
    }
    const double left_weight = impurity_.weight(left), right_weight = impurity_.weight(right);
    if (left_weight < min_leaf_ || right_weight < min_leaf_) return kNone;
    pair_info_ = splits_missing_ ? entropy_of_shares(left_weight / node_weight_, right_weight / node_weight_)
                                 : entropy_of_shares(left_weight / (left_weight + right_weight));
    return impurity_.quality(left) + impurity_.quality(right);
}

LevelSplit LevelSearch::one_vs_rest(const LevelTable& table) {
    LevelSplit best;
    double best_quality = kNone;
    for (std::size_t index = 0; index < table.size(); ++index) {
        right_ = known_;
        subtract(right_, table.sums(index));
        const double quality = pair_quality(table, table.sums(index), right_.data(), true);
        if (quality > best_quality + slack_) {
            best_quality = quality;
            best = {gain_of(quality), pair_info_, {index}, missing_left_};
        }
    }
    return best;
}

void LevelSearch::try_prefixes(const LevelTable& table, const std::vector<std::size_t>& order,
                               LevelSplit& best, double& best_quality) {
    left_.assign(impurity_.width(), 0.0);
    right_ = known_;
    bool has_lowest = false;
    for (std::size_t n_left = 1; n_left < order.size(); ++n_left) {
        add(left_, table.sums(order[n_left - 1]));
        subtract(right_, table.sums(order[n_left - 1]));
        has_lowest |= order[n_left - 1] == 0;
        const double quality = pair_quality(table, left_.data(), right_.data(), has_lowest);
        if (!(quality > best_quality + slack_)) continue;
        best_quality = quality;
        best.gain = gain_of(quality);
        best.split_info = pair_info_;
        best.missing_first = missing_left_;
        best.first_side.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n_left));
    }
}

// Two classes and regression: the best of all subsets is a prefix of the levels sorted by their mean
// (Breiman et al. 1984). More classes: the best prefix over one such order for each class.
LevelSplit LevelSearch::best_subset(const LevelTable& table, bool is_regression) {
    LevelSplit best;
    double best_quality = kNone;
    std::vector<std::size_t> order(table.size());
    std::vector<double> mean(table.size());
    const std::size_t n_orders = is_regression || impurity_.width() == 2 ? 1 : impurity_.width();
    for (std::size_t k = 0; k < n_orders; ++k) {
        const std::size_t column = n_orders == 1 ? 1 : k;
        for (std::size_t index = 0; index < table.size(); ++index)
            mean[index] = table.sums(index)[column] / impurity_.weight(table.sums(index));
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return mean[a] < mean[b]; });
        try_prefixes(table, order, best, best_quality);
    }
    if (!best.is_admissible()) return best;

    // The set names the lighter side, so that everything unnamed goes with most of the rows.
    std::sort(best.first_side.begin(), best.first_side.end());
    std::vector<std::size_t> other_side;
    double first_weight = 0, other_weight = 0;
    for (std::size_t index = 0; index < table.size(); ++index) {
        const bool is_first = std::binary_search(best.first_side.begin(), best.first_side.end(), index);
        (is_first ? first_weight : other_weight) += impurity_.weight(table.sums(index));
        if (!is_first) other_side.push_back(index);
    }
    const bool is_lighter = is_heavier(first_weight, other_weight) ||
                            (!is_heavier(other_weight, first_weight) && other_side.front() == 0);
    if (is_lighter) {
        best.first_side = std::move(other_side);
        best.missing_first = !best.missing_first;
    }
    return best;
}

}  // namespace heldout
