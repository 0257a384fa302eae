#pragma once

#include <cmath>

namespace heldout {

// Halfway between two neighboring values; where that is not below the upper one, the lower one itself.
inline double threshold_between(double lower, double upper) {
    const double middle = lower / 2 + upper / 2;
    return std::isfinite(middle) && middle >= lower && middle < upper ? middle : lower;
}

}  // namespace heldout
