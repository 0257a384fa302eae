#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace heldout {

// What hashes depend on beside what is hashed. Who writes a text does not know it, and so cannot choose words
// that all have one slot in a table, where each would be compared with all others. Which slot something has
// decides about nothing but time.
struct HashKey {
    std::uint64_t start;
    std::uint64_t factor;  // odd

    // The hash with eight bytes more: both halves of a product.
    std::uint64_t folded(std::uint64_t hash, std::uint64_t block) const {
        __extension__ using UInt128 = unsigned __int128;
        const UInt128 product = UInt128{hash ^ block} * factor;
        return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    }
};

// A key from the random numbers of the system, another one each time.
HashKey draw_hash_key();

// The key of this process, drawn when first needed.
const HashKey& hash_key();

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
