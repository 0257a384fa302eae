#include "tree/weakest_links.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/require.hpp"
#include "tree/check_tree.hpp"

namespace heldout {
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
    for (std::size_t place = tree.nodes.size(); place-- > 0;) {
        const Node& node = tree.nodes[place];
        if (node.kind == SplitKind::kLeaf) continue;
        for (std::int32_t i = 0; i < node.n_children; ++i)
            merge(corners[place], corners[node.first_child + i]);
        const Collapse collapse = find_collapse(costs, node, costs[place], corners[place]);
        alphas[place] = collapse.alpha;
        push(corners[place], collapse);
    }
    for (std::size_t place = 1; place < tree.nodes.size(); ++place)
        alphas[place] = std::min(alphas[place], alphas[tree.nodes[place].parent]);
    return alphas;
}

}  // namespace heldout
