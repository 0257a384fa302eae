#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/problem.hpp"

namespace heldout {

// Level and class of each row in one number, level * n_classes + class, for the categories in which that
// fits into 16 bits: counting then reads one array instead of two.
class JointCodes {
  public:
    explicit JointCodes(const Problem& problem);

    // Null where there are none.
    const std::uint16_t* of_column(std::size_t column) const {
        return codes_[column].empty() ? nullptr : codes_[column].data();
    }

  private:
    std::vector<std::vector<std::uint16_t>> codes_;
};

}  // namespace heldout
