#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace heldout {

__extension__ using Wide = unsigned __int128;

// The double nearest to a quotient of whole numbers, whatever their size; the divisor is not 0.
inline double exact_ratio(std::uint64_t dividend, std::uint64_t divisor) {
    constexpr std::uint64_t kMostExact = std::uint64_t{1} << 53;
    if (dividend <= kMostExact && divisor <= kMostExact)
        return static_cast<double>(dividend) / static_cast<double>(divisor);
    if (dividend == 0) return 0;
    const int shift = 64 + std::countl_zero(dividend);
    const Wide shifted = Wide{dividend} << shift;
    // At least 63 digits, the last of which says whether more would follow: one rounding is left to do.
    const Wide quotient = shifted / divisor | (shifted % divisor != 0);
    return std::ldexp(static_cast<double>(quotient), -shift);
}

}  // namespace heldout
