#pragma once

#include <cstddef>
#include <cstdint>

#include "tree/rows.hpp"

namespace heldout {

// The node that each row ends in. An unknown value goes to the default child.
void apply_tree(const Tree& tree, const Rows& rows, std::size_t n_threads, std::int32_t* reached);

}  // namespace heldout
