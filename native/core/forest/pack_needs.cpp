#include "forest/pack_needs.hpp"

#include <utility>

#include "forest/walk.hpp"

namespace heldout {
namespace {

constexpr std::int32_t kMostLevels = 1 << 30;

bool is_float(double number) {
    return static_cast<double>(static_cast<float>(number)) == number;
}

void look_at_levels(const ForestView& forest, std::size_t at, Needs& needs) {
    needs.fits = needs.fits && forest.kind[at] == SplitKind::kLevelSet;
    std::int32_t& highest = needs.highest_level[static_cast<std::size_t>(forest.feature[at])];
    for (std::int32_t i = forest.set_begin[at]; i < forest.set_end[at]; ++i) {
        needs.fits = needs.fits && forest.set_levels[i] >= 0 && forest.set_levels[i] < kMostLevels;
        highest = std::max(highest, std::min(forest.set_levels[i], kMostLevels));
    }
}

void look_at_tree(const ForestView& forest, const Rows& rows, std::size_t tree, NodesByKind& nodes,
                  Needs& needs) {
    const std::size_t first = forest.first_node(tree);
    needs.most_nodes = std::max(needs.most_nodes, forest.n_nodes_of(tree));
    nodes.sort(forest, tree);
    for (const auto node : nodes.splits()) {
        check_step(forest, rows, tree, node);
        const std::size_t at = first + node;
        const auto feature = static_cast<std::size_t>(forest.feature[at]);
        needs.is_used[feature] = 1;
        if (forest.kind[at] == SplitKind::kThreshold)
            needs.is_inexact[feature] |= static_cast<std::uint8_t>(!is_float(forest.threshold[at]));
        else
            look_at_levels(forest, at, needs);
    }
}

}  // namespace

Needs look_at_forest(const ForestView& forest, const Rows& rows, std::vector<NodesByKind>& nodes,
                     Team& team) {
    std::vector<Needs> of_member(team.size(), Needs(forest.n_columns));
    team.run(forest.n_trees(), [&](std::size_t tree, std::size_t member) {
        look_at_tree(forest, rows, tree, nodes[member], of_member[member]);
    });
    for (std::size_t i = 1; i < of_member.size(); ++i) of_member[0].add(of_member[i]);
    return std::move(of_member[0]);
}

}  // namespace heldout
