#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "forest/bag.hpp"
#include "forest/forest.hpp"
#include "tree/apply.hpp"

namespace heldout {

struct OutOfBagOptions {
    BagOptions bag;                            // as the forest was grown: which rows a tree did not see
    std::span<const double> bag_weights = {};  // of the rows when bags were drawn; empty: all alike
    PredictionKind kind = PredictionKind::kNone;
    std::size_t n_threads = 1;
};

// For each training row the sum of the predictions of the trees that did not see it, row x output, added up
// in the order of the trees, and how many trees these are.
void predict_out_of_bag(const ForestView& forest, const Rows& rows, const OutOfBagOptions& options,
                        double* sums, std::int32_t* n_trees);

// Tree x column: by how much the mean loss of a tree on the rows out of its bag grows when the values of a
// column are shuffled among them. The loss is 1 for a wrong class, or the squared error. 0 where a tree does
// not use the column, or no row of any weight is out of its bag. Nothing is predicted: the kind does not
// count.
void permuted_losses(const ForestView& forest, const Rows& rows, const Labels& labels,
                     const OutOfBagOptions& options, double* losses);

}  // namespace heldout
