#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

namespace heldout {

// A numeric column as dense ranks: n_codes distinct numbers, and n_codes itself for a missing value (NaN).
struct RankedColumn {
    std::uint32_t n_codes = 0;
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
