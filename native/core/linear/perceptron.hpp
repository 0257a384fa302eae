#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "linear/scores.hpp"

namespace heldout {

struct PerceptronOptions {
    std::vector<std::uint32_t> snapshots;  // after which epochs the weights are wanted, ascending, from 1 on
    bool shuffles = true;                  // each epoch goes through the rows in an order of its own
    bool fits_intercept = true;
    bool keeps_sums = true;     // for the average of the weights
    bool keeps_updates = true;  // for the vote of all weights that there were
    std::uint64_t seed = 0;     // of the shuffles
};

// What was learned. Two classes have one row of weights, more have a row for each. A row has its intercept
// last; weights[column * n_weight_rows + row]. An update adds its row to the class that it raises and
// subtracts it from the one that it lowers.
struct PerceptronRun {
    std::size_t n_weight_rows = 0;
    std::size_t n_snapshots = 0;  // fewer than requested if an epoch made no mistake: later ones are
                                  // equal to the last
    std::vector<double> weights;  // one block for each snapshot
    std::vector<double> sums;     // the same of each update times the number of steps before it
    std::vector<std::uint64_t> n_mistakes;  // of each epoch that was run
    std::vector<std::uint32_t> update_row;  // which row was added
    std::vector<std::uint32_t> update_raised;
    std::vector<std::uint32_t> update_lowered;
    std::vector<std::uint64_t> update_step;  // the number of steps before it
};

// Goes through the rows until an epoch makes no mistake or the last snapshot is reached. A mistake is a row
// whose class has not a larger score than every other. A score is the intercept plus the products in the
// order of the columns, so zeros may be stored or not.
PerceptronRun train_perceptron(const DenseRows& rows, std::span<const std::uint32_t> classes,
                               std::size_t n_classes, const PerceptronOptions& options);
PerceptronRun train_perceptron(const SparseRows& rows, std::span<const std::uint32_t> classes,
                               std::size_t n_classes, const PerceptronOptions& options);

// The numbers below n in an order that depends on the seed and the epoch alone.
void shuffle_epoch(std::uint64_t seed, std::uint64_t epoch, std::vector<std::uint32_t>& order);

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
