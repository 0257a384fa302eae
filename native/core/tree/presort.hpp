#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/team.hpp"
#include "tree/problem.hpp"

namespace heldout {

// An entry of a presorted order: which row it is, its class, and whether its value differs from that of
// the entry before. With the class and the tie in the word, a scan reads memory in order and never gathers.
template <class Word>
struct WordLayout {
    static constexpr Word kStartsValue = Word{1} << (8 * sizeof(Word) - 1);

    unsigned row_bits;
    Word row_mask;

    WordLayout(std::size_t n_rows)
        : row_bits(static_cast<unsigned>(std::bit_width(n_rows - 1))),
          row_mask(static_cast<Word>((std::uint64_t{1} << row_bits) - 1)) {}

    static bool fits(std::size_t n_rows, std::size_t n_classes) {
        const auto class_bits = n_classes > 1 ? std::bit_width(n_classes - 1) : 0;
        return static_cast<std::size_t>(std::bit_width(n_rows - 1) + class_bits) < 8 * sizeof(Word);
    }

    Word pack(std::size_t row, std::size_t class_) const {
        return static_cast<Word>(static_cast<Word>(class_) << row_bits | static_cast<Word>(row));
    }
    std::size_t row(Word word) const { return word & row_mask; }
    std::size_t class_of(Word word) const { return (word & static_cast<Word>(~kStartsValue)) >> row_bits; }
    static bool starts_value(Word word) { return (word & kStartsValue) != 0; }
};

// For every numeric column the rows in the order of its values, missing ones last; and, where there are
// categories, one list of all rows as they come. A node is the same range in each of them.
template <class Word>
class Orders {
  public:
    Orders(const Problem& problem, Team& team);

    const WordLayout<Word>& layout() const { return layout_; }
    std::size_t n_orders() const { return n_orders_; }
    Word* order(std::size_t index) { return words_.data() + index * n_rows_; }

    // The order of a column: its own if it is numeric, the list of rows if it is a category.
    std::size_t index_of(std::size_t column) const { return index_of_column_[column]; }
    bool has_missing(std::size_t column) const { return has_missing_[column] != 0; }
    bool has_missing() const {
        return std::ranges::any_of(has_missing_, [](std::uint8_t has) { return has != 0; });
    }

  private:
    void sort_column(const Problem& problem, std::size_t column);
    void list_rows(const Problem& problem);

    WordLayout<Word> layout_;
    std::size_t n_rows_;
    std::size_t n_orders_ = 0;
    std::vector<std::size_t> index_of_column_;
    std::vector<std::uint8_t> has_missing_;
    std::vector<Word> words_;
};

}  // namespace heldout
