#include "base/log2.hpp"

#include <cmath>

namespace heldout {
namespace {

constexpr std::uint64_t kLowest = 0x3fe6a00000000000U, kStep = std::uint64_t{1} << 45;
constexpr std::size_t kBelowOne = 74;  // the part that ends at 1; the next one starts there

std::array<LogPart, 128> make_parts() {
    std::array<LogPart, 128> parts;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const double begin = std::bit_cast<double>(kLowest + i * kStep);
        const double end = std::bit_cast<double>(kLowest + (i + 1) * kStep);
        // Next to 1 the middle is 1 itself, so that the logarithm of 1 is 0 and small ones are exact.
        const double inverse = i == kBelowOne || i == kBelowOne + 1 ? 1.0 : 2 / (begin + end);
        parts[i] = {inverse, -std::log2(inverse)};
    }
    return parts;
}

}  // namespace

const std::array<LogPart, 128> kLogParts = make_parts();

}  // namespace heldout
