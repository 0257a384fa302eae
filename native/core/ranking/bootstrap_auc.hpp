#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ranking/ranked_classes.hpp"

namespace heldout {

struct BootstrapOptions {
    std::size_t n_resamples;
    std::uint64_t seed;
    bool is_stratified;     // each class is resampled by itself
    std::size_t n_threads;  // changes the time that it takes, never the areas
};

// The area under the curve of each resample of the rows; NaN where it lacks a class. The scores are ranked
// once, and resample i depends on the seed and on i alone.
std::vector<double> bootstrap_auc(const ScoredRows& rows, const BootstrapOptions& options);

}  // namespace heldout
