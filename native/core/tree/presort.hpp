#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/team.hpp"
#include "tree/problem.hpp"
#include "tree/words.hpp"

namespace heldout {

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
