#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/problem.hpp"

namespace heldout {

// The codes of one numeric column in at most 256 bins that keep their order, each with about as many rows;
// a frequent value has a bin of its own. With few codes a bin is a code.
struct Bins {
    std::vector<std::uint8_t> of_row;
    std::vector<std::uint32_t> last_code;  // of each bin

    std::size_t size() const { return last_code.size(); }
    bool is_exact(std::uint32_t n_codes) const { return last_code.size() == n_codes; }
};

// For a column without unknown values.
Bins bins_of_column(const Problem& problem, std::size_t column);

}  // namespace heldout
