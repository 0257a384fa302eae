#pragma once

#include <cstdint>
#include <vector>

#include "tree/level_search.hpp"
#include "tree/tree.hpp"

namespace heldout {

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
