#include "forest/out_of_bag.hpp"

#include <algorithm>
#include <vector>

#include "base/require.hpp"
#include "base/team.hpp"
#include "forest/walk.hpp"
#include "forest/walk_block.hpp"

namespace heldout {
namespace {

constexpr std::size_t kTreesTogether = 64;  // a row has a byte for each of them

}  // namespace

void predict_out_of_bag(const ForestView& forest, const Rows& rows, const BagOptions& bag,
                        std::span<const double> weights, Answer answer, std::size_t n_threads, double* sums,
                        std::int32_t* n_trees) {
    check_shapes(forest);
    check_rows(forest, rows);
    require(answer != Answer::kMean || forest.n_outputs == 1, "a forest of means has one output");
    const std::size_t n_rows = rows.n_rows, n_outputs = forest.n_outputs;
    std::fill_n(sums, n_rows * n_outputs, 0.0);
    std::fill_n(n_trees, n_rows, 0);
    Team team(n_threads);
    const BlockWalk blocks(forest, rows, answer, team);
    const std::size_t n_together = blocks.n_rows_together(n_rows, team);
    std::vector<RowBlock> of_member(team.size());
    std::vector<std::vector<std::uint32_t>> places_of(team.size(), std::vector<std::uint32_t>(n_together));
    std::vector<std::uint8_t> is_out(n_rows * std::min(kTreesTogether, forest.n_trees()));
    for (std::size_t first = 0; first < forest.n_trees(); first += kTreesTogether) {
        const std::size_t n_here = std::min(kTreesTogether, forest.n_trees() - first);
        team.run(n_here, [&](std::size_t task, std::size_t) {
            const auto counts = bag_of_tree(bag, first + task, n_rows, weights);
            std::uint8_t* out = is_out.data() + task * n_rows;
            for (std::size_t row = 0; row < n_rows; ++row) out[row] = counts[row] == 0;
        });
        team.run((n_rows + n_together - 1) / n_together, [&](std::size_t task, std::size_t member) {
            const std::size_t begin = task * n_together, n = std::min(n_together, n_rows - begin);
            RowBlock& block = of_member[member];
            std::uint32_t* places = places_of[member].data();
            blocks.load(nullptr, begin, n, block);
            for (std::size_t tree = 0; tree < n_here; ++tree) {
                const std::uint8_t* out = is_out.data() + tree * n_rows + begin;
                std::size_t n_out = 0;
                for (std::size_t i = 0; i < n; ++i) {
                    places[n_out] = static_cast<std::uint32_t>(i);
                    n_out += out[i];
                    n_trees[begin + i] += out[i];
                }
                blocks.walk(first + tree, places, n_out, block);
                blocks.add_answers(first + tree, places, n_out, block, sums + begin * n_outputs);
            }
        });
    }
}

}  // namespace heldout
