#pragma once

#include "forest/wide.hpp"

#if defined(HELDOUT_HAS_WIDE)

#include <cstdint>

namespace heldout {

// The codes at sixteen places of a column, read as 32 bits and cut to their width.
template <class Code>
HELDOUT_WIDE_INLINE __m512i gather_codes(const Code* codes, __m512i places, __mmask16 live) {
    const __m512i read =
        _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), live, places, codes, sizeof(Code));
    constexpr std::uint32_t kMask = static_cast<std::uint32_t>((std::uint64_t{1} << 8 * sizeof(Code)) - 1);
    return _mm512_and_si512(read, _mm512_set1_epi32(static_cast<int>(kMask)));
}

// The places of the rows of sixteen words.
HELDOUT_WIDE_INLINE __m512i places_of_words(__m512i words, __m128i stat_bits, __m512i stride) {
    return _mm512_mullo_epi32(_mm512_srl_epi32(words, stat_bits), stride);
}

HELDOUT_WIDE_INLINE __mmask16 first_lanes(std::size_t n) {
    return static_cast<__mmask16>(n >= 16 ? 0xffffU : (1U << n) - 1);
}

}  // namespace heldout

#endif
