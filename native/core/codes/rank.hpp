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

// Ranks n numbers that lie stride elements apart. -0.0 and 0.0 are one value.
RankedColumn rank_column(const double* numbers, std::ptrdiff_t stride, std::size_t n);

}  // namespace heldout
