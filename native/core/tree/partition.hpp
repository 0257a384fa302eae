#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tree/presort.hpp"

namespace heldout {

// Stable partitions of a node's range in one order. What starts a value is kept true: an entry starts a
// value on its side if any entry since the last one of that side did. `marks` must be readable three bytes
// past the last row.

// Two living sides: the unmarked rows first, then the marked ones.
template <class Word>
void partition_in_two(std::span<Word> words, const WordLayout<Word>& layout, const std::uint8_t* marks,
                      Word* scratch);

// One living side: only rows with this mark are kept, at the front.
template <class Word>
void keep_marked(std::span<Word> words, const WordLayout<Word>& layout, const std::uint8_t* marks,
                 std::uint8_t kept_mark);

// Many sides: branch[row] is the side; ends[s] is where side s begins and, afterwards, where it ends. Rows
// of a side with start kDropped are dropped.
inline constexpr std::size_t kDropped = static_cast<std::size_t>(-1);

template <class Word>
void partition_in_many(std::span<Word> words, const WordLayout<Word>& layout, const std::uint32_t* branch,
                       std::span<std::size_t> ends, std::span<Word> carried, Word* scratch,
                       std::size_t n_kept);

// The first two for sixteen words at a time. Call only where has_avx512().
void partition_in_two_avx512(std::uint32_t* words, std::size_t n, std::uint32_t row_mask,
                             const std::uint8_t* marks, std::uint32_t* scratch);
void keep_marked_avx512(std::uint32_t* words, std::size_t n, std::uint32_t row_mask,
                        const std::uint8_t* marks, std::uint8_t kept_mark);

}  // namespace heldout
