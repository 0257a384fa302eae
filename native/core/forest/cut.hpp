#pragma once

#include <cstdint>

#include "forest/forest_view.hpp"

namespace heldout {

// The forest in which every node at this depth is a leaf; below 0 there is no limit. What its splits gained
// is known only where none of them is gone: otherwise there are no importances.
Forest cut_forest(const ForestView& forest, std::int64_t max_depth);

}  // namespace heldout
