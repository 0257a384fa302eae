#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "forest/pack.hpp"

namespace heldout {

// The key of a float: keys are ordered as the floats are, both zeros alike. The next float has the next key.
inline std::uint32_t key_of_float(float number) {
    const auto bits = std::bit_cast<std::uint32_t>(number + 0.0F);
    return bits ^ (static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> 31) | 0x80000000U);
}

// The key of a number is that of the first float that is not below it: a threshold that is a float lies
// below both or below none.
inline std::uint32_t key_of_number(double number) {
    const auto nearest = static_cast<float>(number);
    const std::uint32_t key = key_of_float(nearest) + static_cast<std::uint32_t>(nearest < number);
    return number == number ? key : kUnknownKey;
}

// The key of a number that is known by how many thresholds lie below it.
std::uint32_t rank_of(const std::vector<double>& thresholds, double number);

// The key of a threshold of the column.
inline std::uint32_t key_of_threshold(const KeyColumn& column, double threshold) {
    return column.is_exact ? key_of_float(static_cast<float>(threshold))
                           : rank_of(column.thresholds, threshold);
}

// Writes the keys of rows, n x stride: those of `chosen`, or n from `first` on where that is null. Tells
// whether one of them is unknown.
bool write_keys(const PackedForest& forest, const Rows& rows, const std::uint32_t* chosen, std::size_t first,
                std::size_t n, std::uint32_t* keys);

// The same for one column; the keys are `stride` apart.
bool write_column_keys(const KeyColumn& column, const Rows& rows, const std::uint32_t* chosen,
                       std::size_t first, std::size_t n, std::size_t stride, std::uint32_t* keys);

}  // namespace heldout
