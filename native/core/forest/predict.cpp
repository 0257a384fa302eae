#include "forest/predict.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/require.hpp"
#include "base/team.hpp"
#include "forest/walk.hpp"
#include "forest/walk_block.hpp"

namespace heldout {
namespace {

// Packing pays from one row for so many nodes of a tree on. Where thresholds are no floats they must be
// sorted for it, which takes longer; the roots tell.
constexpr std::size_t kNodesPerRow = 10, kSortedNodesPerRow = 2;

bool is_packing_worth_it(const ForestView& forest, const Rows& rows) {
    bool are_floats = true;
    for (std::size_t tree = 0; tree < forest.n_trees(); ++tree) {
        const double threshold = forest.threshold[forest.first_node(tree)];
        are_floats &=
            std::isnan(threshold) || static_cast<double>(static_cast<float>(threshold)) == threshold;
    }
    return rows.n_rows * (are_floats ? kNodesPerRow : kSortedNodesPerRow) >
           forest.n_nodes() / forest.n_trees();
}

std::size_t n_parts(std::size_t n, std::size_t part) {
    return (n + part - 1) / part;
}

// Calls write(prefix number, sums) after each tree that ends a prefix.
template <class AddTree, class Write>
void add_trees(std::span<const std::size_t> prefixes, AddTree add_tree, Write write) {
    std::size_t tree = 0;
    for (std::size_t i = 0; i < prefixes.size(); ++i) {
        for (; tree < prefixes[i]; ++tree) add_tree(tree);
        write(i);
    }
}

void write_means(const std::vector<double>& sums, std::size_t n_trees, double* predictions) {
    for (std::size_t i = 0; i < sums.size(); ++i) predictions[i] = sums[i] / static_cast<double>(n_trees);
}

void predict_few(const ForestView& forest, const Rows& rows, std::span<const std::size_t> prefixes,
                 PredictionKind kind, double* predictions) {
    const std::size_t n_outputs = forest.n_outputs, n_trees = prefixes.back();
    std::vector<std::int32_t> reached(n_trees);
    std::vector<double> sums(n_outputs), added(n_outputs);
    for (std::size_t row = 0; row < rows.n_rows; ++row) {
        walk_row(forest, rows, row, 0, n_trees, reached.data());
        std::ranges::fill(sums, 0.0);
        const auto add_tree = [&](std::size_t tree) {
            const std::size_t at = forest.first_node(tree) + static_cast<std::size_t>(reached[tree]);
            write_prediction(forest, at, kind, added.data());
            for (std::size_t k = 0; k < n_outputs; ++k) sums[k] += added[k];
        };
        add_trees(prefixes, add_tree, [&](std::size_t i) {
            write_means(sums, prefixes[i], predictions + (i * rows.n_rows + row) * n_outputs);
        });
    }
}

}  // namespace

void predict_forest(const ForestView& forest, const Rows& rows, const ForestPredictOptions& options,
                    double* predictions) {
    const auto prefixes = options.prefixes;
    check_shapes(forest);
    check_rows(forest, rows);
    require(options.kind != PredictionKind::kMean || forest.n_outputs == 1,
            "a forest of means has one output");
    require(std::ranges::is_sorted(prefixes), "prefixes must ascend");
    if (prefixes.empty() || rows.n_rows == 0) return;
    require(prefixes.front() > 0 && prefixes.back() <= forest.n_trees(),
            "a prefix has from one to all trees");
    if (!is_packing_worth_it(forest, rows))
        return predict_few(forest, rows, prefixes, options.kind, predictions);
    Team team(options.n_threads);
    const BlockWalk blocks(forest, rows, options.kind, team);
    const std::size_t n_together = blocks.n_rows_together(rows.n_rows, team), n_outputs = forest.n_outputs;
    std::vector<RowBlock> of_member(team.size());
    team.run(n_parts(rows.n_rows, n_together), [&](std::size_t task, std::size_t member) {
        RowBlock& block = of_member[member];
        const std::size_t begin = task * n_together, n = std::min(n_together, rows.n_rows - begin);
        blocks.load(nullptr, begin, n, block);
        std::vector<double> sums(n * n_outputs, 0.0);
        const auto add_tree = [&](std::size_t tree) {
            blocks.walk(tree, nullptr, n, block);
            blocks.add_predictions(tree, nullptr, n, block, sums.data());
        };
        add_trees(prefixes, add_tree, [&](std::size_t i) {
            write_means(sums, prefixes[i], predictions + (i * rows.n_rows + begin) * n_outputs);
        });
    });
}

void apply_forest(const ForestView& forest, const Rows& rows, std::size_t n_threads, std::int32_t* reached) {
    check_shapes(forest);
    check_rows(forest, rows);
    const std::size_t n_trees = forest.n_trees();
    if (n_trees == 0 || rows.n_rows == 0) return;
    if (!is_packing_worth_it(forest, rows)) {
        for (std::size_t row = 0; row < rows.n_rows; ++row)
            walk_row(forest, rows, row, 0, n_trees, reached + row * n_trees);
        return;
    }
    Team team(n_threads);
    const BlockWalk blocks(forest, rows, PredictionKind::kNone, team);
    const std::size_t n_together = blocks.n_rows_together(rows.n_rows, team);
    std::vector<RowBlock> of_member(team.size());
    team.run(n_parts(rows.n_rows, n_together), [&](std::size_t task, std::size_t member) {
        RowBlock& block = of_member[member];
        const std::size_t begin = task * n_together, n = std::min(n_together, rows.n_rows - begin);
        blocks.load(nullptr, begin, n, block);
        for (std::size_t tree = 0; tree < n_trees; ++tree) {
            blocks.walk(tree, nullptr, n, block);
            for (std::size_t i = 0; i < n; ++i)
                reached[(begin + i) * n_trees + tree] = static_cast<std::int32_t>(block.reached[i]);
        }
    });
}

}  // namespace heldout
