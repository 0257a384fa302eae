#include "base/log2.hpp"

namespace heldout {
namespace {

constexpr std::uint64_t kLowest = 0x3fe6a00000000000U, kStep = std::uint64_t{1} << 45;
constexpr std::size_t kBelowOne = 74;  // the part that ends at 1; the next one starts there

// 2 artanh(z) with z = (x - 1) / (x + 1), which is small: plain arithmetic, the same everywhere.
double log2_by_series(double x) {
    constexpr double kTwicePerE = 2 * 1.4426950408889634;
    const double z = (x - 1) / (x + 1);
    double sum = 0;
    for (int odd = 31; odd >= 1; odd -= 2) sum = sum * z * z + 1.0 / odd;
    return kTwicePerE * z * sum;
}

std::array<LogPart, 128> make_parts() {
    std::array<LogPart, 128> parts;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const double begin = std::bit_cast<double>(kLowest + i * kStep);
        const double end = std::bit_cast<double>(kLowest + (i + 1) * kStep);
        // Next to 1 the middle is 1 itself, so that the logarithm of 1 is 0 and small ones are exact.
        const double inverse = i == kBelowOne || i == kBelowOne + 1 ? 1.0 : 2 / (begin + end);
        parts[i] = {inverse, -log2_by_series(inverse)};
    }
    return parts;
}

}  // namespace

const std::array<LogPart, 128> kLogParts = make_parts();

}  // namespace heldout
