#pragma once

#include "base/team.hpp"
#include "tree/presort.hpp"
#include "tree/tree.hpp"

namespace heldout {

// Grows a tree that splits rows with unknown values among the branches. The orders stay as they are.
template <class Word>
Tree grow_from_fragments(const Problem& problem, Orders<Word>& orders, Team& team);

}  // namespace heldout
