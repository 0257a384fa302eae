#include "base/avx512.hpp"
#include "forest/walk_block.hpp"

#if defined(HELDOUT_AVX512)

#include <algorithm>

namespace heldout {
namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kGroups = 6;  // under way at once, so that the wait for one is spent on the others
constexpr std::uint32_t kLaterSteps = 4;

// All lanes, said in so many words: GCC takes the plain forms for reads of something uninitialized.
constexpr __mmask16 kAll = 0xffff;
constexpr __mmask8 kAllPairs = 0xff;

// Sixteen rows of a group.
struct Lanes {
    __m512i row, offset, at, before;
    __mmask16 live;
};

// Moves rows one step down, whatever the columns of the tree and what the rows lack.
template <bool kHasMissing, Sets kSets>
struct Stepper {
    const std::uint64_t* nodes;
    const std::uint32_t* keys;
    const std::uint32_t* wide_sets;
    __m128i column_shift;
    __m512i child_mask, missing_second, n_number_columns, n_narrow_columns, lower_halves, upper_halves;

    HELDOUT_AVX512 Stepper(const PackedTree& tree, const KeyRows& rows)
        : nodes(tree.nodes),
          keys(rows.keys),
          wide_sets(tree.wide_sets),
          column_shift(_mm_cvtsi32_si128(static_cast<int>(tree.bits.column_shift()))),
          child_mask(_mm512_set1_epi32(static_cast<int>(tree.bits.child_mask()))),
          missing_second(_mm512_set1_epi32(static_cast<int>(tree.bits.missing_second()))),
          n_number_columns(_mm512_set1_epi32(static_cast<int>(tree.n_number_columns))),
          n_narrow_columns(_mm512_set1_epi32(static_cast<int>(tree.n_narrow_columns))),
          lower_halves(_mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)),
          upper_halves(_mm512_add_epi32(lower_halves, _mm512_set1_epi32(1))) {}

    HELDOUT_AVX512 inline __attribute__((always_inline)) void step(Lanes& lanes) const {
        const __m512i zero = _mm512_setzero_si512(), one = _mm512_set1_epi32(1);
        // Eight nodes at a time, each with a single load; then their halves are put side by side.
        const __m512i low = _mm512_mask_i32gather_epi64(
            zero, kAllPairs, __builtin_shufflevector(lanes.at, lanes.at, 0, 1, 2, 3), nodes, 8);
        const __m512i high = _mm512_mask_i32gather_epi64(
            zero, kAllPairs, __builtin_shufflevector(lanes.at, lanes.at, 4, 5, 6, 7), nodes, 8);
        const __m512i threshold = _mm512_permutex2var_epi32(low, lower_halves, high);
        const __m512i word = _mm512_permutex2var_epi32(low, upper_halves, high);
        const __m512i column = _mm512_maskz_srl_epi32(kAll, word, column_shift);
        const __m512i key =
            _mm512_mask_i32gather_epi32(zero, kAll, _mm512_add_epi32(lanes.offset, column), keys, 4);
        __mmask16 is_second = _mm512_cmpgt_epu32_mask(key, threshold);
        __mmask16 is_missing = 0;
        if constexpr (kHasMissing)
            is_missing = _mm512_cmpeq_epi32_mask(key, _mm512_set1_epi32(static_cast<int>(kMissingKey)));
        if constexpr (kSets != Sets::kNone) {
            const __mmask16 is_level = _mm512_cmpge_epu32_mask(column, n_number_columns);
            const __mmask16 is_outside = lies_outside(threshold, column, key, is_missing);
            is_second = static_cast<__mmask16>((is_second & ~is_level) | (is_outside & is_level));
        }
        if constexpr (kHasMissing)
            is_second = static_cast<__mmask16>((is_second & ~is_missing) |
                                               (_mm512_test_epi32_mask(word, missing_second) & is_missing));
        const __m512i child = _mm512_and_si512(word, child_mask);
        lanes.before = lanes.at;
        lanes.at = _mm512_mask_add_epi32(child, is_second, child, one);
    }

    // Which keys are not in the sets of their nodes.
    HELDOUT_AVX512 inline __attribute__((always_inline)) __mmask16 lies_outside(__m512i threshold,
                                                                                __m512i column, __m512i key,
                                                                                __mmask16 is_missing) const {
        __m512i set = threshold;
        if constexpr (kSets == Sets::kWide) {
            const auto is_wide =
                static_cast<__mmask16>(_mm512_cmpge_epu32_mask(column, n_narrow_columns) & ~is_missing);
            const __m512i position = _mm512_add_epi32(threshold, _mm512_maskz_srli_epi32(kAll, key, 5));
            set = _mm512_mask_i32gather_epi32(set, is_wide, position, wide_sets, 4);
        }
        const __m512i bit = _mm512_and_si512(key, _mm512_set1_epi32(31));
        return _mm512_testn_epi32_mask(_mm512_maskz_srlv_epi32(kAll, set, bit), _mm512_set1_epi32(1));
    }
};

template <bool kHasMissing, Sets kSets>
HELDOUT_AVX512 void walk(const PackedTree& tree, const KeyRows& rows, const std::uint32_t* positions,
                         std::size_t n, std::uint32_t* waiting, std::uint32_t* reached) {
    const Stepper<kHasMissing, kSets> stepper(tree, rows);
    const __m512i zero = _mm512_setzero_si512();
    const __m512i counted = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i stride = _mm512_set1_epi32(static_cast<int>(rows.stride));
    std::size_t n_waiting = n;
    bool is_first = true;
    while (n_waiting > 0) {
        const std::uint32_t n_steps = is_first ? tree.n_first_steps : kLaterSteps;
        std::size_t n_left = 0;
        for (std::size_t begin = 0; begin < n_waiting; begin += kLanes * kGroups) {
            Lanes groups[kGroups];
#pragma GCC unroll 8
            for (std::size_t g = 0; g < kGroups; ++g) {
                Lanes& lanes = groups[g];
                const std::size_t from = begin + g * kLanes;
                lanes.live = first_lanes(from < n_waiting ? n_waiting - from : 0);
                lanes.row = is_first ? _mm512_add_epi32(counted, _mm512_set1_epi32(static_cast<int>(from)))
                                     : _mm512_maskz_loadu_epi32(lanes.live, waiting + from);
                lanes.at =
                    is_first ? zero : _mm512_mask_i32gather_epi32(zero, lanes.live, lanes.row, reached, 4);
                const __m512i position =
                    positions == nullptr
                        ? _mm512_maskz_mov_epi32(lanes.live, lanes.row)
                        : _mm512_mask_i32gather_epi32(zero, lanes.live, lanes.row, positions, 4);
                lanes.offset = _mm512_mullo_epi32(position, stride);
                lanes.before = zero;
            }
            for (std::uint32_t step = 0; step < n_steps; ++step) {
#pragma GCC unroll 8
                for (std::size_t g = 0; g < kGroups; ++g) stepper.step(groups[g]);
            }
#pragma GCC unroll 8
            for (std::size_t g = 0; g < kGroups; ++g) {
                const Lanes& lanes = groups[g];
                if (is_first)
                    _mm512_mask_storeu_epi32(reached + begin + g * kLanes, lanes.live, lanes.at);
                else
                    _mm512_mask_i32scatter_epi32(reached, lanes.live, lanes.row, lanes.at, 4);
                const __mmask16 is_left = _mm512_mask_cmpneq_epi32_mask(lanes.live, lanes.at, lanes.before);
                const auto n_here = static_cast<std::size_t>(__builtin_popcount(is_left));
                _mm512_mask_storeu_epi32(waiting + n_left, first_lanes(n_here),
                                         _mm512_maskz_compress_epi32(is_left, lanes.row));
                n_left += n_here;
            }
        }
        n_waiting = n_left;
        is_first = false;
    }
}

template <bool kHasMissing>
auto walk_with(const PackedTree& tree) {
    if (tree.has_wide_sets) return walk<kHasMissing, Sets::kWide>;
    return tree.has_levels ? walk<kHasMissing, Sets::kNarrow> : walk<kHasMissing, Sets::kNone>;
}

}  // namespace

HELDOUT_AVX512 void walk_packed_avx512(const PackedTree& tree, const KeyRows& rows,
                                       const std::uint32_t* positions, std::size_t n, std::uint32_t* waiting,
                                       std::uint32_t* reached) {
    const auto run = rows.has_missing ? walk_with<true>(tree) : walk_with<false>(tree);
    run(tree, rows, positions, n, waiting, reached);
}

}  // namespace heldout

#endif
