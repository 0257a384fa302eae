#include "linear/shuffle.hpp"

#include <numeric>
#include <utility>

#include "base/stream.hpp"

namespace heldout {

void shuffle_epoch(std::uint64_t seed, std::uint64_t epoch, std::vector<std::uint32_t>& order) {
    std::iota(order.begin(), order.end(), 0U);
    Stream stream(key_of_part(seed, epoch));
    for (std::size_t n_left = order.size(); n_left > 1; --n_left)
        std::swap(order[n_left - 1], order[stream.below(n_left)]);
}

}  // namespace heldout
