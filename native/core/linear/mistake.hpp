#pragma once

#include <cstdint>

namespace heldout {

// What weights say of a row whose class is known.
struct Mistake {
    bool is_one;
    std::uint32_t rival = 0;  // the class that scored too high
};

}  // namespace heldout
