#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tree/problem.hpp"
#include "tree/tree.hpp"

namespace heldout {

// A row, or the part of one, that came to a node.
struct RowFragment {
    std::uint32_t row;
    double weight;
};

// A classification tree together with the training rows in its leaves, so that branches can be moved and
// rows fall anew. Nodes keep their numbers while it lives; those that are cut off are not reached any more.
class MutableTree {
  public:
    using Counts = std::span<const double>;
    using Fragments = std::vector<RowFragment>;

    MutableTree(const Problem& problem, const Tree& tree, bool splits_missing);

    std::size_t size() const { return branches_.size(); }
    bool is_leaf(std::int32_t branch) const { return branches_[branch].children.empty(); }
    std::span<const std::int32_t> children(std::int32_t branch) const { return branches_[branch].children; }
    Counts counts(std::int32_t branch) const { return branches_[branch].counts; }
    std::int32_t heaviest_child(std::int32_t branch) const;
    std::vector<std::int32_t> breadth_first_from(std::int32_t branch) const;

    // Whether a training row has a missing value in a column that the tree splits on.
    bool has_missing() const { return has_missing_; }
    bool has_whole_rows() const { return problem_.weights.empty(); }

    // Lets all rows of a node fall into one of its children, without changing anything: visit(counts) for
    // each leaf that they reach, until it returns false.
    template <class Visit>
    void try_all_rows(std::int32_t branch, std::int32_t child, Visit visit) const {
        std::vector<std::pair<std::int32_t, Fragments>> waiting;
        waiting.emplace_back(child, merge_fragments(fragments(branch)));
        while (!waiting.empty()) {
            auto [index, members] = std::move(waiting.back());
            waiting.pop_back();
            if (is_leaf(index)) {
                if (!visit(count(members))) return;
                continue;
            }
            Fallen fallen = fall(branches_[index], members);
            for (const auto& [level, group] : fallen.of_new_level)
                if (!visit(count(group))) return;
            for (std::size_t i = 0; i < fallen.of_child.size(); ++i)
                waiting.emplace_back(branches_[index].children[i], std::move(fallen.of_child[i]));
        }
    }

    // Without missing values the rows of the child stay where they are, and those of its siblings fall one
    // by one: visit(leaf, counts) with the leaf's class weights and all that has come so far, until it says
    // no. A level that has no branch makes a leaf of its own, numbered behind all others.
    template <class Visit>
    void try_further_rows(std::int32_t branch, std::int32_t child, Visit visit) {
        Trial trial;
        Block block;
        const auto visit_block = [&] {
            find_leaves(child, block, trial);
            for (std::size_t i = 0; i < block.size; ++i) {
                auto& counts = trial.counts_of(block.leaves[i], *this);
                counts[problem_.classes[block.fragments[i].row]] += block.fragments[i].weight;
                if (!visit(block.leaves[i], counts)) return false;
            }
            block.size = 0;
            return true;
        };
        for (const auto sibling : branches_[branch].children) {
            if (sibling == child) continue;
            walk_.assign(1, sibling);
            while (!walk_.empty()) {
                const Branch& here = branches_[walk_.back()];
                walk_.pop_back();
                walk_.insert(walk_.end(), here.children.begin(), here.children.end());
                for (const auto& fragment : here.here) {
                    block.fragments[block.size++] = fragment;
                    if (block.size == kBlock && !visit_block()) return;
                }
            }
        }
        visit_block();
    }

    void make_leaf(std::int32_t branch);

    // The node takes the split and the children of its child, and all its rows fall into them.
    void raise(std::int32_t branch, std::int32_t child);

    // The tree as it is now.
    Tree finish() const;

  private:
    struct Branch {
        Node node;
        std::vector<std::int32_t> children;
        std::vector<double> counts;
        Fragments here;  // of a leaf
        bool is_changed = false;
    };

    // Fragments that fall from one node: those of each child, and those whose level has no branch.
    struct Fallen {
        std::vector<Fragments> of_child;
        std::vector<std::pair<std::int32_t, Fragments>> of_new_level;
        std::size_t heaviest = 0;
    };

    // Leaves that a trial has changed, and those that it would add.
    struct Trial {
        std::unordered_map<std::int32_t, std::vector<double>> counts;
        std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> new_leaves;

        std::vector<double>& counts_of(std::int32_t leaf, const MutableTree& tree) {
            const auto [entry, is_new] = counts.try_emplace(leaf);
            if (is_new && static_cast<std::size_t>(leaf) < tree.size())
                entry->second = tree.branches_[leaf].counts;
            else if (is_new)
                entry->second.assign(tree.problem_.n_classes, 0.0);
            return entry->second;
        }
    };

    // Rows that fall together, so that the wait for one's memory is spent on the others.
    static constexpr std::size_t kBlock = 8;
    struct Block {
        std::size_t size = 0;
        std::array<RowFragment, kBlock> fragments;
        std::array<std::int32_t, kBlock> leaves;
    };

    static constexpr std::int32_t kMissingValue = -1, kNoBranch = -2;

    // The position of the child that a row goes to, or one of the two above; its level, if it has one.
    std::int32_t child_of_row(const Branch& branch, std::size_t row, std::int32_t& level) const;
    void find_leaves(std::int32_t branch, Block& block, Trial& trial) const;
    // The rows in the leaves below; in as many fragments as there are leaves that have a part of them.
    Fragments fragments(std::int32_t branch) const;
    Fragments merge_fragments(Fragments fragments) const;
    bool find_missing() const;
    Fallen fall(const Branch& branch, const Fragments& fragments) const;
    void share_missing(const Fragments& missing, Fallen& fallen) const;
    void settle(std::int32_t branch, Fragments fragments);
    void add_branch_for_level(std::int32_t branch, std::int32_t level);
    std::vector<double> count(const Fragments& fragments) const;
    void recompute_gains(Tree& tree, std::span<const std::int32_t> order) const;

    const Problem& problem_;
    bool splits_missing_;
    bool has_missing_ = false;
    std::vector<Branch> branches_;
    std::vector<std::int32_t> set_levels_;
    std::vector<std::int32_t> walk_;
};

}  // namespace heldout
