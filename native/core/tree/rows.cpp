#include "tree/rows.hpp"

#include <algorithm>
#include <cmath>

#include "base/require.hpp"

namespace heldout {

void Rows::check(const Tree& tree) const {
    for (const auto where : place)
        require(where >= 0 ? static_cast<std::size_t>(where) < n_numbers
                           : static_cast<std::size_t>(-(std::int64_t{where} + 1)) < n_levels,
                "a feature's place is outside the rows");
    for (const Node& node : tree.nodes) {
        if (node.kind == SplitKind::kLeaf) continue;
        require(static_cast<std::size_t>(node.feature) < place.size(),
                "a node splits on a feature that is not there");
        require((place[node.feature] >= 0) == (node.kind == SplitKind::kThreshold),
                "a node's kind of split does not fit its feature");
    }
}

std::int32_t child_for_level(const Tree& tree, std::int32_t place, std::int32_t level) {
    const Node& node = tree.nodes[place];
    if (level < 0) return kUnknown;
    if (node.kind == SplitKind::kLevelSet) {
        const auto begin = tree.set_levels.begin() + node.set_begin;
        const auto end = tree.set_levels.begin() + node.set_end;
        return std::binary_search(begin, end, level) ? node.first_child : node.first_child + 1;
    }
    const auto children =
        std::span(tree.nodes)
            .subspan(static_cast<std::size_t>(node.first_child), static_cast<std::size_t>(node.n_children));
    const auto child = std::ranges::lower_bound(children, level, {}, &Node::branch_level);
    if (child == children.end() || child->branch_level != level) return place;
    return node.first_child + static_cast<std::int32_t>(child - children.begin());
}

std::int32_t next_node(const Tree& tree, const Rows& rows, std::size_t row, std::int32_t place) {
    const Node& node = tree.nodes[place];
    if (node.kind == SplitKind::kLeaf) return place;
    const std::int32_t column = rows.place[node.feature];
    if (column < 0) return child_for_level(tree, place, rows.level(row, -1 - column));
    const double number = rows.number(row, column);
    return std::isnan(number) ? kUnknown
                              : node.first_child + static_cast<std::int32_t>(number > node.threshold);
}

}  // namespace heldout
