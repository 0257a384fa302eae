#include "base/avx512.hpp"
#include "forest/sort_keys.hpp"

#if defined(HELDOUT_AVX512)

namespace heldout {
namespace {

constexpr std::size_t kLanes = 16;

// Compares each lane with the one whose number differs in the bits of `Distance`; lanes in `Upper` keep the
// larger key.
template <int Distance, int Upper>
HELDOUT_AVX512_INLINE __m512i exchange(__m512i keys) {
    const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i other =
        _mm512_permutexvar_epi32(_mm512_xor_si512(lanes, _mm512_set1_epi32(Distance)), keys);
    const __m512i smaller = _mm512_min_epu32(keys, other);
    return _mm512_mask_max_epu32(smaller, static_cast<__mmask16>(Upper), keys, other);
}

// Sixteen keys that rise and then fall, brought into order.
HELDOUT_AVX512_INLINE __m512i merge_lanes(__m512i keys) {
    keys = exchange<8, 0xff00>(keys);
    keys = exchange<4, 0xf0f0>(keys);
    keys = exchange<2, 0xcccc>(keys);
    return exchange<1, 0xaaaa>(keys);
}

// Sixteen keys in any order. A first step of each round compares with the mirror image, so that every round
// sorts upwards.
HELDOUT_AVX512_INLINE __m512i sort_lanes(__m512i keys) {
    keys = exchange<1, 0xaaaa>(keys);
    keys = exchange<3, 0xcccc>(keys);
    keys = exchange<1, 0xaaaa>(keys);
    keys = exchange<7, 0xf0f0>(keys);
    keys = exchange<2, 0xcccc>(keys);
    keys = exchange<1, 0xaaaa>(keys);
    keys = exchange<15, 0xff00>(keys);
    keys = exchange<4, 0xf0f0>(keys);
    keys = exchange<2, 0xcccc>(keys);
    return exchange<1, 0xaaaa>(keys);
}

HELDOUT_AVX512_INLINE __m512i mirror_lanes(__m512i keys) {
    const __m512i lanes = _mm512_set_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_permutexvar_epi32(lanes, keys);
}

HELDOUT_AVX512_INLINE void order_pair(__m512i& low, __m512i& high) {
    const __m512i smaller = _mm512_min_epu32(low, high);
    high = _mm512_max_epu32(low, high);
    low = smaller;
}

// Registers that hold two sorted halves become one sorted sequence.
template <int N>
HELDOUT_AVX512_INLINE void merge_halves(__m512i* keys) {
#pragma GCC unroll 8
    for (int i = 0; i < N / 2; ++i) {
        const __m512i high = mirror_lanes(keys[N - 1 - i]);
        keys[N - 1 - i] = mirror_lanes(_mm512_max_epu32(keys[i], high));
        keys[i] = _mm512_min_epu32(keys[i], high);
    }
#pragma GCC unroll 4
    for (int distance = N / 4; distance > 0; distance /= 2) {
#pragma GCC unroll 16
        for (int i = 0; i < N; ++i)
            if ((i & distance) == 0) order_pair(keys[i], keys[i + distance]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) keys[i] = merge_lanes(keys[i]);
}

template <int N>
HELDOUT_AVX512_INLINE void sort_registers(__m512i* keys) {
    if constexpr (N == 1) {
        keys[0] = sort_lanes(keys[0]);
    } else {
        sort_registers<N / 2>(keys);
        sort_registers<N / 2>(keys + N / 2);
        merge_halves<N>(keys);
    }
}

template <int N>
HELDOUT_AVX512_BW void sort_in_registers(std::uint32_t* keys) {
    __m512i registers[N];
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) registers[i] = _mm512_loadu_si512(keys + i * kLanes);
    sort_registers<N>(registers);
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i) _mm512_storeu_si512(keys + i * kLanes, registers[i]);
}

}  // namespace

HELDOUT_AVX512_BW void sort_keys_avx512(std::uint32_t* keys, std::size_t n) {
    std::size_t full = kLanes;
    while (full < n) full *= 2;
    const __m512i behind = _mm512_set1_epi32(-1);
    const std::size_t part = n % kLanes;
    std::size_t position = n - part;
    if (part > 0) {
        const auto beyond = static_cast<__mmask16>(0xffffU << part);
        _mm512_mask_storeu_epi32(keys + position, beyond, behind);
        position += kLanes;
    }
    for (; position < full; position += kLanes) _mm512_storeu_si512(keys + position, behind);
    if (full == 16)
        sort_in_registers<1>(keys);
    else if (full == 32)
        sort_in_registers<2>(keys);
    else if (full == 64)
        sort_in_registers<4>(keys);
    else if (full == 128)
        sort_in_registers<8>(keys);
    else
        sort_in_registers<16>(keys);
}

}  // namespace heldout

#endif
