#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "tree/split_search.hpp"

namespace heldout {

// Which column a node is split on, given the best split of each: by gain, by gain ratio, or by gain
// against cost. None, if no split gains more than min_gain. Ties go to the lower column.
std::optional<std::size_t> choose_column(const Problem& problem, double impurity,
                                         std::span<const ColumnSplit> splits);

}  // namespace heldout
