#include "base/avx512.hpp"
#include "tree/partition.hpp"

#if defined(HELDOUT_AVX512)

#include <cstring>

namespace heldout {
namespace {

constexpr std::size_t kLanes = 16;
constexpr std::uint32_t kAllLanes = 0xffff;
constexpr int kStartsValue = static_cast<int>(0x80000000U);

// Sixteen words with the mark of each.
struct Lanes {
    __m512i words;  // without their starts
    std::uint32_t live;
    std::uint32_t starts;
    std::uint32_t marked;
};

HELDOUT_AVX512 inline Lanes load(const std::uint32_t* words, std::size_t n_left, __m512i row_mask,
                                 const std::uint8_t* marks) {
    Lanes lanes;
    lanes.live = n_left >= kLanes ? kAllLanes : (1U << n_left) - 1;
    const auto live = static_cast<__mmask16>(lanes.live);
    const __m512i loaded = _mm512_maskz_loadu_epi32(live, words);
    const __m512i rows = _mm512_and_si512(loaded, row_mask);
    const __m512i loaded_marks = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), live, rows, marks, 1);
    lanes.starts = _mm512_movepi32_mask(loaded);
    lanes.marked = _mm512_test_epi32_mask(loaded_marks, _mm512_set1_epi32(1));
    lanes.words = _mm512_and_si512(loaded, _mm512_set1_epi32(~kStartsValue));
    return lanes;
}

// Writes the kept lanes, each starting a value if any lane since the last kept one did. A carry that runs
// through the lanes between finds that out for all of them in one addition; `pending` is the carry from
// one group of lanes into the next.
HELDOUT_AVX512 inline std::uint32_t* write(const Lanes& lanes, std::uint32_t kept, std::uint32_t& pending,
                                           std::uint32_t* out) {
    const std::uint32_t others = ~kept & kAllLanes;
    const std::uint32_t carried = (lanes.starts & others) + others + pending;
    pending = carried >> kLanes;
    const auto starts = static_cast<__mmask16>((lanes.starts | carried) & kept);
    const __m512i marked =
        _mm512_mask_or_epi32(lanes.words, starts, lanes.words, _mm512_set1_epi32(kStartsValue));
    const auto n_kept = static_cast<unsigned>(__builtin_popcount(kept));
    _mm512_mask_storeu_epi32(out, static_cast<__mmask16>((1U << n_kept) - 1),
                             _mm512_maskz_compress_epi32(static_cast<__mmask16>(kept), marked));
    return out + n_kept;
}

}  // namespace

HELDOUT_AVX512 void partition_in_two_avx512(std::uint32_t* words, std::size_t n, std::uint32_t row_mask,
                                            const std::uint8_t* marks, std::uint32_t* scratch) {
    const __m512i mask = _mm512_set1_epi32(static_cast<int>(row_mask));
    std::uint32_t* left = words;
    std::uint32_t* right = scratch;
    std::uint32_t left_pending = 0, right_pending = 0;
    for (std::size_t i = 0; i < n; i += kLanes) {
        const Lanes lanes = load(words + i, n - i, mask, marks);
        left = write(lanes, lanes.live & ~lanes.marked, left_pending, left);
        right = write(lanes, lanes.marked, right_pending, right);
    }
    std::memcpy(left, scratch, static_cast<std::size_t>(right - scratch) * sizeof(std::uint32_t));
}

HELDOUT_AVX512 void keep_marked_avx512(std::uint32_t* words, std::size_t n, std::uint32_t row_mask,
                                       const std::uint8_t* marks, std::uint8_t kept_mark) {
    const __m512i mask = _mm512_set1_epi32(static_cast<int>(row_mask));
    std::uint32_t* out = words;
    std::uint32_t pending = 0;
    for (std::size_t i = 0; i < n; i += kLanes) {
        const Lanes lanes = load(words + i, n - i, mask, marks);
        out = write(lanes, kept_mark == 1 ? lanes.marked : lanes.live & ~lanes.marked, pending, out);
    }
}

}  // namespace heldout

#endif
