#include "tree/prune.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

#include "base/require.hpp"
#include "tree/tree.hpp"

namespace heldout {
namespace {

// Sums of shares are rounded: losses that differ by less than this part of the largest are equal.
constexpr double kTieShare = 1e-10;

class Pruner {
  public:
    Pruner(const Tree& tree, std::span<const double> costs, bool prune_ties)
        : tree_(tree), costs_(costs), below_(costs.begin(), costs.end()), is_cut_(costs.size(), 0) {
        tie_ = kTieShare * *std::ranges::max_element(costs);
        least_gain_ = prune_ties ? -tie_ : tie_;
        for (std::size_t index = tree.nodes.size(); index-- > 0;)
            if (is_split(index)) below_[index] = sum_below(index);
    }

    std::vector<std::uint8_t> bottom_up() {
        for (std::size_t index = tree_.nodes.size(); index-- > 0;) {
            if (!is_split(index)) continue;
            below_[index] = sum_below(index);
            if (gain(index) >= least_gain_) cut(index);
        }
        return std::move(is_cut_);
    }

    std::vector<std::uint8_t> best_first() {
        struct Entry {
            double rank;  // of the gain; equal where gains differ by rounding alone
            std::size_t index;
            bool operator<(const Entry& other) const {
                return rank != other.rank ? rank < other.rank : index > other.index;
            }
        };
        std::priority_queue<Entry> queue;
        std::vector<std::uint8_t> is_gone(tree_.nodes.size(), 0);
        const auto offer = [&](std::size_t index) {
            if (gain(index) >= least_gain_) queue.push({rank(index), index});
        };
        for (std::size_t index = 0; index < tree_.nodes.size(); ++index)
            if (is_split(index)) offer(index);
        while (!queue.empty()) {
            const Entry best = queue.top();
            queue.pop();
            if (is_gone[best.index] || best.rank != rank(best.index)) continue;
            const double gain_of_cut = gain(best.index);
            mark_gone(best.index, is_gone);
            cut(best.index);
            if (gain_of_cut == 0) continue;
            for (auto above = tree_.nodes[best.index].parent; above >= 0; above = tree_.nodes[above].parent) {
                below_[above] -= gain_of_cut;
                offer(static_cast<std::size_t>(above));
            }
        }
        return std::move(is_cut_);
    }

  private:
    bool is_split(std::size_t index) const { return tree_.nodes[index].kind != SplitKind::kLeaf; }
    double gain(std::size_t index) const { return below_[index] - costs_[index]; }
    double rank(std::size_t index) const { return tie_ > 0 ? std::round(gain(index) / tie_) : 0; }
    void cut(std::size_t index) {
        is_cut_[index] = 1;
        below_[index] = costs_[index];
    }
    double sum_below(std::size_t index) const {
        const Node& node = tree_.nodes[index];
        double sum = 0;
        for (std::int32_t i = 0; i < node.n_children; ++i) sum += below_[node.first_child + i];
        return sum;
    }
    void mark_gone(std::size_t top, std::vector<std::uint8_t>& is_gone) {
        std::vector<std::size_t> waiting{top};
        while (!waiting.empty()) {
            const std::size_t index = waiting.back();
            waiting.pop_back();
            if (is_gone[index]) continue;
            is_gone[index] = 1;
            for (std::int32_t i = 0; i < tree_.nodes[index].n_children; ++i)
                waiting.push_back(static_cast<std::size_t>(tree_.nodes[index].first_child + i));
        }
    }

    const Tree& tree_;
    std::span<const double> costs_;
    std::vector<double> below_;  // what the leaves under each node lose now
    std::vector<std::uint8_t> is_cut_;
    double tie_;  // gains that differ by less are equal
    double least_gain_;
};

}  // namespace

std::vector<std::uint8_t> reduced_error(const Tree& tree, std::span<const double> costs,
                                        const ReducedErrorOptions& options) {
    check_tree(tree);
    require(costs.size() == tree.nodes.size(), "costs and nodes differ in number");
    require(std::ranges::all_of(costs, [](double cost) { return std::isfinite(cost) && cost >= 0; }),
            "losses must be finite and at least 0");
    Pruner pruner(tree, costs, options.prune_ties);
    return options.is_best_first ? pruner.best_first() : pruner.bottom_up();
}

namespace {

// Below `alpha`, a split costs so much more, and has so many more leaves, than it does as a leaf.
struct Collapse {
    double alpha;
    double more_cost;
    double more_leaves;

    bool operator<(const Collapse& other) const { return alpha < other.alpha; }
};

using Heap = std::vector<Collapse>;

void push(Heap& heap, const Collapse& collapse) {
    heap.push_back(collapse);
    std::push_heap(heap.begin(), heap.end());
}

// The smaller one goes into the larger one, so that no collapse moves more than log2(n) times.
void merge(Heap& into, Heap& from) {
    if (into.size() < from.size()) std::swap(into, from);
    for (const auto& collapse : from) push(into, collapse);
    Heap().swap(from);
}

// What the branches cost together is a concave function of alpha, made of lines; the heap has its corners.
// We come from large alphas, where every branch is a leaf, and go left until the line of the node as a leaf
// (slope 1) meets it. Corners that were passed no longer matter to any split above: this one is a leaf there.
Collapse find_collapse(std::span<const double> costs, const Node& node, double cost, Heap& corners) {
    double branch_cost = 0;
    for (std::int32_t i = 0; i < node.n_children; ++i) branch_cost += costs[node.first_child + i];
    double n_leaves = node.n_children;
    while (true) {
        const double alpha = (cost - branch_cost) / (n_leaves - 1);
        if (corners.empty() || alpha >= corners.front().alpha)
            return {std::max(alpha, 0.0), branch_cost - cost, n_leaves - 1};
        branch_cost += corners.front().more_cost;
        n_leaves += corners.front().more_leaves;
        std::pop_heap(corners.begin(), corners.end());
        corners.pop_back();
    }
}

}  // namespace

std::vector<double> weakest_links(const Tree& tree, std::span<const double> costs) {
    check_tree(tree);
    require(costs.size() == tree.nodes.size(), "costs and nodes differ in number");
    require(std::ranges::all_of(costs, [](double cost) { return std::isfinite(cost); }),
            "costs must be finite");
    std::vector<double> alphas(tree.nodes.size(), 0.0);
    std::vector<Heap> corners(tree.nodes.size());
    for (std::size_t index = tree.nodes.size(); index-- > 0;) {
        const Node& node = tree.nodes[index];
        if (node.kind == SplitKind::kLeaf) continue;
        for (std::int32_t i = 0; i < node.n_children; ++i)
            merge(corners[index], corners[node.first_child + i]);
        const Collapse collapse = find_collapse(costs, node, costs[index], corners[index]);
        alphas[index] = collapse.alpha;
        push(corners[index], collapse);
    }
    for (std::size_t index = 1; index < tree.nodes.size(); ++index)
        alphas[index] = std::min(alphas[index], alphas[tree.nodes[index].parent]);
    return alphas;
}

}  // namespace heldout
