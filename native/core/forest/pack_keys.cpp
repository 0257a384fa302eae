#include <algorithm>

#include "base/processor.hpp"
#include "forest/pack.hpp"

namespace heldout {
namespace {

// Numbers that lie n_columns side by side, as do their keys.
inline __attribute__((always_inline)) bool keys_of_matrix(const double* numbers, std::ptrdiff_t row_stride,
                                                          std::size_t n_rows, std::size_t n_columns,
                                                          std::uint32_t* keys) {
    std::uint32_t largest = 0;
    for (std::size_t row = 0; row < n_rows; ++row) {
        const double* from = numbers + static_cast<std::ptrdiff_t>(row) * row_stride;
        std::uint32_t* to = keys + row * n_columns;
        for (std::size_t column = 0; column < n_columns; ++column) {
            to[column] = key_of_number(from[column]);
            largest = std::max(largest, to[column]);
        }
    }
    return largest == kMissingKey;
}

bool keys_of_matrix_plain(const double* numbers, std::ptrdiff_t row_stride, std::size_t n_rows,
                          std::size_t n_columns, std::uint32_t* keys) {
    return keys_of_matrix(numbers, row_stride, n_rows, n_columns, keys);
}

#if defined(HELDOUT_AVX512)
HELDOUT_AVX512 bool keys_of_matrix_avx512(const double* numbers, std::ptrdiff_t row_stride,
                                          std::size_t n_rows, std::size_t n_columns, std::uint32_t* keys) {
    return keys_of_matrix(numbers, row_stride, n_rows, n_columns, keys);
}
#else
constexpr auto keys_of_matrix_avx512 = keys_of_matrix_plain;
#endif

// The keys of n rows in one column. Returns whether one of them is missing.
template <class KeyOf>
bool keys_of_column(std::size_t n, std::size_t stride, std::uint32_t* keys, KeyOf key_of) {
    std::uint32_t largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t key = key_of(i);
        keys[i * stride] = key;
        largest = std::max(largest, key);
    }
    return largest == kMissingKey;
}

// Whether the keys are those of all numbers, in their order and side by side.
bool is_matrix(const PackedForest& forest, const Rows& rows) {
    if (rows.number_column_stride != 1) return false;
    for (std::size_t i = 0; i < forest.columns.size(); ++i)
        if (forest.columns[i].source_column != static_cast<std::int32_t>(i) || !forest.columns[i].is_exact)
            return false;
    return true;
}

}  // namespace

std::uint32_t rank_of(const std::vector<double>& thresholds, double number) {
    if (number != number) return kMissingKey;
    // A binary search without a branch that could be foreseen wrongly: searches of many numbers overlap.
    const double* below = thresholds.data();
    std::size_t n = thresholds.size();
    while (n > 1) {
        const std::size_t half = n / 2;
        below += half & (std::size_t{0} - static_cast<std::size_t>(below[half - 1] < number));
        n -= half;
    }
    return static_cast<std::uint32_t>(below - thresholds.data()) +
           static_cast<std::uint32_t>(n == 1 && *below < number);
}

bool write_column_keys(const KeyColumn& column, const Rows& rows, const std::uint32_t* chosen,
                       std::size_t first, std::size_t n, std::size_t stride, std::uint32_t* keys) {
    const auto row = [&](std::size_t i) { return chosen == nullptr ? first + i : std::size_t{chosen[i]}; };
    const std::int32_t source = column.source_column;
    if (source < 0)  // every negative level is a missing value
        return keys_of_column(n, stride, keys, [&](std::size_t i) {
            return static_cast<std::uint32_t>(
                std::clamp(rows.level(row(i), -1 - source), -1, column.highest_level + 1));
        });
    if (column.is_exact)
        return keys_of_column(n, stride, keys,
                              [&](std::size_t i) { return key_of_number(rows.number(row(i), source)); });
    return keys_of_column(n, stride, keys, [&](std::size_t i) {
        return rank_of(column.thresholds, rows.number(row(i), source));
    });
}

bool write_keys(const PackedForest& forest, const Rows& rows, const std::uint32_t* chosen, std::size_t first,
                std::size_t n, std::uint32_t* keys) {
    if (chosen == nullptr && is_matrix(forest, rows)) {
        const double* numbers = rows.numbers + static_cast<std::ptrdiff_t>(first) * rows.number_row_stride;
        const auto keys_of = has_avx512() ? keys_of_matrix_avx512 : keys_of_matrix_plain;
        return keys_of(numbers, rows.number_row_stride, n, forest.stride(), keys);
    }
    bool has_missing = false;
    for (std::size_t i = 0; i < forest.columns.size(); ++i)
        has_missing |=
            write_column_keys(forest.columns[i], rows, chosen, first, n, forest.stride(), keys + i);
    return has_missing;
}

}  // namespace heldout
