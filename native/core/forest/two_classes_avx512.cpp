#include "base/avx512.hpp"
#include "forest/two_classes.hpp"

#if defined(HELDOUT_AVX512)

namespace heldout {
namespace {

constexpr std::size_t kLanes = 16, kHalf = 8;

HELDOUT_AVX512_INLINE __m512i prefix_sums(__m512i x) {
    const __m512i zero = _mm512_setzero_si512();
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 15));
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 14));
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 12));
    return _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 8));
}

// The best quality of each lane so far, and the position where it was first reached.
struct Best {
    __m512d quality;
    __m512i position;
};

HELDOUT_AVX512_INLINE void look_at(__m256i left, __m256i left_ones, __mmask8 is_cut, __m512d total,
                                   __m512d ones, __m512i positions, Best& best) {
    const __m512d l = _mm512_cvtepi32_pd(left);
    const __m512d l1 = _mm512_cvtepi32_pd(left_ones);
    const __m512d apart = _mm512_sub_pd(_mm512_mul_pd(l1, total), _mm512_mul_pd(l, ones));
    const __m512d spread = _mm512_mul_pd(l, _mm512_sub_pd(total, l));
    // Most cuts are no better than the best so far: that is seen without a division, if not by the last bits.
    const __m512d square = _mm512_mul_pd(apart, apart);
    const __m512d reached = _mm512_mul_pd(_mm512_mul_pd(best.quality, _mm512_set1_pd(1 - 1e-12)), spread);
    is_cut = _mm512_mask_cmp_pd_mask(is_cut, square, reached, _CMP_GT_OQ);
    if (!is_cut) return;
    const __m512d quality = _mm512_div_pd(square, spread);
    const __mmask8 is_better = _mm512_mask_cmp_pd_mask(is_cut, quality, best.quality, _CMP_GT_OQ);
    best.quality = _mm512_mask_mov_pd(best.quality, is_better, quality);
    best.position = _mm512_mask_mov_epi64(best.position, is_better, positions);
}

}  // namespace

HELDOUT_AVX512_BW void scan_two_classes_avx512(const KeyRun& run, const CountedNode& node, WordBits bits,
                                               double floor, ColumnCut& best) {
    const __m512d total = _mm512_set1_pd(node.total), ones = _mm512_set1_pd(node.ones);
    const __m512i smallest = _mm512_set1_epi32(static_cast<int>(node.smallest));
    const __m512i largest = _mm512_set1_epi32(static_cast<int>(node.total - node.smallest));
    const __m512i times_mask = _mm512_set1_epi32(static_cast<int>(WordBits::kMostTimes));
    const __m128i code_shift = _mm_cvtsi32_si128(static_cast<int>(bits.stat_bits));
    // Without a floor the first cut is better than nothing, even if it gains nothing.
    Best best_of_lanes{_mm512_set1_pd(floor > 0 ? floor : -1), _mm512_set1_epi64(-1)};
    __m512i positions = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    __m512i carried = _mm512_setzero_si512();
    for (std::size_t i = 0; i + 1 < run.n; i += kLanes) {
        const __m512i keys = _mm512_loadu_si512(run.keys + i);
        const __m512i next = _mm512_loadu_si512(run.keys + i + 1);
        const __m512i times = _mm512_and_si512(_mm512_srli_epi32(keys, 1), times_mask);
        const __mmask16 is_one = _mm512_test_epi32_mask(keys, _mm512_set1_epi32(1));
        // Both sums in one lane: rows in the low half, those of the second class in the high half.
        const __m512i both = _mm512_mask_or_epi32(times, is_one, times, _mm512_slli_epi32(times, 16));
        const __m512i sums = _mm512_add_epi32(prefix_sums(both), carried);
        carried = _mm512_permutexvar_epi32(_mm512_set1_epi32(15), sums);
        const __m512i left = _mm512_and_si512(sums, _mm512_set1_epi32(0xffff));
        const __m512i left_ones = _mm512_srli_epi32(sums, 16);
        const __m512i changed =
            _mm512_xor_si512(_mm512_srl_epi32(keys, code_shift), _mm512_srl_epi32(next, code_shift));
        const std::size_t n_left = run.n - 1 - i;
        const auto live = static_cast<__mmask16>(n_left >= kLanes ? 0xffffU : (1U << n_left) - 1);
        __mmask16 is_cut = _mm512_mask_test_epi32_mask(live, changed, changed);
        is_cut = _mm512_mask_cmp_epu32_mask(is_cut, left, smallest, _MM_CMPINT_NLT);
        is_cut = _mm512_mask_cmp_epu32_mask(is_cut, left, largest, _MM_CMPINT_LE);
        const __m512i later = _mm512_add_epi64(positions, _mm512_set1_epi64(kHalf));
        if (is_cut) {
            look_at(_mm512_castsi512_si256(left), _mm512_castsi512_si256(left_ones),
                    static_cast<__mmask8>(is_cut), total, ones, positions, best_of_lanes);
            look_at(_mm512_extracti64x4_epi64(left, 1), _mm512_extracti64x4_epi64(left_ones, 1),
                    static_cast<__mmask8>(is_cut >> kHalf), total, ones, later, best_of_lanes);
        }
        positions = _mm512_add_epi64(later, _mm512_set1_epi64(kHalf));
    }
    const double quality = _mm512_reduce_max_pd(best_of_lanes.quality);
    const __mmask8 is_best = _mm512_cmp_pd_mask(best_of_lanes.quality, _mm512_set1_pd(quality), _CMP_EQ_OQ);
    const __mmask8 is_found =
        _mm512_mask_cmp_epi64_mask(is_best, best_of_lanes.position, _mm512_setzero_si512(), _MM_CMPINT_NLT);
    if (!is_found) return;
    const auto position =
        static_cast<std::size_t>(_mm512_mask_reduce_min_epi64(is_found, best_of_lanes.position));
    best.improve(quality, bits.row(run.keys[position]));
}

HELDOUT_AVX512_BW void judge_bins_avx512(BinTable& table, const CountedNode& node) {
    judge_bins(table, node);
}

}  // namespace heldout

#endif
