#include "tree/apply.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "base/require.hpp"
#include "base/team.hpp"
#include "tree/tree.hpp"

namespace heldout {

void Rows::check(const Tree& tree) const {
    for (const auto column : column_of)
        require(column >= 0 ? static_cast<std::size_t>(column) < n_numbers
                            : static_cast<std::size_t>(-(std::int64_t{column} + 1)) < n_levels,
                "a feature's column is outside the rows");
    for (const Node& node : tree.nodes) {
        if (node.kind == SplitKind::kLeaf) continue;
        require(static_cast<std::size_t>(node.feature) < column_of.size(),
                "a node splits on a feature that is not there");
        require((column_of[node.feature] >= 0) == (node.kind == SplitKind::kThreshold),
                "a node's kind of split does not fit its feature");
    }
}

std::int32_t child_for_level(const Tree& tree, std::int32_t index, std::int32_t level) {
    const Node& node = tree.nodes[index];
    if (level < 0) return kMissing;
    if (node.kind == SplitKind::kLevelSet) {
        const auto begin = tree.set_levels.begin() + node.set_begin;
        const auto end = tree.set_levels.begin() + node.set_end;
        return std::binary_search(begin, end, level) ? node.first_child : node.first_child + 1;
    }
    const auto children =
        std::span(tree.nodes)
            .subspan(static_cast<std::size_t>(node.first_child), static_cast<std::size_t>(node.n_children));
    const auto child = std::ranges::lower_bound(children, level, {}, &Node::branch_level);
    if (child == children.end() || child->branch_level != level) return index;
    return node.first_child + static_cast<std::int32_t>(child - children.begin());
}

std::int32_t next_node(const Tree& tree, const Rows& rows, std::size_t row, std::int32_t index) {
    const Node& node = tree.nodes[index];
    if (node.kind == SplitKind::kLeaf) return index;
    const std::int32_t column = rows.column_of[node.feature];
    if (column < 0) return child_for_level(tree, index, rows.level(row, -1 - column));
    const double number = rows.number(row, column);
    return std::isnan(number) ? kMissing
                              : node.first_child + static_cast<std::int32_t>(number > node.threshold);
}

namespace {

constexpr std::size_t kRowsPerApply = 4096;
constexpr std::size_t kInFlight = 8;

// A node of a tree with thresholds only, in 16 bytes. A leaf points to itself and is never left.
struct Step {
    double threshold;
    std::uint32_t column_and_default;  // the highest bit: missing values go right
    std::int32_t first_child;
};
constexpr std::uint32_t kMissingRight = 0x80000000U;

std::vector<Step> thresholds_only(const std::vector<Node>& nodes, const Rows& rows) {
    std::vector<Step> steps(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node& node = nodes[i];
        if (node.kind == SplitKind::kLeaf) {
            steps[i] = {std::numeric_limits<double>::infinity(), 0, static_cast<std::int32_t>(i)};
            continue;
        }
        const auto column = static_cast<std::uint32_t>(rows.column_of[node.feature]);
        const bool is_right = node.default_child != node.first_child;
        steps[i] = {node.threshold, column | (is_right ? kMissingRight : 0U), node.first_child};
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
                const auto column = static_cast<std::ptrdiff_t>(step.column_and_default & ~kMissingRight);
                const double number = row[lane][column * rows.number_column_stride];
                const std::int32_t missing_right = std::isnan(number) & (step.column_and_default >> 31);
                const std::int32_t next =
                    step.first_child + (static_cast<std::int32_t>(number > step.threshold) | missing_right);
                moved |= next ^ at[lane];
                at[lane] = next;
            }
        }
        std::copy_n(at.begin(), n, reached + first);
    }
}

std::int32_t apply_row(const Tree& tree, const Rows& rows, std::size_t row) {
    std::int32_t index = 0;
    while (true) {
        const std::int32_t next = next_node(tree, rows, row, index);
        if (next == index) return index;  // a leaf, or an empty branch: the row stays with its majority
        index = next == kMissing ? tree.nodes[index].default_child : next;
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

namespace {

constexpr std::size_t kRowsPerFall = 1024;

struct Fragment {
    std::int32_t index;
    double weight;
};

// Lets one row fall, in as many fragments as its missing values make of it.
class Fall {
  public:
    Fall(const Tree& tree, const Rows& rows, std::span<const double> shares, bool splits_missing)
        : tree_(tree), rows_(rows), shares_(shares), splits_missing_(splits_missing) {}

    // visit(index, weight, is_end) for every node that a fragment comes to
    template <class Visit>
    void run(std::size_t row, Visit visit) {
        waiting_.assign(1, {0, 1.0});
        while (!waiting_.empty()) {
            auto [index, weight] = waiting_.back();
            waiting_.pop_back();
            while (true) {
                const std::int32_t next = next_node(tree_, rows_, row, index);
                visit(index, weight, next == index);
                if (next == index) break;
                const Node& node = tree_.nodes[index];
                if (next == kMissing && splits_missing_) {
                    split(node, weight);
                    break;
                }
                index = next == kMissing ? node.default_child : next;
            }
        }
    }

  private:
    void split(const Node& node, double weight) {
        for (std::int32_t child = node.first_child + node.n_children - 1; child >= node.first_child; --child)
            if (shares_[child] > 0) waiting_.push_back({child, weight * shares_[child]});
    }

    const Tree& tree_;
    const Rows& rows_;
    std::span<const double> shares_;
    bool splits_missing_;
    std::vector<Fragment> waiting_;
};

// What is predicted for a row that ends in each node: the shares of the classes there, or the mean.
std::vector<double> node_predictions(const Tree& tree, bool is_regression) {
    std::vector<double> predictions = tree.values;
    if (is_regression) return predictions;
    for (std::size_t index = 0; index < tree.nodes.size(); ++index) {
        const auto first = predictions.begin() + static_cast<std::ptrdiff_t>(index * tree.n_outputs);
        double total = 0;
        for (std::size_t k = 0; k < tree.n_outputs; ++k) total += first[static_cast<std::ptrdiff_t>(k)];
        for (std::size_t k = 0; k < tree.n_outputs; ++k) first[static_cast<std::ptrdiff_t>(k)] /= total;
    }
    return predictions;
}

}  // namespace

std::vector<double> branch_shares(const Tree& tree) {
    std::vector<double> shares(tree.nodes.size(), 1.0);
    for (const Node& node : tree.nodes) {
        double total = 0;
        for (std::int32_t i = 0; i < node.n_children; ++i) total += tree.nodes[node.first_child + i].weight;
        for (std::int32_t i = 0; i < node.n_children; ++i)
            shares[node.first_child + i] = tree.nodes[node.first_child + i].weight / total;
    }
    return shares;
}

void predict_tree(const Tree& tree, const Rows& rows, const PredictOptions& options, double* predictions) {
    check_tree(tree);
    rows.check(tree);
    const auto shares = branch_shares(tree);
    const auto at_node = node_predictions(tree, options.is_regression);
    const std::size_t n_tasks = (rows.n_rows + kRowsPerFall - 1) / kRowsPerFall;
    Team team(std::min(options.n_threads, std::max<std::size_t>(n_tasks, 1)));
    team.run(n_tasks, [&](std::size_t task, std::size_t) {
        Fall fall(tree, rows, shares, options.splits_missing);
        const std::size_t end = std::min((task + 1) * kRowsPerFall, rows.n_rows);
        for (std::size_t row = task * kRowsPerFall; row < end; ++row) {
            double* prediction = predictions + row * tree.n_outputs;
            std::fill_n(prediction, tree.n_outputs, 0.0);
            fall.run(row, [&](std::int32_t index, double weight, bool is_end) {
                if (!is_end) return;
                const double* here = at_node.data() + index * tree.n_outputs;
                for (std::size_t k = 0; k < tree.n_outputs; ++k) prediction[k] += weight * here[k];
            });
        }
    });
}

void Labels::check(std::size_t n_rows, std::size_t n_outputs) const {
    require(classes.empty() || classes.size() == n_rows, "classes and rows differ in number");
    require(targets.empty() || targets.size() == n_rows, "targets and rows differ in number");
    require(weights.empty() || weights.size() == n_rows, "weights and rows differ in number");
    require(n_rows == 0 || classes.empty() != targets.empty(), "either classes or targets are needed");
    require(targets.empty() || n_outputs == 1, "what is judged by targets has one output");
}

std::vector<double> node_losses(const Tree& tree, const Rows& rows, const Labels& labels,
                                bool splits_missing) {
    check_tree(tree);
    rows.check(tree);
    labels.check(rows.n_rows, tree.n_outputs);
    const auto shares = branch_shares(tree);
    std::vector<double> losses(tree.nodes.size(), 0.0);
    std::vector<std::uint32_t> majority(tree.nodes.size());
    for (std::size_t index = 0; index < majority.size(); ++index) {
        const double* value = tree.values.data() + index * tree.n_outputs;
        majority[index] = static_cast<std::uint32_t>(std::max_element(value, value + tree.n_outputs) - value);
    }
    Fall fall(tree, rows, shares, splits_missing);
    for (std::size_t row = 0; row < rows.n_rows; ++row) {
        const double row_weight = labels.weight(row);
        fall.run(row, [&](std::int32_t index, double share, bool) {
            const double weight = row_weight * share;
            if (labels.targets.empty()) {
                losses[index] += majority[index] != labels.classes[row] ? weight : 0.0;
            } else {
                const double distance = labels.targets[row] - tree.values[index];
                losses[index] += weight * distance * distance;
            }
        });
    }
    return losses;
}

}  // namespace heldout
