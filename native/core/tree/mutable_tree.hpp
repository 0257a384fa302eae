#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
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

    MutableTree(const Problem& problem, const Tree& tree, bool splits_unknown);

    std::size_t size() const { return branches_.size(); }
    bool is_leaf(std::int32_t branch) const { return branches_[branch].children.empty(); }
    std::span<const std::int32_t> children(std::int32_t branch) const { return branches_[branch].children; }
    Counts counts(std::int32_t branch) const { return branches_[branch].counts; }
    std::int32_t heaviest_child(std::int32_t branch) const;
    std::vector<std::int32_t> breadth_first_from(std::int32_t branch) const;

    // Whether a training row has an unknown value in a column that the tree asks for.
    bool has_unknown() const { return has_unknown_; }

    // The rows in the leaves below; one fragment for each row.
    Fragments fragments(std::int32_t branch) const;

    // Lets fragments fall below a node without changing it: visit(counts) for each leaf that they reach.
    void try_fragments(std::int32_t branch, Fragments fragments,
                       const std::function<void(Counts)>& visit) const;

    // Without unknown values the rows of a child stay where they are: only those of the other children
    // fall. visit(before, after) for each leaf of the child that changes; a new one has nothing before.
    void try_further_rows(std::int32_t branch, std::int32_t child,
                          const std::function<void(Counts, Counts)>& visit);

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

    static constexpr std::int32_t kUnknownValue = -1, kNoBranch = -2;

    // The position of the child that a row goes to, or one of the two above; its level, if it has one.
    std::int32_t child_of_row(const Branch& branch, std::size_t row, std::int32_t& level) const;
    Fallen fall(const Branch& branch, const Fragments& fragments) const;
    void share_unknown(const Fragments& unknown, Fallen& fallen) const;
    void settle(std::int32_t branch, Fragments fragments);
    void add_branch_for_level(std::int32_t branch, std::int32_t level);
    std::vector<double> count(const Fragments& fragments) const;
    void recompute_gains(Tree& tree, std::span<const std::int32_t> order) const;

    const Problem& problem_;
    bool splits_unknown_;
    bool has_unknown_ = false;
    std::vector<Branch> branches_;
    std::vector<std::int32_t> set_levels_;
    std::vector<double> added_;             // try_further_rows: per leaf and class, zero in between
    std::vector<std::uint8_t> is_touched_;  // per leaf
};

}  // namespace heldout
