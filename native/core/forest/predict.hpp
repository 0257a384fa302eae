#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "forest/forest.hpp"
#include "tree/apply.hpp"

namespace heldout {

struct ForestPredictOptions {
    std::span<const std::size_t> prefixes;  // how many of the first trees predict together, ascending
    PredictionKind kind = PredictionKind::kShares;
    std::size_t n_threads = 1;
};

// What the first trees predict together, for each of the prefixes: prefix x row x output. The predictions of
// the trees are added up in their order, whatever the number of threads.
void predict_forest(const ForestView& forest, const Rows& rows, const ForestPredictOptions& options,
                    double* predictions);

// The node in which each row ends in each tree, counted from the tree's first: row x tree.
void apply_forest(const ForestView& forest, const Rows& rows, std::size_t n_threads, std::int32_t* reached);

}  // namespace heldout
