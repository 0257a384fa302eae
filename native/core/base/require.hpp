#pragma once

#include <stdexcept>

namespace heldout {

// Every relation between shapes is checked in the core; the binding turns this into a ValueError.
inline void require(bool holds, const char* message) {
    if (!holds) throw std::invalid_argument(message);
}

}  // namespace heldout
