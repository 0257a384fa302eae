#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

namespace heldout {

// A numeric column as dense ranks: values are the sorted distinct numbers, codes index them, and a
// missing value (NaN) has the code values.size().
struct RankedColumn {
    std::vector<double> values;
    std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>> codes;
};

// A matrix whose rows and columns lie some elements apart.
struct MatrixView {
    const double* numbers;
    std::size_t n_rows;
    std::size_t n_columns;
    std::ptrdiff_t row_stride;
    std::ptrdiff_t column_stride;
};

// Ranks every column of a matrix. -0.0 and 0.0 are one value.
std::vector<RankedColumn> rank_columns(const MatrixView& matrix, std::size_t n_threads);

}  // namespace heldout
