#pragma once

#include <vector>

#include "ranking/ranked_classes.hpp"

namespace heldout {

// Where the rows of each class lie among those of the other, in the order of the rows: for each positive row
// the share of negative rows below it, for each negative row the share of positive rows above it. Ties count
// half; NaN where the other class is empty.
struct Placements {
    std::vector<double> of_positives, of_negatives;
};

Placements placements_of(const ScoredRows& rows, std::size_t n_threads);

}  // namespace heldout
