#include <algorithm>
#include <limits>
#include <stdexcept>

#include "../check.hpp"
#include "random_tree.hpp"
#include "tree/prune.hpp"
#include "tree/tree.hpp"

using namespace heldout;
using heldout::tests::is_near;
using heldout::tests::random_tree;

namespace {

std::vector<double> random_costs(const Tree& tree, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<double> costs;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
        costs.push_back(static_cast<double>(random() % 1000) / 10);
    return costs;
}

// The cheapest pruning below each node, cost and leaves together; the smaller one of equals.
struct Cheapest {
    std::vector<double> total;
    std::vector<std::uint8_t> is_leaf;
};

Cheapest cheapest_pruning(const Tree& tree, const std::vector<double>& costs, double alpha) {
    Cheapest found{std::vector<double>(tree.nodes.size()), std::vector<std::uint8_t>(tree.nodes.size(), 1)};
    for (std::size_t index = tree.nodes.size(); index-- > 0;) {
        const Node& node = tree.nodes[index];
        found.total[index] = costs[index] + alpha;
        if (node.kind == SplitKind::kLeaf) continue;
        double below = 0;
        for (std::int32_t i = 0; i < node.n_children; ++i) below += found.total[node.first_child + i];
        found.is_leaf[index] = found.total[index] <= below + 1e-9;
        found.total[index] = std::min(found.total[index], below);
    }
    return found;
}

double total_cost(const Tree& tree, const std::vector<double>& costs,
                  const std::vector<std::uint8_t>& is_cut) {
    double total = 0;
    std::vector<std::size_t> waiting{0};
    while (!waiting.empty()) {
        const std::size_t index = waiting.back();
        waiting.pop_back();
        const Node& node = tree.nodes[index];
        if (node.kind == SplitKind::kLeaf || is_cut[index]) {
            total += costs[index];
            continue;
        }
        for (std::int32_t i = 0; i < node.n_children; ++i)
            waiting.push_back(static_cast<std::size_t>(node.first_child + i));
    }
    return total;
}

}  // namespace

TEST("weakest links give the cheapest pruning for every alpha") {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Tree tree = random_tree(seed, seed % 30);
        const auto costs = random_costs(tree, seed + 1);
        const auto links = weakest_links(tree, costs);
        for (const double alpha : {0.0, 0.5, 3.0, 7.77, 20.0, 51.3, 200.0}) {
            const Cheapest cheapest = cheapest_pruning(tree, costs, alpha);
            std::vector<std::uint8_t> is_cut;
            double n_leaves = 0;
            for (const double link : links) is_cut.push_back(alpha >= link);
            const Tree cut = cut_tree(tree, is_cut);
            for (const Node& node : cut.nodes) n_leaves += node.kind == SplitKind::kLeaf;
            CHECK(is_near(total_cost(tree, costs, is_cut) + alpha * n_leaves, cheapest.total[0]));
        }
    }
}

TEST("a chain of a hundred thousand splits has its links in no time") {
    Tree chain;
    chain.n_outputs = 1;
    constexpr std::int32_t kSplits = 100'000;
    chain.nodes.resize(2 * kSplits + 1);
    for (std::int32_t i = 0; i < kSplits; ++i) {
        Node& node = chain.nodes[i == 0 ? 0 : 2 * i];
        node.kind = SplitKind::kThreshold;
        node.feature = 0;
        node.first_child = node.default_child = 2 * i + 1;
        node.n_children = 2;
        chain.nodes[2 * i + 1].parent = chain.nodes[2 * i + 2].parent = i == 0 ? 0 : 2 * i;
    }
    chain.values.assign(chain.nodes.size(), 1.0);
    const std::vector<double> costs = random_costs(chain, 3);
    const auto links = weakest_links(chain, costs);
    for (std::size_t i = 1; i < links.size(); ++i) CHECK(links[i] <= links[chain.nodes[i].parent]);
}

TEST("bottom-up pruning by error loses least, and best-first never loses") {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Tree tree = random_tree(seed, seed % 40);
        const auto costs = random_costs(tree, seed + 7);
        const std::vector<std::uint8_t> uncut(tree.nodes.size(), 0);
        const double least = cheapest_pruning(tree, costs, 0.0).total[0];
        const auto bottom_up = reduced_error(tree, costs, {false, true});
        const auto best_first = reduced_error(tree, costs, {true, true});
        CHECK(is_near(total_cost(tree, costs, bottom_up), least));
        CHECK(total_cost(tree, costs, best_first) <= total_cost(tree, costs, uncut) + 1e-9);
        CHECK(total_cost(tree, costs, best_first) >= least - 1e-9);
    }
}

TEST("a split that neither gains nor loses goes or stays as asked") {
    const Tree tree = random_tree(1, 1);
    const std::vector<double> costs{3.0, 1.0, 2.0};
    for (const bool is_best_first : {false, true}) {
        CHECK(reduced_error(tree, costs, {is_best_first, true})[0] == 1);
        CHECK(reduced_error(tree, costs, {is_best_first, false})[0] == 0);
    }
}

TEST("what is cut off is gone, and the rest keeps its numbers") {
    const Tree tree = random_tree(5, 20);
    std::vector<std::uint8_t> is_cut(tree.nodes.size(), 0);
    const Tree same = cut_tree(tree, is_cut);
    CHECK(same.nodes.size() == tree.nodes.size() && same.values == tree.values);
    is_cut[0] = 1;
    const Tree root = cut_tree(tree, is_cut);
    CHECK(root.nodes.size() == 1 && root.nodes[0].kind == SplitKind::kLeaf);
    CHECK(root.nodes[0].weight == tree.nodes[0].weight && root.nodes[0].feature == -1);
}

TEST("a tree that does not fit together is refused") {
    const Tree good = random_tree(2, 6);
    check_tree(good);
    const auto refuses = [&](auto spoil) {
        Tree tree = good;
        spoil(tree);
        CHECK_THROWS(std::invalid_argument, check_tree(tree));
    };
    refuses([](Tree& tree) { tree.nodes[0].first_child = 0; });
    refuses([](Tree& tree) { tree.nodes[0].first_child = 1'000'000; });
    refuses([](Tree& tree) { tree.nodes[0].n_children = 3; });
    refuses([](Tree& tree) { tree.nodes[0].n_children = std::numeric_limits<std::int32_t>::max(); });
    refuses([](Tree& tree) { tree.nodes[0].default_child = 5; });
    refuses([](Tree& tree) { tree.nodes[0].feature = -1; });
    refuses([](Tree& tree) { tree.nodes[0].set_end = 1; });
    refuses([](Tree& tree) { tree.nodes[0].kind = static_cast<SplitKind>(9); });
    refuses([](Tree& tree) { tree.nodes[1].parent = 3; });
    refuses([](Tree& tree) { tree.nodes[0].parent = 0; });
    refuses([](Tree& tree) { tree.nodes.push_back(Node{}); });
    refuses([](Tree& tree) { tree.values.pop_back(); });
    refuses([](Tree& tree) { tree.nodes.clear(); });
}
