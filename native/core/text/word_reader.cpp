#include "text/word_reader.hpp"

#include <cstring>

#include "base/require.hpp"

namespace heldout {

void check_documents(const Documents& documents) {
    const auto ends = documents.ends;
    require(!ends.empty(), "documents need an end for each, and a begin");
    require(ends.front() >= 0, "the first document begins before its text");
    for (std::size_t i = 0; i + 1 < ends.size(); ++i)
        require(ends[i] <= ends[i + 1], "a document ends before it begins");
    require(static_cast<std::size_t>(ends.back()) <= documents.bytes.size(),
            "a document ends behind its text");
}

namespace {

constexpr std::size_t kBytesAtOnce = 8;
constexpr std::uint64_t kEach = 0x0101010101010101U;

// Makes A-Z small in eight bytes of ASCII. A byte that is not ASCII spoils those behind it, which are none of
// the same run.
std::uint64_t lower_ascii(std::uint64_t block) {
    const std::uint64_t from_a = block + kEach * (0x80 - 'A');
    const std::uint64_t beyond_z = block + kEach * (0x80 - 'Z' - 1);
    return block | ((from_a & ~beyond_z & (kEach * 0x80)) >> 2);
}

}  // namespace

WordReader::WordReader(bool lowers) : kinds_(character_kinds()), lowers_(lowers) {
    byte_kind_.fill(CharacterKind::kOther);
    for (std::uint32_t byte = 0; byte < 128; ++byte) byte_kind_[byte] = kinds_(byte);
}

char* WordReader::copy_run(const std::uint8_t* run, std::size_t n_bytes, const std::uint8_t* end, char* out) {
    for (std::size_t at = 0; at < n_bytes; at += kBytesAtOnce) {
        std::uint64_t block = 0;
        // Bytes of the text behind the run may be read, bytes behind the text may not.
        const auto n_left = static_cast<std::size_t>(end - run) - at;
        std::memcpy(&block, run + at, n_left < kBytesAtOnce ? n_left : kBytesAtOnce);
        if (lowers_) block = lower_ascii(block);
        std::memcpy(out + at, &block, kBytesAtOnce);
    }
    return out + n_bytes;
}

char* WordReader::read_word(const std::uint8_t*& at, const std::uint8_t* end) {
    char* out = word_.data();
    auto last = CharacterKind::kOther;
    while (at != end) {
        const std::uint8_t* const run = at;
        while (at != end && byte_kind_[*at] != CharacterKind::kOther) ++at;
        if (at != run) {
            out = copy_run(run, static_cast<std::size_t>(at - run), end, out);
            last = byte_kind_[at[-1]];
        }
        if (at == end) break;
        if (*at < 0x80 && *at != '\'') break;
        const bool is_behind_letter = last == CharacterKind::kLetter || last == CharacterKind::kMark;
        if (const auto n_bytes = is_behind_letter ? inner_apostrophe(at, end) : 0) {
            *out++ = '\'';
            at += n_bytes;
            continue;
        }
        const Character character = character_at(at, end);
        const CharacterKind kind = kinds_(character.code_point);
        if (kind == CharacterKind::kOther) break;
        // A mark that follows no character of a word belongs to what stands before it, such as a picture.
        const bool is_stray = kind == CharacterKind::kMark && last == CharacterKind::kOther;
        if (is_stray) {
            at += character.n_bytes;
            break;
        }
        std::memcpy(out, at, character.n_bytes);
        out += character.n_bytes;
        at += character.n_bytes;
        last = kind;
    }
    return out;
}

std::uint32_t WordReader::inner_apostrophe(const std::uint8_t* at, const std::uint8_t* end) const {
    const Character mark = character_at(at, end);
    if (mark.code_point != '\'' && mark.code_point != kCurlyApostrophe) return 0;
    const std::uint8_t* const behind = at + mark.n_bytes;
    if (behind == end) return 0;
    return kinds_(character_at(behind, end).code_point) == CharacterKind::kLetter ? mark.n_bytes : 0;
}

}  // namespace heldout
