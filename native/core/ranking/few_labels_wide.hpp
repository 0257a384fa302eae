#pragma once

#include <cstdint>
#include <span>

#include "ranking/count_pairs.hpp"

namespace heldout {

// So many cells are told apart by comparing sixty-four pairs at once with each of them.
constexpr std::size_t kMostFewCells = 16;

// How often each pair occurs, for processors with wide vectors and a matrix of few cells; false if a label
// lies outside. `counts` has one place for each cell.
template <Whole T>
bool count_few_wide(const Pairs<T>& pairs, std::span<std::int64_t> counts);

}  // namespace heldout
