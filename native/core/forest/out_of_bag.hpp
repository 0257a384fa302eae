#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "forest/bag.hpp"
#include "forest/forest_view.hpp"
#include "forest/predict_answers.hpp"
#include "tree/rows.hpp"

namespace heldout {

// For each training row the sum of the answers of the trees that did not see it, row x output, added up in
// the order of the trees, and how many trees these are.
void predict_out_of_bag(const ForestView& forest, const Rows& rows, const BagOptions& bag,
                        std::span<const double> weights, Answer answer, std::size_t n_threads, double* sums,
                        std::int32_t* n_trees);

}  // namespace heldout
