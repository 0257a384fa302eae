#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/team.hpp"
#include "tree/group_sums.hpp"
#include "tree/presort.hpp"
#include "tree/split_search.hpp"
#include "tree/tree.hpp"

namespace heldout {

// A node that is still to be split: the same range in every order.
struct OpenNode {
    std::int32_t node;
    std::size_t begin;
    std::size_t n_rows;
    std::int64_t depth;
};

// What all growers of one tree share. A row belongs to one open node at a time, so growers of different
// nodes never touch the same entry.
template <class Word>
struct TreeData {
    TreeData(const Problem& p, Orders<Word> sorted);

    const Problem& problem;
    Orders<Word> orders;
    EntropyTable entropies;
    static constexpr std::size_t kReadAhead = 3;  // the AVX-512 kernels read four marks at a time
    std::vector<std::uint8_t> marks;              // binary splits: the rows of one child; zero between splits
    std::vector<std::uint32_t> branch;            // multiway splits: which child
};

// Scratch memory of one thread.
template <class Word>
struct Workspace {
    explicit Workspace(TreeData<Word>& data)
        : search(data.problem, data.orders, data.entropies), scratch(data.problem.n_rows) {}

    SplitSearch<Word> search;
    std::vector<Word> scratch;
    std::vector<Word> carried;
    std::vector<std::size_t> ends;
};

// Grows the part of a tree below one node.
template <class Word>
class SubtreeGrower {
  public:
    // Columns are shared out among the team; a team of one leaves them to the first workspace.
    SubtreeGrower(TreeData<Word>& data, Team& team, std::vector<Workspace<Word>*> workspaces);

    void start_at_root();
    void start_at(const Tree& tree, const OpenNode& open);

    // Depth first; nodes of at most `set_aside` rows are left to others.
    void grow_depth_first(std::size_t set_aside);
    // The node that gains most is split next, until there are max_leaves.
    void grow_best_first(std::size_t max_leaves);

    Tree& tree() { return tree_; }
    const std::vector<OpenNode>& set_aside() const { return set_aside_; }

  private:
    struct Choice {
        std::size_t column;
        ColumnSplit split;
        double mean_rest;
    };

    NodeView view(const OpenNode& open, double mean_rest) const;
    double rest_of_mean(const OpenNode& open);
    std::optional<Choice> find_split(const OpenNode& open);
    bool compares_gains() const;
    std::size_t search_by_team(const NodeView& node);
    std::size_t search_in_turn(const NodeView& node);
    bool is_open(const GroupSums& sums, std::int64_t depth) const;

    std::vector<OpenNode> split(const OpenNode& open, const Choice& choice);
    std::vector<GroupSums> cut_numbers(const OpenNode& open, const Choice& choice);
    std::vector<GroupSums> cut_levels(const OpenNode& open, const Choice& choice);
    std::vector<GroupSums> branch_by_level(const OpenNode& open, const Choice& choice);
    std::vector<OpenNode> add_children(const OpenNode& open, const std::vector<GroupSums>& groups);
    void partition_orders(const OpenNode& open, std::size_t n_groups, std::vector<OpenNode>& children);
    void mark(std::span<const Word> words, GroupSums& sums);
    // visit(word, is_known, level) for every row of the node
    template <class Visit>
    void for_each_level(const OpenNode& open, std::size_t column, Visit visit) {
        const auto& codes = problem_.columns[column].codes;
        const Word* words = data_.orders.order(data_.orders.index_of(column)) + open.begin;
        for (std::size_t i = 0; i < open.n_rows; ++i) {
            const auto level = codes[problem_.table_row(data_.orders.layout().row(words[i]))];
            visit(words[i], level != codes.missing(), level);
        }
    }
    double number_at(std::size_t column, Word word) const;

    TreeData<Word>& data_;
    const Problem& problem_;
    Team& team_;
    std::vector<Workspace<Word>*> workspaces_;
    Tree tree_;
    std::vector<OpenNode> stack_;
    std::vector<OpenNode> set_aside_;
    std::vector<ColumnSplit> splits_;
    std::vector<std::int32_t> branch_levels_;
    std::vector<std::size_t> marked_rows_;
    std::int32_t marked_child_ = 1;
};

}  // namespace heldout
