#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace heldout {

// For 128 parts of the mantissas: the inverse of a number in the middle, and that number's logarithm.
struct LogPart {
    double inverse;
    double log2;
};
extern const std::array<LogPart, 128> kLogParts;

// The logarithm of a normal positive number, within a few units of 1e-16 of the true one where that is small.
// It is faster than the library's, which is called and not inlined, and it is the same on every processor,
// where the library's may use what this one has.
inline double log2_of(double x) {
    constexpr std::uint64_t kLowest = 0x3fe6a00000000000U;  // mantissas lie around 1, from 0.707 to 1.414
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t shifted = bits - kLowest;
    const auto exponent = static_cast<std::int64_t>(shifted) >> 52;
    const auto& part = kLogParts[(shifted >> 45) & 127];
    const auto mantissa = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(exponent) << 52));
    const double r = mantissa * part.inverse - 1;
    // The series of log(1 + r); r is at most 2^-7.
    const double r2 = r * r;
    const double low = (1.0 - r / 2) + r2 * (1.0 / 3 - r / 4);
    const double high = (1.0 / 5 - r / 6) + r2 * (1.0 / 7);
    constexpr double kPerE = 1.4426950408889634;
    return static_cast<double>(exponent) + part.log2 + kPerE * (r * (low + r2 * r2 * high));
}

}  // namespace heldout
