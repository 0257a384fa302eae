#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heldout {

// The numbers below n in an order that depends on the seed and the epoch alone.
void shuffle_epoch(std::uint64_t seed, std::uint64_t epoch, std::vector<std::uint32_t>& order);

}  // namespace heldout
