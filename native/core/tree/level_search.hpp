#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tree/impurity.hpp"
#include "tree/level_table.hpp"

namespace heldout {

// The best split of one category. For a level set, `first_side` lists the levels (as indices into the
// table, ascending) that go to the first child; a multiway split leaves it empty.
struct LevelSplit {
    double gain = -std::numeric_limits<double>::infinity();
    double split_info = 0;
    std::vector<std::size_t> first_side;
    bool unknown_first = false;  // level sets: whether unknown values go to the first child

    bool is_admissible() const { return gain > -std::numeric_limits<double>::infinity(); }
};

// Finds splits of categories. Unknown rows go with the branch that has the most known weight, and the gain
// is that of the partition which results. Or they are split among the branches: then the gain is that of
// the known rows, as a part of all rows, and the unknown ones are a branch of their own in split_info.
class LevelSearch {
  public:
    LevelSearch(const Impurity& impurity, double min_leaf, bool splits_unknown = false)
        : impurity_(impurity), min_leaf_(min_leaf), splits_unknown_(splits_unknown) {}

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
    // Quality of the two sides with the unknown rows placed; -infinity if one is lighter than min_leaf.
    double pair_quality(const LevelTable& table, const double* left, const double* right, bool ties_go_left);
    void add_totals(const LevelTable& table, double slack);
    double gain_of(double quality) const { return (quality - node_quality_) / node_weight_; }

    const Impurity& impurity_;
    double min_leaf_;
    bool splits_unknown_;
    std::vector<double> known_, whole_, left_, right_, placed_;
    double node_quality_ = 0;
    double node_weight_ = 0;
    double slack_ = 0;           // in quality
    double pair_info_ = 0;       // of the last pair_quality: its split_info,
    bool unknown_left_ = false;  // and where unknown values went
};

double entropy_of_shares(double first_share);

// The same with a third group: what is neither in the first nor in the second share.
double entropy_of_shares(double first_share, double second_share);

}  // namespace heldout
