#include "tree/level_table.hpp"

#include <algorithm>

namespace heldout {

void LevelTable::start(std::size_t n_levels, std::size_t width) {
    for (const auto level : levels_) slot_of_level_[level] = kAbsent;
    if (slot_of_level_.size() < n_levels) slot_of_level_.resize(n_levels, kAbsent);
    levels_.clear();
    slot_.clear();
    sums_.clear();
    width_ = width;
    has_unknown_ = false;
    unknown_.assign(width, 0.0);
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
    mark_unknown();
    std::copy_n(sums.data() + n_levels * width_, width_, unknown());
}

void LevelTable::finish() {
    std::sort(levels_.begin(), levels_.end());
    slot_.resize(levels_.size());
    for (std::size_t index = 0; index < levels_.size(); ++index) {
        slot_[index] = slot_of_level_[levels_[index]];
        slot_of_level_[levels_[index]] = static_cast<std::uint32_t>(index);
    }
}

}  // namespace heldout
