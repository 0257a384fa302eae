#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace heldout {

// An entry of a presorted order: which row it is, its class, and whether its value differs from that of
// the entry before. With the class and the tie in the word, a scan reads memory in order and never gathers.
template <class Word>
struct WordLayout {
    static constexpr Word kStartsValue = Word{1} << (8 * sizeof(Word) - 1);

    unsigned row_bits;
    Word row_mask;

    WordLayout(std::size_t n_rows)
        : row_bits(static_cast<unsigned>(std::bit_width(n_rows - 1))),
          row_mask(static_cast<Word>((std::uint64_t{1} << row_bits) - 1)) {}

    static bool fits(std::size_t n_rows, std::size_t n_classes) {
        const auto class_bits = n_classes > 1 ? std::bit_width(n_classes - 1) : 0;
        return static_cast<std::size_t>(std::bit_width(n_rows - 1) + class_bits) < 8 * sizeof(Word);
    }

    Word pack(std::size_t row, std::size_t class_) const {
        return static_cast<Word>(static_cast<Word>(class_) << row_bits | static_cast<Word>(row));
    }
    std::size_t row(Word word) const { return word & row_mask; }
    std::size_t class_of(Word word) const { return (word & static_cast<Word>(~kStartsValue)) >> row_bits; }
    static bool starts_value(Word word) { return (word & kStartsValue) != 0; }
};

}  // namespace heldout
