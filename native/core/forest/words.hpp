#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "forest/forest_data.hpp"

namespace heldout {

// For each word the code of its row in a column, in the high bits, and what the word says beside the row.
void make_keys(const CodeMatrix& codes, std::size_t column, std::span<const std::uint32_t> words,
               WordBits bits, std::uint32_t* keys, bool is_avx512);
void make_keys_avx512(const CodeMatrix& codes, std::size_t column, std::span<const std::uint32_t> words,
                      WordBits bits, std::uint32_t* keys);

// The words that lie in one of the bins that are opened; returns how many they are. `kept` has room for all.
std::size_t keep_opened(std::span<const std::uint32_t> words, const std::uint8_t* bin_of_word,
                        const std::uint8_t* is_opened, std::uint32_t* kept);

// Which words go to the first child: those whose code is at most `code`.
struct WordCut {
    const CodeMatrix& codes;
    WordBits bits;
    std::size_t column;
    std::uint32_t code;
    std::uint32_t missing;
    bool missing_left;
};

// What a partition leaves: how many words went to the first child, the codes on both sides, and whether a
// value was missing.
struct WordParts {
    std::size_t n_left = 0;
    std::uint32_t highest_left = 0;
    std::uint32_t lowest_right = 0;
    bool has_missing = false;
};

// Brings the words of the first child to the front, in their order. `scratch` has room for all of them.
WordParts partition_words(std::span<std::uint32_t> words, const WordCut& cut, std::uint32_t* scratch,
                          bool has_missing, bool is_avx512);

// The same for columns without missing values.
WordParts partition_words_avx512(std::span<std::uint32_t> words, const WordCut& cut, std::uint32_t* scratch);

}  // namespace heldout
