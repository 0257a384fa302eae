#include "tree/fall.hpp"

#include <algorithm>

#include "base/require.hpp"
#include "base/team.hpp"
#include "tree/check_tree.hpp"

namespace heldout {
namespace {

constexpr std::size_t kRowsPerFall = 1024;

struct Fragment {
    std::int32_t place;
    double weight;
};

// Lets one row fall, in as many fragments as its unknown values make of it.
class Fall {
  public:
    Fall(const Tree& tree, const Rows& rows, std::span<const double> shares, bool splits_unknown)
        : tree_(tree), rows_(rows), shares_(shares), splits_unknown_(splits_unknown) {}

    // visit(place, weight, is_end) for every node that a fragment comes to
    template <class Visit>
    void run(std::size_t row, Visit visit) {
        waiting_.assign(1, {0, 1.0});
        while (!waiting_.empty()) {
            auto [place, weight] = waiting_.back();
            waiting_.pop_back();
            while (true) {
                const std::int32_t next = next_node(tree_, rows_, row, place);
                visit(place, weight, next == place);
                if (next == place) break;
                const Node& node = tree_.nodes[place];
                if (next == kUnknown && splits_unknown_) {
                    split(node, weight);
                    break;
                }
                place = next == kUnknown ? node.default_child : next;
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
    bool splits_unknown_;
    std::vector<Fragment> waiting_;
};

// What a row that ends in each node is answered: the shares of the classes there, or the mean.
std::vector<double> node_answers(const Tree& tree, bool is_regression) {
    std::vector<double> answers = tree.values;
    if (is_regression) return answers;
    for (std::size_t place = 0; place < tree.nodes.size(); ++place) {
        const auto first = answers.begin() + static_cast<std::ptrdiff_t>(place * tree.n_outputs);
        double total = 0;
        for (std::size_t k = 0; k < tree.n_outputs; ++k) total += first[static_cast<std::ptrdiff_t>(k)];
        for (std::size_t k = 0; k < tree.n_outputs; ++k) first[static_cast<std::ptrdiff_t>(k)] /= total;
    }
    return answers;
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

void predict_tree(const Tree& tree, const Rows& rows, bool splits_unknown, bool is_regression,
                  std::size_t n_threads, double* answers) {
    check_tree(tree);
    rows.check(tree);
    const auto shares = branch_shares(tree);
    const auto at_node = node_answers(tree, is_regression);
    const std::size_t n_tasks = (rows.n_rows + kRowsPerFall - 1) / kRowsPerFall;
    Team team(std::min(n_threads, std::max<std::size_t>(n_tasks, 1)));
    team.run(n_tasks, [&](std::size_t task, std::size_t) {
        Fall fall(tree, rows, shares, splits_unknown);
        const std::size_t end = std::min((task + 1) * kRowsPerFall, rows.n_rows);
        for (std::size_t row = task * kRowsPerFall; row < end; ++row) {
            double* answer = answers + row * tree.n_outputs;
            std::fill_n(answer, tree.n_outputs, 0.0);
            fall.run(row, [&](std::int32_t place, double weight, bool is_end) {
                if (!is_end) return;
                const double* here = at_node.data() + place * tree.n_outputs;
                for (std::size_t k = 0; k < tree.n_outputs; ++k) answer[k] += weight * here[k];
            });
        }
    });
}

std::vector<double> node_losses(const Tree& tree, const Rows& rows, bool splits_unknown,
                                std::span<const std::uint32_t> classes, std::span<const double> targets,
                                std::span<const double> weights) {
    check_tree(tree);
    rows.check(tree);
    require(classes.empty() || classes.size() == rows.n_rows, "classes and rows differ in number");
    require(targets.empty() || targets.size() == rows.n_rows, "targets and rows differ in number");
    require(weights.empty() || weights.size() == rows.n_rows, "weights and rows differ in number");
    require(rows.n_rows == 0 || classes.empty() != targets.empty(), "either classes or targets are needed");
    require(targets.empty() || tree.n_outputs == 1, "a tree judged by targets has one output");
    const auto shares = branch_shares(tree);
    std::vector<double> losses(tree.nodes.size(), 0.0);
    std::vector<std::uint32_t> majority(tree.nodes.size());
    for (std::size_t place = 0; place < majority.size(); ++place) {
        const double* value = tree.values.data() + place * tree.n_outputs;
        majority[place] = static_cast<std::uint32_t>(std::max_element(value, value + tree.n_outputs) - value);
    }
    Fall fall(tree, rows, shares, splits_unknown);
    for (std::size_t row = 0; row < rows.n_rows; ++row) {
        const double row_weight = weights.empty() ? 1.0 : weights[row];
        fall.run(row, [&](std::int32_t place, double share, bool) {
            const double weight = row_weight * share;
            if (targets.empty()) {
                losses[place] += majority[place] != classes[row] ? weight : 0.0;
            } else {
                const double distance = targets[row] - tree.values[place];
                losses[place] += weight * distance * distance;
            }
        });
    }
    return losses;
}

}  // namespace heldout
