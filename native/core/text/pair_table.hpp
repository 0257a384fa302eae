#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/hash_key.hpp"
#include "text/word_table.hpp"

namespace heldout {

// Distinct pairs of numbers, numbered as they came first: a run of words is the run without its last word,
// and that word.
class PairTable {
  public:
    explicit PairTable(const HashKey& key = hash_key());

    static std::uint64_t pair(std::uint32_t left, std::uint32_t last) {
        return std::uint64_t{left} << 32 | last;
    }
    static std::uint32_t left(std::uint64_t pair) { return static_cast<std::uint32_t>(pair >> 32); }
    static std::uint32_t last(std::uint64_t pair) { return static_cast<std::uint32_t>(pair); }

    const std::vector<std::uint64_t>& pairs() const { return pairs_; }
    std::size_t size() const { return pairs_.size(); }
    std::uint32_t find(std::uint64_t pair) const;
    std::uint32_t add(std::uint64_t pair);

  private:
    struct Slot {
        std::uint64_t pair;
        std::uint32_t number;
    };

    std::size_t slot_of(std::uint64_t pair) const;
    void grow();

    HashKey key_;
    std::vector<Slot> slots_;
    std::vector<std::uint64_t> pairs_;
};

}  // namespace heldout
