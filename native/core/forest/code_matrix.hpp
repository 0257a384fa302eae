#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/problem.hpp"

namespace heldout {

// The codes of a problem's rows in one array of one width: row by row, so that small nodes find the columns
// of a row together, or column by column where there are many columns.
class CodeMatrix {
  public:
    explicit CodeMatrix(const Problem& problem);

    std::size_t width() const { return width_; }
    std::size_t row_stride() const { return row_stride_; }

    // Whether the place of every code, counted in codes, can be told in 31 bits.
    bool is_small() const { return bytes_.size() / width_ < std::size_t{1} << 31; }

    // A code may be read as 32 bits, whatever its width.
    static constexpr std::size_t kReadAhead = 4;

    // Calls visitor with a typed pointer to the column's code of row 0; rows stand row_stride() apart.
    template <class Visitor>
    decltype(auto) visit(std::size_t column, Visitor&& visitor) const {
        const std::uint8_t* first = bytes_.data() + column * column_stride_ * width_;
        if (width_ == 1) return visitor(first);
        if (width_ == 2) return visitor(reinterpret_cast<const std::uint16_t*>(first));
        return visitor(reinterpret_cast<const std::uint32_t*>(first));
    }

  private:
    void fill(const Problem& problem);

    std::size_t width_ = 1;
    std::size_t row_stride_ = 1;
    std::size_t column_stride_ = 1;
    std::vector<std::uint8_t> bytes_;
};

}  // namespace heldout
