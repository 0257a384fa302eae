#include "text/characters.hpp"

#include <map>
#include <span>

namespace heldout {
namespace {

constexpr Character kInvalid{0xffffffffU, 1};

bool is_continuation(std::uint8_t byte) {
    return (byte & 0xc0U) == 0x80U;
}

void fill(std::vector<CharacterKind>& kinds, std::span<const CharacterRange> ranges, CharacterKind kind) {
    for (const auto& range : ranges)
        for (std::uint32_t code_point = range.first; code_point <= range.last; ++code_point)
            kinds[code_point] = kind;
}

}  // namespace

Character character_at(const std::uint8_t* text, const std::uint8_t* end) {
    const std::uint8_t lead = *text;
    if (lead < 0x80) return {lead, 1};
    const std::uint32_t n_bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || end - text < static_cast<std::ptrdiff_t>(n_bytes)) return kInvalid;
    std::uint32_t code_point = lead & (0x7fU >> n_bytes);
    for (std::uint32_t k = 1; k < n_bytes; ++k) {
        if (!is_continuation(text[k])) return kInvalid;
        code_point = code_point << 6 | (text[k] & 0x3fU);
    }
    const bool is_too_long = (n_bytes == 3 && code_point < 0x800) || (n_bytes == 4 && code_point < 0x10000);
    const bool is_surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
    return is_too_long || is_surrogate || code_point > 0x10ffff ? kInvalid : Character{code_point, n_bytes};
}

CharacterKinds::CharacterKinds() {
    std::vector<CharacterKind> all(kLast + 1, CharacterKind::kOther);
    fill(all, kLetterRanges, CharacterKind::kLetter);
    fill(all, kMarkRanges, CharacterKind::kMark);
    fill(all, kNumberRanges, CharacterKind::kNumber);
    std::map<std::vector<CharacterKind>, std::uint16_t> known;
    for (std::size_t page = 0; page < pages_.size(); ++page) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(page * kPage);
        const std::vector<CharacterKind> kinds(begin, begin + kPage);
        const auto [position, is_new] = known.try_emplace(kinds, static_cast<std::uint16_t>(known.size()));
        if (is_new) kinds_.insert(kinds_.end(), kinds.begin(), kinds.end());
        pages_[page] = position->second;
    }
}

const CharacterKinds& character_kinds() {
    static const CharacterKinds kinds;
    return kinds;
}

}  // namespace heldout
