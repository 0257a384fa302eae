#pragma once

#include <vector>

#include "forest/forest_view.hpp"
#include "tree_arrays.hpp"

namespace heldout::bind {

// A forest as a dict of arrays, without a copy of them.
Arrays give_forest(Forest&& forest);

// The arrays of such a dict, and their owners: nothing of them goes away while they are read.
struct TakenForest {
    ForestView view;
    std::vector<nb::object> owners;
};

// Only what the arrays are is looked at here; the core checks how they fit together.
TakenForest take_forest(const Arrays& arrays);

}  // namespace heldout::bind
