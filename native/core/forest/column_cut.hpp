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
    bool unknown_left = false;

    bool is_found() const { return quality > -std::numeric_limits<double>::infinity(); }
    void improve(double other_quality, std::uint32_t other_code) {
        if (other_quality < quality || (other_quality == quality && other_code >= code)) return;
        quality = other_quality;
        code = other_code;
    }
};

}  // namespace heldout
