#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tree/impurity.hpp"
#include "tree/tree.hpp"

namespace heldout {

// The sums of a node's rows for each level of one category that occurs there, levels ascending, and those
// of the rows whose level is missing. Reused from node to node; it costs what the node has, not what the
// category has.
class LevelTable {
  public:
    void start(std::size_t n_levels, std::size_t width);

    // The sums of a level (or of the missing ones), to be added to.
    double* sums_of(std::uint32_t level);
    double* missing() { return missing_.data(); }
    void mark_missing() { has_missing_ = true; }

    // Sums that were counted with an entry for each level, the missing ones last; weights are above 0.
    void take_dense(const std::vector<double>& sums);

    // Ends the counting: brings levels into order.
    void finish();

    std::size_t size() const { return levels_.size(); }
    bool has_missing() const { return has_missing_; }
    std::uint32_t level(std::size_t index) const { return levels_[index]; }
    const double* sums(std::size_t index) const { return sums_.data() + slot_[index] * width_; }
    const double* missing_sums() const { return missing_.data(); }

    // Position of a level among those present; call only for levels that are.
    std::size_t index_of(std::uint32_t level) const { return slot_of_level_[level]; }

  private:
    static constexpr std::uint32_t kAbsent = 0xffffffffU;

    std::size_t width_ = 0;
    bool has_missing_ = false;
    std::vector<std::uint32_t> slot_of_level_;  // while counting: slot; afterwards: index
    std::vector<std::uint32_t> levels_;
    std::vector<std::size_t> slot_;
    std::vector<double> sums_;
    std::vector<double> missing_;
};

// The best split of one category. For a level set, `first_side` lists the levels (as indices into the
// table, ascending) that go to the first child; a multiway split leaves it empty.
struct LevelSplit {
    double gain = -std::numeric_limits<double>::infinity();
    double split_info = 0;
    std::vector<std::size_t> first_side;
    bool missing_first = false;  // level sets: whether missing values go to the first child

    bool is_admissible() const { return gain > -std::numeric_limits<double>::infinity(); }
};

// Finds splits of categories. Rows with a missing value go with the branch that has the most known weight,
// and the gain is that of the partition which results. Or they are split among the branches: then the gain is
// that of the known rows, as a part of all rows, and the missing ones are a branch of their own in
// split_info.
class LevelSearch {
  public:
    LevelSearch(const Impurity& impurity, double min_leaf, bool splits_missing = false)
        : impurity_(impurity), min_leaf_(min_leaf), splits_missing_(splits_missing) {}

    void set_min_leaf(double min_leaf) { min_leaf_ = min_leaf; }

    LevelSplit search(const LevelTable& table, LevelSplits splits, bool is_regression, double slack);

    // The branch with the most known weight; ties go to the lowest level.
    std::size_t heaviest(const LevelTable& table) const;

  private:
    LevelSplit multiway(const LevelTable& table);
    LevelSplit one_vs_rest(const LevelTable& table);
    LevelSplit best_subset(const LevelTable& table, bool is_regression);

    void try_prefixes(const LevelTable& table, const std::vector<std::size_t>& order, LevelSplit& best,
                      double& best_quality);
    // Quality of the two sides with the rows with a missing value placed; -infinity if one is lighter than
    // min_leaf.
    double pair_quality(const LevelTable& table, const double* left, const double* right, bool ties_go_left);
    void add_totals(const LevelTable& table, double slack);
    double gain_of(double quality) const { return (quality - node_quality_) / node_weight_; }

    const Impurity& impurity_;
    double min_leaf_;
    bool splits_missing_;
    std::vector<double> known_, whole_, left_, right_, placed_;
    double node_quality_ = 0;
    double node_weight_ = 0;
    double slack_ = 0;           // in quality
    double pair_info_ = 0;       // of the last pair_quality: its split_info,
    bool missing_left_ = false;  // and where missing values went
};

double entropy_of_shares(double first_share);

// The same with a third group: what is neither in the first nor in the second share.
double entropy_of_shares(double first_share, double second_share);

// Makes the node a split by a set of levels. Gives the side of each level of the table: 0 in the set, else 1.
inline std::vector<std::uint8_t> write_level_set(Tree& tree, Node& node, const LevelSplit& split,
                                                 const LevelTable& table) {
    std::vector<std::uint8_t> side_of(table.size(), 1);
    node.kind = SplitKind::kLevelSet;
    node.set_begin = static_cast<std::int32_t>(tree.set_levels.size());
    for (const auto index : split.first_side) {
        side_of[index] = 0;
        tree.set_levels.push_back(static_cast<std::int32_t>(table.level(index)));
    }
    node.set_end = static_cast<std::int32_t>(tree.set_levels.size());
    return side_of;
}

}  // namespace heldout
