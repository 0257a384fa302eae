#pragma once

#include <array>
#include <cstdint>

namespace heldout {

struct CharacterRange {
    std::uint32_t first;
    std::uint32_t last;
};

// The characters that words are made of, by their Unicode categories: letters (L), marks (M), and numbers (N)
// together with connectors such as the underscore (Pc). word_ranges.cpp is made by make_word_ranges.py.
extern const char kUnicodeVersion[];
extern const std::array<CharacterRange, 648> kLetterRanges;
extern const std::array<CharacterRange, 299> kMarkRanges;
extern const std::array<CharacterRange, 140> kNumberRanges;

}  // namespace heldout
