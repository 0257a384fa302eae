#pragma once

#include <bit>
#include <cstdint>

namespace heldout {

// Maps a number that is not NaN to an unsigned integer of the same order; both zeros become one.
inline std::uint64_t ordered_key(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number + 0.0);
    const auto flipped = static_cast<std::uint64_t>(static_cast<std::int64_t>(bits) >> 63);
    return bits ^ (flipped | std::uint64_t{1} << 63);
}

inline double number_of_key(std::uint64_t key) {
    const auto flipped = static_cast<std::uint64_t>(static_cast<std::int64_t>(~key) >> 63);
    return std::bit_cast<double>(key ^ (flipped | std::uint64_t{1} << 63));
}

}  // namespace heldout
