#pragma once

#include <cmath>

namespace heldout {

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
