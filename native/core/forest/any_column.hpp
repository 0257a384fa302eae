#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/column_cut.hpp"
#include "forest/forest_data.hpp"
#include "tree/level_search.hpp"

namespace heldout {

// How the rows of a bag count: by what their words say, or each with a weight.
struct RowMeasure {
    WordBits bits;
    const double* weights = nullptr;  // of each row; none: times in the word, or 1 if it has no room for them

    // Whether words have classes and times.
    bool is_counted() const { return bits.stat_bits > 0; }
    std::uint32_t row(std::uint32_t word) const { return bits.row(word); }
    double weight(std::uint32_t word) const {
        if (weights != nullptr) return weights[bits.row(word)];
        return is_counted() ? bits.times(word) : 1.0;
    }
};

// A node as its rows, and the mean of their targets.
struct AnyNode {
    std::span<const std::uint32_t> words;
    RowMeasure measure;
    double weight = 0;
    double mean = 0;
    double impurity = 0;
    double min_leaf = 0;
};

// Finds the best split of any column: categories, missing values, weights and targets. Slower than the
// searches that count, and right in every case. Qualities are gains.
class AnyColumnSearch {
  public:
    explicit AnyColumnSearch(const ForestData& data);

    ColumnCut best_cut(std::size_t column, const AnyNode& node);
    LevelSplit level_split(std::size_t column, const AnyNode& node);
    const LevelTable& levels() const { return table_; }
    std::size_t heaviest_level() const { return level_search_.heaviest(table_); }

  private:
    double slack(const AnyNode& node) const;
    void add_row(std::uint32_t word, const AnyNode& node, double sign, double* sums) const;
    std::size_t sort_known(std::size_t column, const AnyNode& node);
    ColumnCut cut_targets(const AnyNode& node, std::size_t n);
    ColumnCut cut_any(const AnyNode& node, std::size_t n_known);

    const ForestData& data_;
    const Problem& problem_;
    Impurity impurity_;
    LevelSearch level_search_;
    LevelTable table_;
    std::vector<std::uint64_t> keys_, scratch_;
    std::vector<std::uint32_t> missing_;
    std::vector<double> left_, right_, beside_, placed_;
};

}  // namespace heldout
