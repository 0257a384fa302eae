#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/fragment_scan.hpp"
#include "tree/fragments.hpp"
#include "tree/level_search.hpp"
#include "tree/problem.hpp"
#include "tree/split_search.hpp"

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

// Finds the best split of one column among the fragments of a node, as C4.5 does: the gain is that of the
// fragments whose value is known, as a part of all, and split_info counts the missing ones as a branch.
// Holds scratch memory: one for each thread.
template <class Word>
class FragmentSearch {
  public:
    FragmentSearch(const Problem& problem, const Orders<Word>& orders, const JointCodes& joint_codes);

    ColumnSplit search(std::size_t column, const FragmentNode<Word>& node, const NodeView& view);

    // The winner once more, with what is needed to make its branches.
    LevelSplit level_split(std::size_t column, const FragmentNode<Word>& node, const NodeView& view);
    const LevelTable& levels() const { return table_; }
    std::size_t heaviest_level() const { return level_search_.heaviest(table_); }

  private:
    ColumnSplit search_numbers(std::size_t column, const FragmentNode<Word>& node, const NodeView& view);
    void count_levels(std::size_t column, const FragmentNode<Word>& node, const NodeView& view);
    bool counts_densely(std::size_t column, const FragmentNode<Word>& node) const;
    void count_densely(std::size_t column, const FragmentNode<Word>& node, const NodeView& view);
    ColumnSplit dense_branches(std::size_t column, const NodeView& view) const;
    void add_fragment(std::size_t row, double weight, const NodeView& view, double* sums) const;

    const Problem& problem_;
    const Orders<Word>& orders_;
    const JointCodes& joint_codes_;
    Impurity impurity_;
    LevelSearch level_search_;
    LevelTable table_;
    std::vector<double> dense_;
    FragmentScan<Word> scan_;
    bool is_entropy_;
};

}  // namespace heldout
