#include "forest/gather_wide.hpp"
#include "forest/partition_words.hpp"

#if defined(HELDOUT_HAS_WIDE)

#include <algorithm>

namespace heldout {
namespace {

template <class Code>
HELDOUT_WIDE WordParts partition(std::span<std::uint32_t> words, const WordCut& cut, const Code* codes,
                                 std::uint32_t* scratch) {
    const __m128i stat_bits = _mm_cvtsi32_si128(static_cast<int>(cut.bits.stat_bits));
    const __m512i stride = _mm512_set1_epi32(static_cast<int>(cut.codes.row_stride()));
    const __m512i highest = _mm512_set1_epi32(static_cast<int>(cut.code));
    __m512i highest_left = _mm512_setzero_si512();
    __m512i lowest_right = _mm512_set1_epi32(static_cast<int>(cut.missing));
    std::uint32_t* left = words.data();
    std::uint32_t* right = scratch;
    for (std::size_t i = 0; i < words.size(); i += 16) {
        const __mmask16 live = first_lanes(words.size() - i);
        const __m512i loaded = _mm512_maskz_loadu_epi32(live, words.data() + i);
        const __m512i code = gather_codes(codes, places_of_words(loaded, stat_bits, stride), live);
        const __mmask16 is_left = _mm512_mask_cmple_epu32_mask(live, code, highest);
        const __mmask16 is_right = static_cast<__mmask16>(live & ~is_left);
        highest_left = _mm512_mask_max_epu32(highest_left, is_left, highest_left, code);
        lowest_right = _mm512_mask_min_epu32(lowest_right, is_right, lowest_right, code);
        const auto n_left = static_cast<unsigned>(__builtin_popcount(is_left));
        const auto n_right = static_cast<unsigned>(__builtin_popcount(is_right));
        _mm512_mask_storeu_epi32(left, first_lanes(n_left), _mm512_maskz_compress_epi32(is_left, loaded));
        _mm512_mask_storeu_epi32(right, first_lanes(n_right), _mm512_maskz_compress_epi32(is_right, loaded));
        left += n_left;
        right += n_right;
    }
    std::copy(scratch, right, left);
    return {static_cast<std::size_t>(left - words.data()), _mm512_reduce_max_epu32(highest_left),
            _mm512_reduce_min_epu32(lowest_right), false};
}

}  // namespace

WordParts partition_words_wide(std::span<std::uint32_t> words, const WordCut& cut, std::uint32_t* scratch) {
    return cut.codes.visit(cut.column,
                           [&](const auto* codes) { return partition(words, cut, codes, scratch); });
}

}  // namespace heldout

#else

namespace heldout {

WordParts partition_words_wide(std::span<std::uint32_t>, const WordCut&, std::uint32_t*) {
    return {};
}

}  // namespace heldout

#endif
