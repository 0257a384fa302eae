#include "base/avx512.hpp"
#include "base/require.hpp"
#include "ranking/labels.hpp"

#if defined(HELDOUT_AVX512)

#include <algorithm>

namespace heldout {
namespace {

constexpr std::size_t kLanes = 64, kPiece = 32 * kLanes;
constexpr std::uint8_t kNoCell = 0xff;

// The cells of a piece, the last lanes filled up; false if a label lies outside.
template <class T>
HELDOUT_AVX512_BW bool find_cells(const Pairs<T>& pairs, std::size_t first, std::size_t n,
                                  std::uint8_t* cells) {
    using U = std::make_unsigned_t<T>;
    const T* const rows = pairs.rows.data() + first;
    const T* const columns = pairs.columns.data() + first;
    const U row_low = static_cast<U>(pairs.row_low), column_low = static_cast<U>(pairs.column_low);
    const U n_rows = static_cast<U>(pairs.n_rows), n_columns = static_cast<U>(pairs.n_columns);
    U n_outside = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const U row = static_cast<U>(static_cast<U>(rows[i]) - row_low);
        const U column = static_cast<U>(static_cast<U>(columns[i]) - column_low);
        n_outside = static_cast<U>(n_outside | (row >= n_rows) | (column >= n_columns));
        cells[i] =
            static_cast<std::uint8_t>(static_cast<std::uint8_t>(row) * static_cast<std::uint8_t>(n_columns) +
                                      static_cast<std::uint8_t>(column));
    }
    for (std::size_t i = n; i % kLanes != 0; ++i) cells[i] = kNoCell;
    return n_outside == 0;
}

HELDOUT_AVX512_BW std::int64_t n_equal(const std::uint8_t* cells, std::size_t n, std::uint8_t cell) {
    const __m512i wanted = _mm512_set1_epi8(static_cast<char>(cell));
    std::int64_t count = 0;
    for (std::size_t i = 0; i < n; i += kLanes)
        count += _mm_popcnt_u64(_mm512_cmpeq_epi8_mask(_mm512_loadu_si512(cells + i), wanted));
    return count;
}

}  // namespace

template <Whole T>
bool count_few_avx512(const Pairs<T>& pairs, std::span<std::int64_t> counts) {
    require(counts.size() <= kMostFewCells, "too many cells to compare with each");
    alignas(kLanes) std::uint8_t cells[kPiece];
    for (std::size_t first = 0; first < pairs.rows.size(); first += kPiece) {
        const std::size_t n = std::min(kPiece, pairs.rows.size() - first);
        if (!find_cells(pairs, first, n, cells)) return false;
        for (std::size_t cell = 0; cell < counts.size(); ++cell)
            counts[cell] += n_equal(cells, n, static_cast<std::uint8_t>(cell));
    }
    return true;
}

template bool count_few_avx512(const Pairs<std::uint8_t>&, std::span<std::int64_t>);
template bool count_few_avx512(const Pairs<std::uint16_t>&, std::span<std::int64_t>);
template bool count_few_avx512(const Pairs<std::uint32_t>&, std::span<std::int64_t>);
template bool count_few_avx512(const Pairs<std::int8_t>&, std::span<std::int64_t>);
template bool count_few_avx512(const Pairs<std::int16_t>&, std::span<std::int64_t>);
template bool count_few_avx512(const Pairs<std::int32_t>&, std::span<std::int64_t>);
template bool count_few_avx512(const Pairs<std::int64_t>&, std::span<std::int64_t>);

}  // namespace heldout

#endif
