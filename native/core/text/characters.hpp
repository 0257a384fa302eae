#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heldout {

// What a character is to a word. A number or a connector may begin a word, a mark only continues one.
enum class CharacterKind : std::uint8_t { kOther, kLetter, kNumber, kMark };

inline constexpr std::uint32_t kCurlyApostrophe = 0x2019;

struct Character {
    std::uint32_t code_point;
    std::uint32_t n_bytes;
};

// The character at `text`, which ends at `end` and does not before it. A byte that begins no valid UTF-8 is
// a character of its own that no word has.
Character character_at(const std::uint8_t* text, const std::uint8_t* end);

// The kind of every code point, in pages of which equal ones are kept once; made from the ranges.
class CharacterKinds {
  public:
    CharacterKinds();

    CharacterKind operator()(std::uint32_t code_point) const {
        if (code_point > kLast) return CharacterKind::kOther;
        return kinds_[pages_[code_point / kPage] * kPage + code_point % kPage];
    }

  private:
    static constexpr std::uint32_t kLast = 0x10ffff;
    static constexpr std::uint32_t kPage = 256;

    std::array<std::uint16_t, (kLast + 1) / kPage> pages_{};
    std::vector<CharacterKind> kinds_;
};

// Made once, when first needed.
const CharacterKinds& character_kinds();

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
