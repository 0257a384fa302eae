#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "forest/forest.hpp"
#include "tree/apply.hpp"

namespace heldout {

// Refuses rows that do not have the columns of the forest. The nodes are not looked at.
void check_rows(const ForestView& forest, const Rows& rows);

// Refuses a node that a row can't pass, or whose kind of split does not fit its feature.
[[noreturn]] void refuse_step(const ForestView& forest, std::size_t tree, std::size_t node);

inline void check_step(const ForestView& forest, const Rows& rows, std::size_t tree, std::size_t node) {
    const std::size_t at = forest.first_node(tree) + node;
    if (forest.kind[at] == SplitKind::kLeaf) return;
    if (!is_passable(forest, tree, node) || (rows.column_of[static_cast<std::size_t>(forest.feature[at])] >=
                                             0) != (forest.kind[at] == SplitKind::kThreshold))
        refuse_step(forest, tree, node);
}

// The child of a split on levels, both counted from the tree's first node; the node itself where a known
// level has no branch.
std::int32_t child_of_level(const ForestView& forest, std::size_t first, std::int32_t node,
                            std::int32_t level);

// The next node on a row's way, or the same one where the row ends. `row_of` says which row gives the value
// of a feature.
template <class RowOf>
std::int32_t next_on_way(const ForestView& forest, const Rows& rows, std::size_t first, std::int32_t node,
                         RowOf row_of) {
    const std::size_t at = first + static_cast<std::size_t>(node);
    if (forest.kind[at] == SplitKind::kLeaf) return node;
    const std::int32_t feature = forest.feature[at];
    const std::int32_t column = rows.column_of[static_cast<std::size_t>(feature)];
    if (column < 0) return child_of_level(forest, first, node, rows.level(row_of(feature), -1 - column));
    const double number = rows.number(row_of(feature), column);
    const std::int32_t child = std::isnan(number) ? forest.default_child[at]
                                                  : static_cast<std::int32_t>(number > forest.threshold[at]);
    return forest.first_child[at] + child;
}

// The node in which a row ends, in a forest that was checked.
template <class RowOf>
std::int32_t end_of_way(const ForestView& forest, const Rows& rows, std::size_t tree, RowOf row_of) {
    const std::size_t first = forest.first_node(tree);
    std::int32_t node = 0;
    while (true) {
        const std::int32_t next = next_on_way(forest, rows, first, node, row_of);
        if (next == node) return node;
        node = next;
    }
}

// Where one row ends in each of the trees `begin` to `end`. Every node on its way is checked, and no other.
void walk_row(const ForestView& forest, const Rows& rows, std::size_t row, std::size_t begin, std::size_t end,
              std::int32_t* reached);

}  // namespace heldout
