#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/team.hpp"
#include "tree/presort.hpp"
#include "tree/tree.hpp"

namespace heldout {

// An open node of a tree whose rows may be split among branches: the fragments of rows that came to it, and
// for each numeric column the order of those whose value is known. A row has at most one fragment in a node.
template <class Word>
struct FragmentNode {
    std::int32_t node = 0;
    std::int64_t depth = 0;
    std::vector<std::uint32_t> rows;   // of each fragment, ascending
    std::vector<double> weights;       // of each fragment
    std::unique_ptr<Word[]> words;     // n_orders x stride(): fragments by value
    std::vector<std::size_t> n_known;  // per order

    std::size_t size() const { return rows.size(); }
    // One more than there are fragments: a partition may write behind the last.
    std::size_t stride() const { return rows.size() + 1; }
    const Word* order(std::size_t index) const { return words.get() + index * stride(); }
    Word* order(std::size_t index) { return words.get() + index * stride(); }
};

// The root: every row is one whole fragment.
template <class Word>
FragmentNode<Word> whole_rows(const Problem& problem, Orders<Word>& orders);

// Where the fragments of a node go. A fragment with a known value has one branch; one with a missing value
// goes into all of them, with the branch's share of its weight.
struct Branching {
    static constexpr std::uint32_t kAll = 0xffffffffU;

    std::vector<std::uint32_t> branch_of;  // per fragment
    std::vector<double> shares;            // per branch
};

// Makes the nodes of the branches that are wanted.
template <class Word>
class FragmentPartition {
  public:
    // sizes[branch]: how many fragments come to it; 0 if its node is not wanted
    FragmentPartition(const FragmentNode<Word>& node, const WordLayout<Word>& layout,
                      const Branching& branching, const std::vector<std::size_t>& sizes);

    // The orders may be partitioned one by one, by several threads.
    void partition_order(std::size_t index);
    std::vector<FragmentNode<Word>> take();

  private:
    static constexpr std::uint32_t kNowhere = 0xfffffffeU;

    void place_fragments();
    void place_in_two();
    void partition_in_two(std::size_t index);
    void partition_in_many(std::size_t index);

    const FragmentNode<Word>& node_;
    const WordLayout<Word>& layout_;
    const Branching& branching_;
    std::vector<std::uint32_t> open_;  // the wanted branches
    // Per fragment: the wanted branch and the position there; kAll and its position among the missing; or
    // kNowhere. With at most two wanted branches: the positions in both.
    std::vector<std::uint64_t> goal_;
    std::vector<std::uint32_t>
        missing_position_;  // per fragment with a missing value and wanted branch: its position there
    std::size_t n_missing_ = 0;
    std::vector<FragmentNode<Word>> children_;
};

// Grows a tree that splits rows with missing values among the branches. The orders stay as they are.
template <class Word>
Tree grow_from_fragments(const Problem& problem, Orders<Word>& orders, Team& team);

}  // namespace heldout
