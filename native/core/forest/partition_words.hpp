#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "forest/code_matrix.hpp"
#include "forest/ground.hpp"

namespace heldout {

// Which words go to the first child: those whose code is at most `code`.
struct WordCut {
    const CodeMatrix& codes;
    WordBits bits;
    std::size_t column;
    std::uint32_t code;
    std::uint32_t missing;
    bool unknown_left;
};

// What a cut found: how many words went to the first child, the codes on both sides, and whether a value
// was unknown.
struct WordParts {
    std::size_t n_left = 0;
    std::uint32_t highest_left = 0;
    std::uint32_t lowest_right = 0;
    bool has_unknown = false;
};

// Brings the words of the first child to the front, in their order. `scratch` has room for all of them.
WordParts partition_words(std::span<std::uint32_t> words, const WordCut& cut, std::uint32_t* scratch,
                          bool has_missing, bool is_wide);

// The same for columns without unknown values.
WordParts partition_words_wide(std::span<std::uint32_t> words, const WordCut& cut, std::uint32_t* scratch);

}  // namespace heldout
