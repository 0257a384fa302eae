#include "base/avx512.hpp"
#include "neighbors/panel_scan.hpp"

#if defined(HELDOUT_AVX512)

namespace heldout {
namespace {

// Appends the marked lanes to the survivors of a query.
HELDOUT_AVX512 inline void append(Survivors<float>& survivors, __m512 scores, unsigned mask,
                                  __m512i positions) {
    const auto kept = static_cast<__mmask16>(mask);
    _mm512_mask_compressstoreu_ps(survivors.scores + survivors.n, kept, scores);
    _mm512_mask_compressstoreu_epi32(survivors.positions + survivors.n, kept, positions);
    survivors.n += static_cast<unsigned>(__builtin_popcount(mask));
}

HELDOUT_AVX512 inline void append(Survivors<double>& survivors, __m512d scores, unsigned mask,
                                  std::size_t position) {
    _mm512_mask_compressstoreu_pd(survivors.scores + survivors.n, static_cast<__mmask8>(mask), scores);
    for (; mask != 0; mask &= mask - 1)
        survivors.positions[survivors.n++] =
            static_cast<std::uint32_t>(position + static_cast<unsigned>(__builtin_ctz(mask)));
}

}  // namespace

HELDOUT_AVX512 void scan_panels_avx512(const Panels<float>& panels, std::size_t first, std::size_t last,
                                       QueryGroup<float>& group, Relief& relief) {
    constexpr std::size_t kQueries = kGroupQueries<float>;
    const std::size_t n_columns = panels.n_columns;
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (std::size_t panel = first; panel < last; ++panel) {
        const float* numbers = panels.numbers + panel * kPanelRows * n_columns;
        const float* packed = group.packed;
        const __m512 left_start = _mm512_load_ps(panels.starts + panel * kPanelRows);
        const __m512 right_start = _mm512_load_ps(panels.starts + panel * kPanelRows + 16);
        __m512 left[kQueries], right[kQueries];
#pragma GCC unroll 12
        for (std::size_t q = 0; q < kQueries; ++q) left[q] = left_start, right[q] = right_start;
        for (std::size_t j = 0; j < n_columns; ++j, numbers += kPanelRows, packed += kQueries) {
            const __m512 a = _mm512_load_ps(numbers), b = _mm512_load_ps(numbers + 16);
#pragma GCC unroll 12
            for (std::size_t q = 0; q < kQueries; ++q) {
                const __m512 query = _mm512_set1_ps(packed[q]);
                left[q] = _mm512_fmadd_ps(query, a, left[q]);
                right[q] = _mm512_fmadd_ps(query, b, right[q]);
            }
        }
        __mmask16 is_any = 0;
#pragma GCC unroll 12
        for (std::size_t q = 0; q < kQueries; ++q)
            is_any = _mm512_kor(is_any, _mm512_cmp_ps_mask(_mm512_maskz_min_ps(0xffff, left[q], right[q]),
                                                           _mm512_set1_ps(group.thresholds[q]), _CMP_LT_OQ));
        if (_mm512_kortestz(is_any, is_any)) continue;
        const __m512i positions =
            _mm512_add_epi32(lanes, _mm512_set1_epi32(static_cast<int>(panel * kPanelRows)));
        unsigned full = 0;
#pragma GCC unroll 12
        for (std::size_t q = 0; q < kQueries; ++q) {
            const __m512 threshold = _mm512_set1_ps(group.thresholds[q]);
            const unsigned low = _mm512_cmp_ps_mask(left[q], threshold, _CMP_LT_OQ);
            const unsigned high = _mm512_cmp_ps_mask(right[q], threshold, _CMP_LT_OQ);
            if ((low | high) == 0) continue;
            Survivors<float>& survivors = group.survivors[q];
            append(survivors, left[q], low, positions);
            append(survivors, right[q], high, _mm512_add_epi32(positions, _mm512_set1_epi32(16)));
            full |= survivors.n >= group.n_most ? 1U << q : 0U;
        }
        for (; full != 0; full &= full - 1) relief.relieve(static_cast<unsigned>(__builtin_ctz(full)));
    }
}

HELDOUT_AVX512 void scan_panels_avx512(const Panels<double>& panels, std::size_t first, std::size_t last,
                                       QueryGroup<double>& group, Relief& relief) {
    constexpr std::size_t kQueries = kGroupQueries<double>, kParts = 4, kLanes = 8;
    const std::size_t n_columns = panels.n_columns;
    for (std::size_t panel = first; panel < last; ++panel) {
        const double* numbers = panels.numbers + panel * kPanelRows * n_columns;
        const double* starts = panels.starts + panel * kPanelRows;
        const double* packed = group.packed;
        __m512d scores[kQueries][kParts];
#pragma GCC unroll 6
        for (std::size_t q = 0; q < kQueries; ++q)
#pragma GCC unroll 4
            for (std::size_t part = 0; part < kParts; ++part)
                scores[q][part] = _mm512_load_pd(starts + part * kLanes);
        for (std::size_t j = 0; j < n_columns; ++j, numbers += kPanelRows, packed += kQueries) {
            const __m512d a = _mm512_load_pd(numbers), b = _mm512_load_pd(numbers + kLanes),
                          c = _mm512_load_pd(numbers + 2 * kLanes), d = _mm512_load_pd(numbers + 3 * kLanes);
#pragma GCC unroll 6
            for (std::size_t q = 0; q < kQueries; ++q) {
                const __m512d query = _mm512_set1_pd(packed[q]);
                scores[q][0] = _mm512_fmadd_pd(query, a, scores[q][0]);
                scores[q][1] = _mm512_fmadd_pd(query, b, scores[q][1]);
                scores[q][2] = _mm512_fmadd_pd(query, c, scores[q][2]);
                scores[q][3] = _mm512_fmadd_pd(query, d, scores[q][3]);
            }
        }
        bool is_full[kQueries];
        bool any_full = false;
#pragma GCC unroll 6
        for (std::size_t q = 0; q < kQueries; ++q) {
            const __m512d threshold = _mm512_set1_pd(group.thresholds[q]);
            Survivors<double>& survivors = group.survivors[q];
#pragma GCC unroll 4
            for (std::size_t part = 0; part < kParts; ++part) {
                const unsigned mask = _mm512_cmp_pd_mask(scores[q][part], threshold, _CMP_LT_OQ);
                if (mask != 0) append(survivors, scores[q][part], mask, panel * kPanelRows + part * kLanes);
            }
            is_full[q] = survivors.n >= group.n_most;
            any_full |= is_full[q];
        }
        if (!any_full) continue;
        for (std::size_t q = 0; q < kQueries; ++q)
            if (is_full[q]) relief.relieve(q);
    }
}

}  // namespace heldout

#endif
