#pragma once

#include <vector>

#include "tree/problem.hpp"
#include "tree/tree.hpp"

namespace heldout {

// The same problem with targets and weights of ordinary size, so that no square overflows and nothing is
// lost beside a large offset. Everything is multiplied by powers of two, and an offset is taken away only
// where that is exact: the tree is the one that the numbers as given have.
class ScaledProblem {
  public:
    explicit ScaledProblem(const Problem& problem);

    const Problem& problem() const { return scaled_; }
    double min_leaf(double given) const;

    // Puts the tree's numbers back into the units that were given.
    void restore(Tree& tree) const;

  private:
    void scale_targets(std::span<const double> targets);
    void scale_weights(std::span<const double> weights);

    Problem scaled_;
    std::vector<double> targets_;
    std::vector<double> weights_;
    double offset_ = 0;
    int target_exponent_ = 0;
    int weight_exponent_ = 0;
};

}  // namespace heldout
