#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "forest/bag.hpp"
#include "forest/forest.hpp"
#include "tree/apply.hpp"

namespace heldout {

// For each training row the sum of the answers of the trees that did not see it, row x output, added up in
// the order of the trees, and how many trees these are.
void predict_out_of_bag(const ForestView& forest, const Rows& rows, const BagOptions& bag,
                        std::span<const double> weights, Answer answer, std::size_t n_threads, double* sums,
                        std::int32_t* n_trees);

// What the rows are judged by: classes or targets, the other is empty; empty weights count once.
struct Truth {
    std::span<const std::uint32_t> classes;
    std::span<const double> targets;
    std::span<const double> weights;
};

// Tree x column: by how much the mean loss of a tree on the rows out of its bag grows when the values of a
// column are shuffled among them. The loss is 1 for a wrong class, or the squared error. 0 where a tree does
// not use the column, or no row of any weight is out of its bag.
void permuted_losses(const ForestView& forest, const Rows& rows, const Truth& truth, const BagOptions& bag,
                     std::span<const double> bag_weights, std::size_t n_threads, double* losses);

}  // namespace heldout
