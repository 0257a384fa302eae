#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace heldout {

__extension__ using UInt128 = unsigned __int128;

// The double nearest to a quotient of whole numbers, whatever their size; the divisor is not 0.
inline double exact_ratio(std::uint64_t dividend, std::uint64_t divisor) {
    constexpr std::uint64_t kMostExact = std::uint64_t{1} << 53;
    if (dividend <= kMostExact && divisor <= kMostExact)
        return static_cast<double>(dividend) / static_cast<double>(divisor);
    if (dividend == 0) return 0;
    const int shift = 64 + std::countl_zero(dividend);
    const UInt128 shifted = UInt128{dividend} << shift;
    // At least 63 digits, the last of which says whether more would follow: one rounding is left to do.
    const UInt128 quotient = shifted / divisor | (shifted % divisor != 0);
    return std::ldexp(static_cast<double>(quotient), -shift);
}

// A number as the unrounded sum of two doubles, about 106 digits long.
struct LongNumber {
    double high = 0, low = 0;

    double rounded() const { return high + low; }
};

inline LongNumber exact_sum(double a, double b) {
    const double sum = a + b, of_b = sum - a;
    return {sum, (a - (sum - of_b)) + (b - of_b)};
}

// Veltkamp and Dekker; without fused multiply-add, which not every processor has.
inline LongNumber exact_product(double a, double b) {
    constexpr double kSplitter = 134217729.0;  // 2^27 + 1
    const double a_scaled = kSplitter * a, b_scaled = kSplitter * b;
    const double a_high = a_scaled - (a_scaled - a), b_high = b_scaled - (b_scaled - b);
    const double a_low = a - a_high, b_low = b - b_high, product = a * b;
    return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

inline LongNumber operator+(LongNumber a, LongNumber b) {
    const LongNumber high = exact_sum(a.high, b.high);
    const LongNumber low = exact_sum(a.low, b.low);
    const LongNumber carried = exact_sum(high.high, high.low + low.high);
    return exact_sum(carried.high, carried.low + low.low);
}

inline LongNumber operator+(LongNumber a, double b) {
    const LongNumber high = exact_sum(a.high, b);
    return exact_sum(high.high, high.low + a.low);
}

inline LongNumber operator*(LongNumber a, LongNumber b) {
    const LongNumber high = exact_product(a.high, b.high);
    return exact_sum(high.high, high.low + (a.high * b.low + a.low * b.high));
}

// The quotient, rounded once: a first quotient is mended by what it leaves.
inline double ratio(LongNumber dividend, LongNumber divisor) {
    const double quotient = dividend.high / divisor.high;
    const LongNumber product = divisor * LongNumber{quotient, 0};
    const LongNumber left = dividend + LongNumber{-product.high, -product.low};
    return quotient + left.rounded() / divisor.high;
}

}  // namespace heldout
