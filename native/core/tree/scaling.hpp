#pragma once

#include <cmath>
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

    // Whether nothing was scaled.
    bool is_as_given() const { return weight_exponent_ == 0 && target_exponent_ == 0 && offset_ == 0; }
    double weight_as_given(double weight) const { return std::ldexp(weight, weight_exponent_); }
    double gain_as_given(double gain) const { return std::ldexp(gain, 2 * target_exponent_); }
    double target_as_given(double target) const { return std::ldexp(target, target_exponent_) + offset_; }

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
