#pragma once

#include "neighbors/mixed.hpp"

namespace heldout {

// So many references stand side by side, column by column.
constexpr std::size_t kMixedRows = 16;

struct MixedPanel {
    const double* numbers;
    const std::int32_t* levels;
};

// Gower's distances of one query from the rows of a panel, with the vectors that the processor has.
void gower_distances(const MixedSearch& search, const MixedPanel& panel, const double* numbers,
                     const std::int32_t* levels, double (&distances)[kMixedRows]);

}  // namespace heldout
