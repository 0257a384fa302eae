#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "tree/level_search.hpp"
#include "tree/presort.hpp"
#include "tree/scan.hpp"

namespace heldout {

// What the search needs to know of the node it works on.
struct NodeView {
    std::size_t begin;
    std::size_t n_rows;
    double weight;
    double impurity;
    std::span<const double> values;  // class weights, or the mean
    double mean_rest = 0;            // what rounding took from the mean

    Centre centre() const { return {values[0], mean_rest}; }
};

// Gains that differ by less than this are one gain: the rest is rounding.
inline double gain_slack(const Problem& problem, double impurity) {
    return 1e-12 * (problem.is_regression() ? impurity : 1.0);
}

// The best split of one column.
struct ColumnSplit {
    double gain = -std::numeric_limits<double>::infinity();
    double split_info = 0;
    std::size_t position = 0;   // numeric columns: where the order is cut
    bool missing_left = false;  // and where missing values go

    bool is_admissible() const { return gain > -std::numeric_limits<double>::infinity(); }
};

// Finds the best split of one column in one node. Holds scratch memory: one for each thread.
template <class Word>
class SplitSearch {
  public:
    SplitSearch(const Problem& problem, Orders<Word>& orders, const EntropyTable& entropies);

    // A split that gains no more than `floor` need not be found.
    ColumnSplit search(std::size_t column, const NodeView& node, double floor);

    // The winner once more, with what is needed to make its branches.
    LevelSplit level_split(std::size_t column, const NodeView& node);
    const LevelTable& levels() const { return table_; }
    std::size_t heaviest_level() const { return level_search_.heaviest(table_); }

    // How many of the node's rows have a value; they stand first in the column's order.
    std::size_t count_known(std::size_t column, const NodeView& node);

  private:
    ColumnSplit search_numbers(std::size_t column, const NodeView& node, double floor);
    Cut lean_cut(std::span<const Word> words, CutRange range, const NodeView& node, double floor) const;
    ColumnSplit any_cut(std::span<const Word> known, std::span<const Word> missing, const NodeView& node);
    void count_levels(std::size_t column, const NodeView& node);
    void add_row(Word word, const NodeView& node, double sign, double* sums) const;

    const Problem& problem_;
    Orders<Word>& orders_;
    const EntropyTable& entropies_;
    Impurity impurity_;
    LevelSearch level_search_;
    LevelTable table_;
    std::vector<double> left_, right_, missing_, placed_;
};

// Which column a node is split on, given the best split of each: by gain, by gain ratio, or by gain
// against cost. None, if no split gains more than min_gain. Ties go to the lower column.
std::optional<std::size_t> choose_column(const Problem& problem, double impurity,
                                         std::span<const ColumnSplit> splits);

}  // namespace heldout
