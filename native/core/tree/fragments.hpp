#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/presort.hpp"

namespace heldout {

// An open node of a tree whose rows may be split among branches: the fragments of rows that came to it, and
// for each numeric column the order of their values. A row has at most one fragment in a node.
template <class Word>
struct FragmentNode {
    std::int32_t node = 0;
    std::int64_t depth = 0;
    std::vector<std::uint32_t> rows;   // of each fragment, ascending
    std::vector<double> weights;       // of each fragment
    std::vector<Word> words;           // n_orders x size(): fragments by value, unknown ones last
    std::vector<std::size_t> n_known;  // per order

    std::size_t size() const { return rows.size(); }
    // One more than there are fragments: a partition may write behind the last.
    std::size_t stride() const { return rows.size() + 1; }
    const Word* order(std::size_t index) const { return words.data() + index * stride(); }
    Word* order(std::size_t index) { return words.data() + index * stride(); }
};

// The root: every row is one whole fragment.
template <class Word>
FragmentNode<Word> whole_rows(const Problem& problem, Orders<Word>& orders);

// Where the fragments of a node go. A fragment with a known value has one branch; one with an unknown value
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
    FragmentPartition(const FragmentNode<Word>& node, const WordLayout<Word>& layout,
                      const Branching& branching, const std::vector<std::uint8_t>& wanted);

    // The orders may be partitioned one by one, by several threads.
    void partition_order(std::size_t index);
    std::vector<FragmentNode<Word>> take();

  private:
    static constexpr std::uint32_t kNowhere = 0xffffffffU;

    void place_fragments();
    void place_in_two();
    void partition_in_two(std::size_t index);
    void partition_in_many(std::size_t index);

    const FragmentNode<Word>& node_;
    const WordLayout<Word>& layout_;
    const Branching& branching_;
    std::vector<std::uint32_t> open_;           // the wanted branches
    std::vector<std::uint32_t> child_of_;       // per branch: its place among the wanted ones, or kNowhere
    std::vector<std::uint32_t> place_;          // per fragment: its place in its branch, or among the unknown
    std::vector<std::uint32_t> unknown_place_;  // per wanted branch and unknown fragment: its place there
    std::vector<std::uint64_t> two_places_;     // at most two branches: the places in both, or kNowhere
    std::size_t n_unknown_ = 0;
    std::vector<FragmentNode<Word>> children_;
};

}  // namespace heldout
