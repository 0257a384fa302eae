#include "forest/gather_wide.hpp"
#include "forest/make_keys.hpp"

#if defined(HELDOUT_HAS_WIDE)

namespace heldout {
namespace {

template <class Code>
HELDOUT_WIDE void make(const Code* codes, std::size_t row_stride, std::span<const std::uint32_t> words,
                       WordBits bits, std::uint32_t* keys) {
    const __m128i stat_bits = _mm_cvtsi32_si128(static_cast<int>(bits.stat_bits));
    const __m512i stat_mask = _mm512_set1_epi32(static_cast<int>(bits.stat_mask()));
    const __m512i stride = _mm512_set1_epi32(static_cast<int>(row_stride));
    for (std::size_t i = 0; i < words.size(); i += 16) {
        const __mmask16 live = first_lanes(words.size() - i);
        const __m512i loaded = _mm512_maskz_loadu_epi32(live, words.data() + i);
        const __m512i code = gather_codes(codes, places_of_words(loaded, stat_bits, stride), live);
        const __m512i key =
            _mm512_or_si512(_mm512_sll_epi32(code, stat_bits), _mm512_and_si512(loaded, stat_mask));
        _mm512_mask_storeu_epi32(keys + i, live, key);
    }
}

}  // namespace

void make_keys_wide(const CodeMatrix& codes, std::size_t column, std::span<const std::uint32_t> words,
                    WordBits bits, std::uint32_t* keys) {
    codes.visit(column, [&](const auto* first) { make(first, codes.row_stride(), words, bits, keys); });
}

}  // namespace heldout

#else

namespace heldout {

void make_keys_wide(const CodeMatrix&, std::size_t, std::span<const std::uint32_t>, WordBits,
                    std::uint32_t*) {}

}  // namespace heldout

#endif
