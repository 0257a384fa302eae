#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "forest/code_matrix.hpp"
#include "forest/ground.hpp"

namespace heldout {

// For each word the code of its row in a column, in the high bits, and what the word says beside the row.
void make_keys(const CodeMatrix& codes, std::size_t column, std::span<const std::uint32_t> words,
               WordBits bits, std::uint32_t* keys, bool is_wide);
void make_keys_wide(const CodeMatrix& codes, std::size_t column, std::span<const std::uint32_t> words,
                    WordBits bits, std::uint32_t* keys);

// The words that lie in one of the bins that are opened; says how many they are. `kept` has room for all.
std::size_t keep_opened(std::span<const std::uint32_t> words, const std::uint8_t* bin_of_word,
                        const std::uint8_t* is_opened, std::uint32_t* kept);

}  // namespace heldout
