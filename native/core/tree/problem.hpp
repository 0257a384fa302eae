#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codes/code_view.hpp"
#include "tree/tree.hpp"

namespace heldout {

enum class Criterion { kGainRatio, kEntropy, kGini, kError, kSquaredError };
enum class LevelSplits { kMultiway, kSubset, kOneVsRest };
enum class CostRule { kNone, kTanSchlimmer, kNunez };
// Where rows with a missing value go: with the heaviest branch of a node, or in parts into all of them.
enum class Missing { kNodeMode, kFractional };
// C4.5 charges numeric cuts for the choice among many, and wants branches of some size.
enum class NumericCuts { kPlain, kC45 };

// Everything that decides how a tree grows. A forest grows its trees by criterion, level_splits, max_depth,
// min_leaf, min_gain and n_threads alone.
struct GrowOptions {
    Criterion criterion = Criterion::kGini;             // what a split decreases
    LevelSplits level_splits = LevelSplits::kMultiway;  // what a split on a category looks like
    bool average_gain = false;     // C4.5: by gain ratio, only columns with at least the average gain compete
    std::int64_t max_depth = -1;   // -1: no limit
    double min_leaf = 1.0;         // the least weight of a leaf
    double min_gain = 0.0;         // a split is made only if its gain is larger
    std::int64_t max_leaves = -1;  // -1: no limit; otherwise the most useful node is split next
    CostRule cost_rule = CostRule::kNone;            // how the gain of a column is weighed against its cost
    double cost_exponent = 1.0;                      // how much the cost counts, for CostRule::kNunez alone
    Missing missing = Missing::kNodeMode;            // where rows with a missing value go
    NumericCuts numeric_cuts = NumericCuts::kPlain;  // whether C4.5's precautions apply to numeric columns
    std::size_t n_threads = 1;                       // changes the time that it takes, never the tree
};

// One attribute. A numeric one has its numbers beside the codes: those of all rows, so many elements apart,
// or those that the codes stand for. A category has none.
struct TreeColumn {
    CodeView codes;
    const double* numbers = nullptr;
    std::ptrdiff_t stride = 1;
    bool is_by_code = false;

    bool is_category() const { return numbers == nullptr; }
    double number(std::size_t table_row) const {
        const std::size_t index = is_by_code ? codes[table_row] : table_row;
        return numbers[static_cast<std::ptrdiff_t>(index) * stride] + 0.0;  // both zeros are one
    }
};

// What a tree is grown from. A row is named by its position in `rows`, and so are classes, targets and
// weights; an empty `rows` means every row of the columns.
struct Problem {
    std::vector<TreeColumn> columns;
    std::span<const std::uint32_t> rows;
    std::size_t n_rows = 0;
    std::span<const std::uint32_t> classes;
    std::size_t n_classes = 0;  // 0: regression
    std::span<const double> targets;
    std::span<const double> weights;  // empty: every row counts once
    std::span<const double> costs;    // empty: every column costs the same
    double total_weight = 0.0;        // of all rows, and how many classes they have: see ScaledProblem
    std::size_t n_present_classes = 0;
    double unit_weight = 1.0;  // what counts as one row
    GrowOptions options;

    bool has_multiway() const {
        const auto is_category = [](const TreeColumn& column) { return column.is_category(); };
        return options.level_splits == LevelSplits::kMultiway && std::ranges::any_of(columns, is_category);
    }
    bool is_regression() const { return n_classes == 0; }
    std::size_t table_row(std::size_t row) const { return rows.empty() ? row : rows[row]; }
    double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }

    // The smallest weight of a branch of a numeric cut. C4.5 wants a tenth of what the classes would have
    // on average, and no more than 25 rows.
    double smallest_branch(double known_weight) const {
        if (options.numeric_cuts == NumericCuts::kPlain) return options.min_leaf;
        const double wanted = 0.1 * known_weight / static_cast<double>(n_present_classes) * (1 - 1e-9);
        return std::max(options.min_leaf, std::min(wanted, 25 * unit_weight));
    }

    // What C4.5 takes from the gain of the best of so many cuts: the bits that it takes to name it.
    double charge(std::size_t n_cuts, double weight) const {
        if (options.numeric_cuts == NumericCuts::kPlain) return 0;
        return std::log2(static_cast<double>(n_cuts)) * unit_weight / weight;
    }

    void check() const;
};

// The same problem with targets and weights of ordinary size, so that no square overflows and nothing is
// lost beside a large offset. Everything is multiplied by powers of two, and an offset is taken away only
// where that is exact: the tree is the one that the numbers as given have.
class ScaledProblem {
  public:
    explicit ScaledProblem(const Problem& problem);

    const Problem& problem() const { return scaled_; }
    double min_leaf(double given) const;

    // Whether nothing was scaled.
    bool is_as_given() const { return weight_exponent_ == 0 && target_exponent_ == 0 && offset_ == 0; }
    double weight_as_given(double weight) const { return std::ldexp(weight, weight_exponent_); }
    double gain_as_given(double gain) const { return std::ldexp(gain, 2 * target_exponent_); }
    double target_as_given(double target) const { return std::ldexp(target, target_exponent_) + offset_; }

    // Puts the tree's numbers back into the units that were given.
    void restore(Tree& tree) const;

  private:
    void scale_targets(std::span<const double> targets);
    void scale_weights(std::span<const double> weights);

    Problem scaled_;
    std::vector<double> targets_;
    std::vector<double> weights_;
    double offset_ = 0;
    int target_exponent_ = 0;
    int weight_exponent_ = 0;
};

}  // namespace heldout
