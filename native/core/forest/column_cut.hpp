#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace heldout {

// The best cut of one numeric column: rows whose code is at most `code` go to the first child. Of equally
// good cuts the lowest is taken.
struct ColumnCut {
    double quality = -std::numeric_limits<double>::infinity();  // in the units of whoever searches
    std::uint32_t code = 0;
    bool missing_left = false;

    bool is_found() const { return quality > -std::numeric_limits<double>::infinity(); }
    void improve(double other_quality, std::uint32_t other_code) {
        if (other_quality < quality || (other_quality == quality && other_code >= code)) return;
        quality = other_quality;
        code = other_code;
    }
};

// Gains that differ by rounding alone are one gain: they are brought to multiples of a slack. Unlike
// "better by more than the slack" this orders all of them, so the best of many is also the best of any part
// of them that it is in.
class GainGrid {
  public:
    explicit GainGrid(double slack) : per_step_(slack > std::numeric_limits<double>::min() ? 1 / slack : 0) {}

    // The number of the step. Gains are at most some 1e12 steps, and adding so large a number rounds.
    double step(double gain) const {
        constexpr double kRounds = 0x1.8p52;
        return per_step_ > 0 ? (gain * per_step_ + kRounds) - kRounds : gain;
    }

  private:
    double per_step_;
};

}  // namespace heldout
