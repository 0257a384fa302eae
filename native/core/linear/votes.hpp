#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "linear/rows.hpp"

namespace heldout {

// All weights that a perceptron had, each as what was added to those before it.
struct VotedUpdates {
    SparseRows rows;                         // the rows that were added, each once
    std::span<const std::uint32_t> row;      // of each update: which of them
    std::span<const std::uint32_t> raised;   // the class to which it was added
    std::span<const std::uint32_t> lowered;  // the class from which it was subtracted
    std::span<const double> votes;           // how many votes the weights have after it
    std::size_t n_classes;
    bool has_intercept;
};

// How many votes each class gets for each row, one row behind the other. Of equal scores the first class has
// the vote. The scores of the weights after an update are those before it, plus and minus the product of the
// updating row with this one: so the votes of all weights take one pass over the updates.
std::vector<double> count_votes(const VotedUpdates& updates, const DenseRows& rows);
std::vector<double> count_votes(const VotedUpdates& updates, const SparseRows& rows);

}  // namespace heldout
