#include "tree/apply.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "base/team.hpp"
#include "tree/check_tree.hpp"

namespace heldout {
namespace {

constexpr std::size_t kRowsPerApply = 4096;
constexpr std::size_t kInFlight = 8;

// A node of a tree with thresholds only, in 16 bytes. A leaf points to itself and is never left.
struct Step {
    double threshold;
    std::uint32_t column_and_default;  // the highest bit: unknown goes right
    std::int32_t first_child;
};
constexpr std::uint32_t kUnknownRight = 0x80000000U;

std::vector<Step> thresholds_only(const std::vector<Node>& nodes, const Rows& rows) {
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

std::int32_t apply_row(const Tree& tree, const Rows& rows, std::size_t row) {
    std::int32_t place = 0;
    while (true) {
        const std::int32_t next = next_node(tree, rows, row, place);
        if (next == place) return place;  // a leaf, or an empty branch: the row stays with its majority
        place = next == kUnknown ? tree.nodes[place].default_child : next;
    }
}

}  // namespace

void apply_tree(const Tree& tree, const Rows& rows, std::size_t n_threads, std::int32_t* reached) {
    check_tree(tree);
    rows.check(tree);
    const bool has_levels =
        std::ranges::any_of(tree.nodes, [](const Node& node) { return node.kind > SplitKind::kThreshold; });
    const bool is_numeric = !has_levels && rows.n_numbers > 0;
    const auto steps = is_numeric ? thresholds_only(tree.nodes, rows) : std::vector<Step>{};
    const std::size_t n_tasks = (rows.n_rows + kRowsPerApply - 1) / kRowsPerApply;
    Team team(std::min(n_threads, std::max<std::size_t>(n_tasks, 1)));
    team.run(n_tasks, [&](std::size_t task, std::size_t) {
        const std::size_t begin = task * kRowsPerApply, end = std::min(begin + kRowsPerApply, rows.n_rows);
        if (is_numeric) return apply_thresholds(steps, rows, begin, end, reached);
        for (std::size_t row = begin; row < end; ++row) reached[row] = apply_row(tree, rows, row);
    });
}

}  // namespace heldout
