#include "neighbors/search.hpp"

#include <limits>

#include "base/require.hpp"

namespace heldout {

void require_search(std::size_t n_references, std::size_t n_queries, std::size_t k, bool leaves_own_out) {
    require(n_references <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()),
            "too many references: at most 2^31 - 1");
    require(!leaves_own_out || n_references == n_queries,
            "where a row is not its own neighbor, the queries are the references");
    require(k >= 1, "k must be at least 1");
    require(k + (leaves_own_out ? 1 : 0) <= n_references, "k is larger than the number of references");
}

}  // namespace heldout
