#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace heldout {

// Codes of records, from 0 in the order in which they first appear, and where each first appears.
struct RecordCodes {
    std::vector<std::uint32_t> codes, first_rows;
};

// Records are pieces of so many bytes, and equal if all their bytes are.
RecordCodes code_records(std::span<const std::uint8_t> bytes, std::size_t bytes_per_record);

// Whole numbers as they lie in an array of Python: all of one of these types.
template <class T>
concept Whole =
    std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::uint16_t> || std::is_same_v<T, std::uint32_t> ||
    std::is_same_v<T, std::int8_t> || std::is_same_v<T, std::int16_t> || std::is_same_v<T, std::int32_t> ||
    std::is_same_v<T, std::int64_t>;

// The least and the greatest; the array is not empty.
template <Whole T>
std::pair<T, T> range_of(std::span<const T> numbers);

// Pairs of whole numbers that become the rows and columns of a matrix, from `row_low` and `column_low` on.
template <Whole T>
struct Pairs {
    std::span<const T> rows, columns;
    T row_low, column_low;
    std::size_t n_rows, n_columns;
};

// How often each pair occurs, row by row.
template <Whole T>
std::vector<std::int64_t> count_pairs(const Pairs<T>& pairs);

// Counts of pairs of labels that lie close together: those from `low` on, `n_labels` by `n_labels`. No labels
// where they do not, or where there are none.
struct CloseCounts {
    std::int64_t low = 0;
    std::size_t n_labels = 0;
    std::vector<std::int64_t> counts;
};

// Finds the range of the labels of both arrays, and counts if it has at most so many.
template <Whole T>
CloseCounts count_close_pairs(std::span<const T> rows, std::span<const T> columns, std::size_t most);

// The sum of the weights of each pair, within one unit of the last place.
template <Whole T>
std::vector<double> weigh_pairs(const Pairs<T>& pairs, std::span<const double> weights);

// So many cells are told apart by comparing sixty-four pairs at once with each of them.
constexpr std::size_t kMostFewCells = 16;

// How often each pair occurs, for processors with AVX-512 and a matrix of few cells; false if a label
// lies outside. `counts` has one entry for each cell.
template <Whole T>
bool count_few_avx512(const Pairs<T>& pairs, std::span<std::int64_t> counts);

}  // namespace heldout
