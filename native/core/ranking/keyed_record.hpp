#pragma once

#include <cstdint>

namespace heldout {

// A key and what travels with it. A bare key is its own record.
struct WeightedKey {
    std::uint64_t key;
    double weight;
};
struct RowKey {
    std::uint64_t key;
    std::uint64_t row;
};

inline std::uint64_t key_of(std::uint64_t key) {
    return key;
}
template <class Record>
std::uint64_t key_of(const Record& record) {
    return record.key;
}

}  // namespace heldout
