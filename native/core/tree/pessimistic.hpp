#pragma once

#include <span>
#include <vector>

#include "tree/problem.hpp"
#include "tree/tree.hpp"

namespace heldout {

struct PessimisticOptions {
    double confidence = 0.25;  // the chance that a leaf's true error is above the limit
    double deviate = 0;        // the normal deviate that is exceeded with that chance
    bool raises_subtrees = true;
    bool splits_unknown = false;  // the same in all settings of one call
};

// C4.5's pruning by the upper confidence limit of the error on the training rows themselves. A split that
// gets no more training rows right than a leaf goes first. Then, from the bottom up, a split becomes a leaf
// or, where that promises fewer errors, is replaced by its heaviest branch, into which all its rows then
// fall. One tree for each setting; the rows are brought to their leaves once.
std::vector<Tree> prune_pessimistic(const Problem& problem, const Tree& tree,
                                    std::span<const PessimisticOptions> settings);

// How many errors to expect in a leaf beyond those that it has: the upper limit of a binomial rate.
double added_errors(double weight, double errors, const PessimisticOptions& options);

}  // namespace heldout
