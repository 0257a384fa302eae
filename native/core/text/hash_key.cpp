#include "text/hash_key.hpp"

#include <random>

namespace heldout {

HashKey drawn_hash_key() {
    std::random_device device;
    const auto draw = [&] { return std::uint64_t{device()} << 32 | device(); };
    const std::uint64_t start = draw();
    return {start, draw() | 1};
}

const HashKey& hash_key() {
    static const HashKey key = drawn_hash_key();
    return key;
}

}  // namespace heldout
