#include <algorithm>

#include "base/avx512.hpp"
#include "forest/words.hpp"

#if defined(HELDOUT_AVX512)

namespace heldout {
namespace {

// The codes at sixteen positions of a column, read as 32 bits and cut to their width.
template <class Code>
HELDOUT_AVX512_INLINE __m512i gather_codes(const Code* codes, __m512i positions, __mmask16 live) {
    const __m512i read =
        _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), live, positions, codes, sizeof(Code));
    constexpr std::uint32_t kMask = static_cast<std::uint32_t>((std::uint64_t{1} << 8 * sizeof(Code)) - 1);
    return _mm512_and_si512(read, _mm512_set1_epi32(static_cast<int>(kMask)));
}

// Where the rows of sixteen words have their codes.
HELDOUT_AVX512_INLINE __m512i positions_of_words(__m512i words, __m128i stat_bits, __m512i stride) {
    return _mm512_mullo_epi32(_mm512_srl_epi32(words, stat_bits), stride);
}

template <class Code>
HELDOUT_AVX512_BW void make(const Code* codes, std::size_t row_stride, std::span<const std::uint32_t> words,
                            WordBits bits, std::uint32_t* keys) {
    const __m128i stat_bits = _mm_cvtsi32_si128(static_cast<int>(bits.stat_bits));
    const __m512i stat_mask = _mm512_set1_epi32(static_cast<int>(bits.stat_mask()));
    const __m512i stride = _mm512_set1_epi32(static_cast<int>(row_stride));
    for (std::size_t i = 0; i < words.size(); i += 16) {
        const __mmask16 live = first_lanes(words.size() - i);
        const __m512i loaded = _mm512_maskz_loadu_epi32(live, words.data() + i);
        const __m512i code = gather_codes(codes, positions_of_words(loaded, stat_bits, stride), live);
        const __m512i key =
            _mm512_or_si512(_mm512_sll_epi32(code, stat_bits), _mm512_and_si512(loaded, stat_mask));
        _mm512_mask_storeu_epi32(keys + i, live, key);
    }
}

template <class Code>
HELDOUT_AVX512_BW WordParts partition(std::span<std::uint32_t> words, const WordCut& cut, const Code* codes,
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
        const __m512i code = gather_codes(codes, positions_of_words(loaded, stat_bits, stride), live);
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

void make_keys_avx512(const CodeMatrix& codes, std::size_t column, std::span<const std::uint32_t> words,
                      WordBits bits, std::uint32_t* keys) {
    codes.visit(column, [&](const auto* first) { make(first, codes.row_stride(), words, bits, keys); });
}

WordParts partition_words_avx512(std::span<std::uint32_t> words, const WordCut& cut, std::uint32_t* scratch) {
    return cut.codes.visit(cut.column,
                           [&](const auto* codes) { return partition(words, cut, codes, scratch); });
}

}  // namespace heldout

#endif
