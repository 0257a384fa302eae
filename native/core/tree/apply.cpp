#include "tree/apply.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "base/require.hpp"
#include "base/team.hpp"

namespace heldout {
namespace {

constexpr std::size_t kRowsPerTask = 4096;
constexpr std::size_t kInFlight = 8;

// A node of a tree with thresholds only, in 16 bytes. A leaf points to itself and is never left.
struct Step {
    double threshold;
    std::uint32_t column_and_default;  // the highest bit: unknown goes right
    std::int32_t first_child;
};
constexpr std::uint32_t kUnknownRight = 0x80000000U;

void check_nodes(std::span<const Node> nodes, std::span<const std::int32_t> set_levels, const Rows& rows) {
    require(!nodes.empty(), "a tree needs at least one node");
    const auto n_nodes = static_cast<std::int64_t>(nodes.size());
    for (std::int64_t i = 0; i < n_nodes; ++i) {
        const Node& node = nodes[i];
        if (node.kind == SplitKind::kLeaf) continue;
        require(node.kind <= SplitKind::kLevelSet, "a node has an unknown kind of split");
        require(node.first_child > i && node.n_children >= 2 &&
                    node.first_child <= n_nodes - std::int64_t{node.n_children},
                "children must come after their parent and lie inside the tree");
        require(node.kind == SplitKind::kMultiway || node.n_children == 2, "a binary split has two children");
        require(
            node.default_child >= node.first_child && node.default_child < node.first_child + node.n_children,
            "the default child must be one of the children");
        require(node.feature >= 0 && static_cast<std::size_t>(node.feature) < rows.place.size(),
                "a node splits on a feature that is not there");
        require((rows.place[node.feature] >= 0) == (node.kind == SplitKind::kThreshold),
                "a node's kind of split does not fit its feature");
        require(node.set_begin >= 0 && node.set_begin <= node.set_end &&
                    static_cast<std::size_t>(node.set_end) <= set_levels.size(),
                "a level set lies outside its pool");
    }
    for (const auto place : rows.place)
        require(place >= 0 ? static_cast<std::size_t>(place) < rows.n_numbers
                           : static_cast<std::size_t>(-(std::int64_t{place} + 1)) < rows.n_levels,
                "a feature's place is outside the rows");
}

std::vector<Step> thresholds_only(std::span<const Node> nodes, const Rows& rows) {
    std::vector<Step> steps(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node& node = nodes[i];
        if (node.kind == SplitKind::kLeaf) {
            steps[i] = {std::numeric_limits<double>::infinity(), 0, static_cast<std::int32_t>(i)};
            continue;
        }
        const auto column = static_cast<std::uint32_t>(rows.place[node.feature]);
        const bool is_right = node.default_child != node.first_child;
        steps[i] = {node.threshold, column | (is_right ? kUnknownRight : 0U), node.first_child};
    }
    return steps;
}

// Several rows are under way at once, so that the wait for one's memory is spent on the others.
void apply_thresholds(std::span<const Step> steps, const Rows& rows, std::size_t begin, std::size_t end,
                      std::int32_t* reached) {
    std::array<const double*, kInFlight> row;
    std::array<std::int32_t, kInFlight> at;
    for (std::size_t first = begin; first < end; first += kInFlight) {
        const std::size_t n = std::min(kInFlight, end - first);
        for (std::size_t lane = 0; lane < kInFlight; ++lane) {
            row[lane] = rows.numbers +
                        static_cast<std::ptrdiff_t>(first + std::min(lane, n - 1)) * rows.number_row_stride;
            at[lane] = 0;
        }
        std::int32_t moved = 1;
        while (moved != 0) {
            moved = 0;
            for (std::size_t lane = 0; lane < kInFlight; ++lane) {
                const Step& step = steps[at[lane]];
                const auto column = static_cast<std::ptrdiff_t>(step.column_and_default & ~kUnknownRight);
                const double number = row[lane][column * rows.number_column_stride];
                const std::int32_t unknown_right = std::isnan(number) & (step.column_and_default >> 31);
                const std::int32_t next =
                    step.first_child + (static_cast<std::int32_t>(number > step.threshold) | unknown_right);
                moved |= next ^ at[lane];
                at[lane] = next;
            }
        }
        std::copy_n(at.begin(), n, reached + first);
    }
}

std::int32_t child_for_level(std::span<const Node> nodes, std::span<const std::int32_t> set_levels,
                             std::int32_t place, std::int32_t level) {
    const Node& node = nodes[place];
    if (level < 0) return node.default_child;
    if (node.kind == SplitKind::kLevelSet) {
        const auto begin = set_levels.begin() + node.set_begin, end = set_levels.begin() + node.set_end;
        return std::binary_search(begin, end, level) ? node.first_child : node.first_child + 1;
    }
    const auto children =
        nodes.subspan(static_cast<std::size_t>(node.first_child), static_cast<std::size_t>(node.n_children));
    const auto child = std::ranges::lower_bound(children, level, {}, &Node::branch_level);
    if (child == children.end() || child->branch_level != level) return place;
    return node.first_child + static_cast<std::int32_t>(child - children.begin());
}

std::int32_t apply_row(std::span<const Node> nodes, std::span<const std::int32_t> set_levels,
                       const Rows& rows, std::size_t row) {
    std::int32_t place = 0;
    while (nodes[place].kind != SplitKind::kLeaf) {
        const Node& node = nodes[place];
        const auto column = static_cast<std::ptrdiff_t>(rows.place[node.feature]);
        std::int32_t next;
        if (column >= 0) {
            const double number = rows.numbers[static_cast<std::ptrdiff_t>(row) * rows.number_row_stride +
                                               column * rows.number_column_stride];
            next = std::isnan(number) ? node.default_child : node.first_child + (number > node.threshold);
        } else {
            next = child_for_level(nodes, set_levels, place,
                                   rows.levels[static_cast<std::ptrdiff_t>(row) * rows.level_row_stride +
                                               (-1 - column) * rows.level_column_stride]);
        }
        if (next == place) break;  // an empty branch: the row stays with its parent's majority
        place = next;
    }
    return place;
}

}  // namespace

void apply_tree(std::span<const Node> nodes, std::span<const std::int32_t> set_levels, const Rows& rows,
                std::size_t n_threads, std::int32_t* reached) {
    check_nodes(nodes, set_levels, rows);
    const bool has_levels =
        std::ranges::any_of(nodes, [](const Node& node) { return node.kind > SplitKind::kThreshold; });
    const bool is_numeric = !has_levels && rows.n_numbers > 0;
    const auto steps = is_numeric ? thresholds_only(nodes, rows) : std::vector<Step>{};
    const std::size_t n_tasks = (rows.n_rows + kRowsPerTask - 1) / kRowsPerTask;
    Team team(std::min(n_threads, std::max<std::size_t>(n_tasks, 1)));
    team.run(n_tasks, [&](std::size_t task, std::size_t) {
        const std::size_t begin = task * kRowsPerTask, end = std::min(begin + kRowsPerTask, rows.n_rows);
        if (is_numeric) return apply_thresholds(steps, rows, begin, end, reached);
        for (std::size_t row = begin; row < end; ++row)
            reached[row] = apply_row(nodes, set_levels, rows, row);
    });
}

}  // namespace heldout
