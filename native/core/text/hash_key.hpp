#pragma once

#include <cstdint>

namespace heldout {

// What hashes depend on beside what is hashed. Who writes a text does not know it, and so cannot choose words
// that all have one place in a table, where each would be compared with all others. Which place something has
// decides about nothing but time.
struct HashKey {
    std::uint64_t start;
    std::uint64_t factor;  // odd

    // The hash with eight bytes more: both halves of a product.
    std::uint64_t folded(std::uint64_t hash, std::uint64_t block) const {
        __extension__ using Wide = unsigned __int128;
        const Wide product = Wide{hash ^ block} * factor;
        return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    }
};

// A key from the random numbers of the system, another one each time.
HashKey drawn_hash_key();

// The key of this process, drawn when first asked for.
const HashKey& hash_key();

}  // namespace heldout
