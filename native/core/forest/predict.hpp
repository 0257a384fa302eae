#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "forest/forest.hpp"
#include "tree/apply.hpp"

namespace heldout {

// What the first trees answer together, for each of the ascending prefixes: prefix x row x output. The
// answers of the trees are added up in their order, whatever the number of threads.
void predict_forest(const ForestView& forest, const Rows& rows, std::span<const std::size_t> prefixes,
                    Answer answer, std::size_t n_threads, double* answers);

// The node in which each row ends in each tree, counted from the tree's first: row x tree.
void apply_forest(const ForestView& forest, const Rows& rows, std::size_t n_threads, std::int32_t* reached);

}  // namespace heldout
