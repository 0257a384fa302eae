#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace heldout {

// All rows in an order of which every stretch is an even sample: multiples of a number near the golden
// section, without a common divisor with n.
inline std::vector<std::uint32_t> spread_order(std::size_t n) {
    auto stride = static_cast<std::size_t>(static_cast<double>(n) * 0.6180339887498949);
    while (stride == 0 || std::gcd(stride, n) != 1) ++stride;
    std::vector<std::uint32_t> order(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<std::uint32_t>(i * stride % n);
    return order;
}

}  // namespace heldout
