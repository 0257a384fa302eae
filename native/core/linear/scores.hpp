#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "linear/rows.hpp"

namespace heldout {

// The scores of each row by each of several linear functions: its intercept, plus the products in the order
// of the columns. One function behind the other in `weights`; one row behind the other in the result.
std::vector<double> linear_scores(const DenseRows& rows, std::span<const double> weights,
                                  std::span<const double> intercepts);
std::vector<double> linear_scores(const SparseRows& rows, std::span<const double> weights,
                                  std::span<const double> intercepts);

}  // namespace heldout
