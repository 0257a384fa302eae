#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/hash_key.hpp"

namespace heldout {

inline constexpr std::uint32_t kNoTerm = 0xffffffffU;

// Eight bytes behind the word must be readable.
std::uint64_t hash_of(std::string_view word, const HashKey& key);

// Distinct words, numbered as they came first.
class WordTable {
  public:
    explicit WordTable(const HashKey& key = hash_key());

    std::size_t size() const { return ends_.size() - 1; }
    std::string_view operator[](std::uint32_t word) const {
        return {bytes_.data() + ends_[word], ends_[word + 1] - ends_[word]};
    }
    // The number of the word, or kNoTerm. Eight bytes behind the word must be readable; so for `add`.
    std::uint32_t find(std::string_view word) const;
    // The number of the word, which is a new one if it was not there.
    std::uint32_t add(std::string_view word);

  private:
    // Short words are told apart here, without a look at their bytes elsewhere.
    struct Slot {
        std::uint64_t first_bytes;
        std::uint32_t n_bytes;
        std::uint32_t word;
    };
    static constexpr Slot kEmpty{0, 0, kNoTerm};

    std::size_t slot_of(std::string_view word) const;
    void grow();

    HashKey key_;
    std::vector<Slot> slots_;
    std::vector<char> bytes_;
    std::vector<std::size_t> ends_;
};

}  // namespace heldout
