#include "forest/walk.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/require.hpp"

namespace heldout {
namespace {

constexpr std::size_t kTreesInFlight = 8;

// The next node on the way of a row, which is all that is looked at and checked of the tree. Most nodes are
// splits on a number, of which the fewest arrays that will do are read: they are far apart.
std::int32_t checked_step(const ForestView& forest, const Rows& rows, std::size_t tree, std::int32_t node,
                          std::size_t row) {
    const std::size_t first = forest.first_node(tree), at = first + static_cast<std::size_t>(node);
    const auto column = static_cast<std::size_t>(forest.feature[at]);
    const std::int64_t child = forest.first_child[at];
    const bool has_children = child > node && child + 1 < static_cast<std::int64_t>(forest.n_nodes_of(tree));
    if (forest.kind[at] == SplitKind::kThreshold && column < rows.column_of.size() &&
        rows.column_of[column] >= 0 && has_children) {
        const double number = rows.number(row, rows.column_of[column]), threshold = forest.threshold[at];
        if (!std::isunordered(number, threshold))
            return static_cast<std::int32_t>(child) + static_cast<std::int32_t>(number > threshold);
    }
    check_step(forest, rows, tree, static_cast<std::size_t>(node));
    return next_on_way(forest, rows, first, node, [row](std::int32_t) { return row; });
}

}  // namespace

void check_rows(const ForestView& forest, const Rows& rows) {
    require(rows.column_of.size() == forest.n_columns, "rows and forest differ in columns");
    for (const auto column : rows.column_of)
        require(column >= 0 ? static_cast<std::size_t>(column) < rows.n_numbers
                            : static_cast<std::size_t>(-(std::int64_t{column} + 1)) < rows.n_levels,
                "a feature's column is outside the rows");
}

void refuse_step(const ForestView& forest, std::size_t tree, std::size_t node) {
    refuse_node(forest, tree, node);
    throw std::invalid_argument("a node's kind of split does not fit its feature");
}

std::int32_t child_of_level(const ForestView& forest, std::size_t first, std::int32_t node,
                            std::int32_t level) {
    const std::size_t at = first + static_cast<std::size_t>(node);
    const std::int32_t first_child = forest.first_child[at];
    if (level < 0) return first_child + forest.default_child[at];
    if (forest.kind[at] == SplitKind::kLevelSet) {
        const auto begin = forest.set_levels.begin() + forest.set_begin[at];
        const auto end = forest.set_levels.begin() + forest.set_end[at];
        return first_child + static_cast<std::int32_t>(!std::binary_search(begin, end, level));
    }
    const auto branches = forest.branch_level.subspan(first + static_cast<std::size_t>(first_child),
                                                      static_cast<std::size_t>(forest.n_children[at]));
    const auto branch = std::ranges::lower_bound(branches, level);
    if (branch == branches.end() || *branch != level) return node;
    return first_child + static_cast<std::int32_t>(branch - branches.begin());
}

void walk_row(const ForestView& forest, const Rows& rows, std::size_t row, std::size_t begin, std::size_t end,
              std::int32_t* reached) {
    // Several trees are under way at once, so that the wait for one's memory is spent on the others.
    for (std::size_t tree = begin; tree < end; tree += kTreesInFlight) {
        const std::size_t n = std::min(kTreesInFlight, end - tree);
        std::array<std::int32_t, kTreesInFlight> at{};
        std::int32_t moved = 1;
        while (moved != 0) {
            moved = 0;
            for (std::size_t lane = 0; lane < n; ++lane) {
                const std::int32_t next = checked_step(forest, rows, tree + lane, at[lane], row);
                moved |= next ^ at[lane];
                at[lane] = next;
            }
        }
        std::copy_n(at.begin(), n, reached + (tree - begin));
    }
}

}  // namespace heldout
