#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heldout {

// Sorts keys; small ones by insertion or in the registers of AVX-512, many by their digits. Keys are not all
// ones. `keys` and `scratch` have room for kSortRoom keys more than n.
inline constexpr std::size_t kSortRoom = 256;
void sort_keys(std::uint32_t* keys, std::size_t n, std::uint32_t* scratch, bool is_avx512);
void sort_keys(std::uint64_t* keys, std::size_t n, std::uint64_t* scratch);

// Up to this many keys are sorted in registers.
inline constexpr std::size_t kMostInRegisters = 256;

void sort_keys_avx512(std::uint32_t* keys, std::size_t n);

}  // namespace heldout
