#include "tree/pessimistic.hpp"

#include "base/require.hpp"

namespace heldout {

Tree prune_pessimistic(const Problem&, const Tree& tree, const PessimisticOptions&) {
    require(false, "under construction");
    return tree;
}

}  // namespace heldout
