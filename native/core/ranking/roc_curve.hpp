#pragma once

#include <cstddef>
#include <vector>

#include "base/aligned_buffer.hpp"
#include "ranking/ranked_classes.hpp"

namespace heldout {

// From the highest score down: each distinct score, and how many rows (or what weight) of each class have at
// least this score. Only the first n_steps entries of the arrays are filled.
struct Steps {
    std::size_t n_steps = 0;
    AlignedBuffer<double> thresholds, positives, negatives;
    double area = 0;
};

// Both zeros are one score. Rows of weight 0 are left out. The area under the curve is exact but for one
// rounding where rows count 1, and within one unit of the last place under weights; NaN where a class is
// empty.
Steps steps_of(const ScoredRows& rows, std::size_t n_threads);

// The area alone.
double area_under_curve(const ScoredRows& rows, std::size_t n_threads);

// Where the rows of each class lie among those of the other, in the order of the rows: for each positive row
// the share of negative rows below it, for each negative row the share of positive rows above it. Ties count
// half; NaN where the other class is empty.
struct Placements {
    std::vector<double> of_positives, of_negatives;
};

Placements placements_of(const ScoredRows& rows, std::size_t n_threads);

}  // namespace heldout
