#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tree/problem.hpp"
#include "tree/tree.hpp"

namespace heldout {

struct ReducedErrorOptions {
    bool is_best_first = false;  // takes the split that gains most, again and again, until every one would
                                 // lose; otherwise each split is decided once, after those below it
    bool prune_ties = true;      // a split that loses nothing as a leaf becomes one
};

// Reduced-error pruning: costs[node] is what the node loses as a leaf on validation rows. Gives 1 where a
// split becomes a leaf.
std::vector<std::uint8_t> reduced_error(const Tree& tree, std::span<const double> costs,
                                        const ReducedErrorOptions& options);

// Cost-complexity pruning for every alpha at once (Breiman et al. 1984). costs[node] is what the node costs
// as a leaf; alpha is paid for each leaf. Gives for each split the smallest alpha at which it, or a split
// above it, is a leaf in the cheapest tree; 0 for leaves.
std::vector<double> weakest_links(const Tree& tree, std::span<const double> costs);

struct PessimisticOptions {
    double confidence = 0.25;     // the probability that a leaf's true error is above the limit
    double deviate = 0;           // the normal deviate that is exceeded with that probability
    bool raises_subtrees = true;  // a split may be replaced by its heaviest branch, not by a leaf alone
    bool splits_missing = false;  // as the tree was grown; the same in all settings of one call
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
