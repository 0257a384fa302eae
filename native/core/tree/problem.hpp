#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codes/code_view.hpp"

namespace heldout {

enum class Criterion { kGainRatio, kEntropy, kGini, kError, kSquaredError };
enum class LevelSplits { kMultiway, kSubset, kOneVsRest };
enum class CostRule { kNone, kTanSchlimmer, kNunez };

struct GrowOptions {
    Criterion criterion = Criterion::kGini;
    LevelSplits level_splits = LevelSplits::kMultiway;
    bool average_gain = false;
    std::int64_t max_depth = -1;   // -1: no limit
    double min_leaf = 1.0;         // in weight
    double min_gain = 0.0;         // a split is made only if its gain is larger
    std::int64_t max_leaves = -1;  // -1: no limit; otherwise the most useful node is split next
    CostRule cost_rule = CostRule::kNone;
    double cost_exponent = 1.0;
    std::size_t n_threads = 1;
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
        const std::size_t place = is_by_code ? codes[table_row] : table_row;
        return numbers[static_cast<std::ptrdiff_t>(place) * stride] + 0.0;  // both zeros are one
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
    GrowOptions options;

    bool has_multiway() const {
        const auto is_category = [](const TreeColumn& column) { return column.is_category(); };
        return options.level_splits == LevelSplits::kMultiway && std::ranges::any_of(columns, is_category);
    }
    bool is_regression() const { return n_classes == 0; }
    std::size_t table_row(std::size_t row) const { return rows.empty() ? row : rows[row]; }
    double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }

    void check() const;
};

}  // namespace heldout
