#include "forest/grow.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "base/require.hpp"
#include "base/team.hpp"
#include "forest/tree_grower.hpp"
#include "tree/problem.hpp"

namespace heldout {
namespace {

void check(const Problem& problem, const ForestOptions& options) {
    problem.check();
    const auto criterion = problem.options.criterion;
    require(criterion == Criterion::kGini || criterion == Criterion::kEntropy ||
                criterion == Criterion::kSquaredError,
            "a forest grows by gini, entropy or squared_error");
    require(options.max_features > 0 && options.max_features <= problem.columns.size(),
            "max_features must be between 1 and the number of columns");
    require(options.bag.n_draws > 0, "a bag needs a row");
    check_groups(options.bag, problem.n_rows);
}

// What a bag can hold at most, for tables that are made once.
std::size_t most_counted(const Problem& problem, const ForestOptions& options) {
    if (problem.options.criterion != Criterion::kEntropy) return 0;
    if (!options.bag.is_bootstrap) return problem.n_rows;
    if (options.bag.groups.empty()) return options.bag.n_draws;
    std::vector<std::size_t> sizes(std::size_t{std::ranges::max(options.bag.groups)} + 1, 0);
    for (const auto group : options.bag.groups) ++sizes[group];
    const std::size_t most = options.bag.n_draws * std::ranges::max(sizes);
    return std::min(most, WordBits::kMostTimes * problem.n_rows);
}

void restore(Forest& forest, const ScaledProblem& scaled, bool is_regression) {
    if (scaled.is_as_given()) return;
    for (auto& weight : forest.weight) weight = scaled.weight_as_given(weight);
    for (auto& gain : forest.importance) gain = scaled.weight_as_given(scaled.gain_as_given(gain));
    for (auto& value : forest.value)
        value = is_regression ? scaled.target_as_given(value) : scaled.weight_as_given(value);
}

// The indices of the settings, the smallest first.
std::vector<std::size_t> ascending_order(std::span<const double> min_leafs) {
    std::vector<std::size_t> order(min_leafs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t index) { return min_leafs[index]; });
    return order;
}

}  // namespace

Forest grow_forest(const Problem& problem, const ForestOptions& options) {
    const double min_leafs[] = {problem.options.min_leaf};
    return std::move(grow_forests(problem, options, min_leafs).front());
}

std::vector<Forest> grow_forests(const Problem& problem, const ForestOptions& options,
                                 std::span<const double> min_leafs) {
    check(problem, options);
    require(!min_leafs.empty(), "at least one min_leaf is needed");
    require(std::ranges::all_of(min_leafs, [](double min_leaf) { return min_leaf >= 0; }),
            "min_leaf must be a number of at least 0");
    const auto order = ascending_order(min_leafs);
    Problem unweighted = problem;
    if (options.bag.draws_by_weight()) unweighted.weights = {};
    const ScaledProblem scaled(unweighted);
    std::vector<double> scaled_min_leafs;
    for (const auto index : order) scaled_min_leafs.push_back(scaled.min_leaf(min_leafs[index]));
    const ForestData data(scaled.problem(), options);
    const EntropyTable entropies(data.can_count() ? most_counted(problem, options) : 0);
    const auto bag_weights = options.bag.draws_by_weight() ? problem.weights : std::span<const double>{};

    Team team(std::min(problem.options.n_threads, std::max<std::size_t>(options.n_trees, 1)));
    std::vector<std::unique_ptr<TreeGrower>> growers(team.size());
    std::vector<std::vector<Forest>> trees(options.n_trees);
    team.run(options.n_trees, [&](std::size_t tree, std::size_t member) {
        auto& grower = growers[member];
        if (!grower) grower = std::make_unique<TreeGrower>(data, entropies, scaled_min_leafs);
        trees[tree] = grower->grow(options.first_tree + tree, bag_weights);
    });
    std::vector<Forest> forests(min_leafs.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        Forest& forest = forests[order[i]];
        forest.n_columns = problem.columns.size();
        forest.n_outputs = problem.is_regression() ? 1 : problem.n_classes;
        forest.tree_begin.push_back(0);
        for (auto& of_tree : trees) append(forest, std::exchange(of_tree[i], Forest{}));
        restore(forest, scaled, problem.is_regression());
    }
    return forests;
}

}  // namespace heldout
