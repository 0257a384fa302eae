#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/log2.hpp"
#include "tree/problem.hpp"

namespace heldout {

// How impure a group of rows is, computed from its sums.
//
// The sums of a group are its class weights or, for regression, {weight, weighted sum of the target}. The
// quality of a group is additive over groups and grows with purity, so that
//     gain = (sum of the children's qualities - quality of the node) / weight of the node
// is the decrease of impurity in the criterion's own units.
class Impurity {
  public:
    Impurity(Criterion criterion, std::size_t n_classes)
        : criterion_(criterion), width_(criterion == Criterion::kSquaredError ? 2 : n_classes) {}

    std::size_t width() const { return width_; }
    double weight(const double* sums) const;
    double quality(const double* sums) const;

    // The impurity of a group by itself; for regression that needs more than the sums (see GroupSums).
    double of(const double* sums) const;

  private:
    Criterion criterion_;
    std::size_t width_;
};

// Weights that differ by rounding alone are equal.
inline bool is_heavier(double weight, double other) {
    return weight > other * (1 + 1e-9);
}

inline double x_log2_x(double x) {
    return x > 0 ? x * log2_of(x) : 0.0;
}

// x·log2(x) for every count up to n, in fixed point: sums of them are exact, in whatever order they are
// made, so that equal splits tie exactly.
class EntropyTable {
  public:
    explicit EntropyTable(std::size_t n);

    std::int64_t operator[](std::size_t count) const { return table_[count]; }
    // Rounded down a little, so that it may serve as a floor.
    std::int64_t to_fixed(double number) const { return static_cast<std::int64_t>(number / unit_) - 1; }
    double to_double(std::int64_t fixed) const { return static_cast<double>(fixed) * unit_; }

  private:
    std::vector<std::int64_t> table_;
    double unit_;
};

}  // namespace heldout
