#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "text/characters.hpp"

namespace heldout {

// Texts in UTF-8, one after the other: document i lies from ends[i] to ends[i + 1].
struct Documents {
    std::span<const std::uint8_t> bytes;
    std::span<const std::int64_t> ends;

    std::size_t size() const { return ends.size() - 1; }
    std::span<const std::uint8_t> operator[](std::size_t i) const {
        return bytes.subspan(static_cast<std::size_t>(ends[i]),
                             static_cast<std::size_t>(ends[i + 1] - ends[i]));
    }
};

// Throws unless every document lies within the bytes.
void check_documents(const Documents& documents);

// Goes through the words of documents, one after the other in the same memory.
//
// A word is a run of letters, marks, numbers and connectors that does not begin with a mark. An apostrophe
// between letters stays inside; a curly one is written as a straight one.
class WordReader {
  public:
    // lowers: whether A-Z become a-z; every other letter is left as it is
    explicit WordReader(bool lowers);

    // Calls visit(word) for each word of the text. Eight bytes behind the word can be read.
    template <class Visit>
    void each_word(std::span<const std::uint8_t> text, Visit&& visit) {
        if (word_.size() < text.size() + kPadding) word_.resize(text.size() + kPadding);
        const std::uint8_t* at = text.data();
        const std::uint8_t* const end = at + text.size();
        while (true) {
            while (at != end && *at < 0x80 && byte_kind_[*at] == CharacterKind::kOther) ++at;
            if (at == end) return;
            const std::uint8_t* const begin = at;
            char* const word_end = read_word(at, end);
            if (word_end == word_.data()) {
                if (at == begin) ++at;
                continue;
            }
            visit(std::string_view(word_.data(), static_cast<std::size_t>(word_end - word_.data())));
        }
    }

  private:
    static constexpr std::size_t kPadding = 8;

    // Copies the word that begins here, which may be none, and goes behind it; returns its end in word_.
    char* read_word(const std::uint8_t*& at, const std::uint8_t* end);
    // Copies a run of ASCII, small if that is wanted; returns its end. Up to 7 bytes behind it are
    // overwritten.
    char* copy_run(const std::uint8_t* run, std::size_t n_bytes, const std::uint8_t* end, char* out);
    // Whether an apostrophe stands here and a letter behind it; its length, or 0.
    std::uint32_t inner_apostrophe(const std::uint8_t* at, const std::uint8_t* end) const;

    const CharacterKinds& kinds_;
    std::array<CharacterKind, 256> byte_kind_;  // of ASCII; other bytes are kOther
    bool lowers_;
    std::vector<char> word_;
};

}  // namespace heldout
