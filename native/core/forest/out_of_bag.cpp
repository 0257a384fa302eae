#include "forest/out_of_bag.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/require.hpp"
#include "base/stream.hpp"
#include "base/team.hpp"
#include "forest/walk.hpp"
#include "forest/walk_block.hpp"

namespace heldout {
namespace {

constexpr std::size_t kTreesTogether = 64;  // a row has a byte for each of them

}  // namespace

void predict_out_of_bag(const ForestView& forest, const Rows& rows, const OutOfBagOptions& options,
                        double* sums, std::int32_t* n_trees) {
    check_shapes(forest);
    check_rows(forest, rows);
    require(options.kind != PredictionKind::kMean || forest.n_outputs == 1,
            "a forest of means has one output");
    const std::size_t n_rows = rows.n_rows, n_outputs = forest.n_outputs;
    std::fill_n(sums, n_rows * n_outputs, 0.0);
    std::fill_n(n_trees, n_rows, 0);
    Team team(options.n_threads);
    const BlockWalk blocks(forest, rows, options.kind, team);
    const std::size_t n_together = blocks.n_rows_together(n_rows, team);
    std::vector<RowBlock> of_member(team.size());
    std::vector<std::vector<std::uint32_t>> positions_of(team.size(), std::vector<std::uint32_t>(n_together));
    std::vector<std::uint8_t> is_out(n_rows * std::min(kTreesTogether, forest.n_trees()));
    for (std::size_t first = 0; first < forest.n_trees(); first += kTreesTogether) {
        const std::size_t n_here = std::min(kTreesTogether, forest.n_trees() - first);
        team.run(n_here, [&](std::size_t task, std::size_t) {
            const auto counts = bag_of_tree(options.bag, first + task, n_rows, options.bag_weights);
            std::uint8_t* out = is_out.data() + task * n_rows;
            for (std::size_t row = 0; row < n_rows; ++row) out[row] = counts[row] == 0;
        });
        team.run((n_rows + n_together - 1) / n_together, [&](std::size_t task, std::size_t member) {
            const std::size_t begin = task * n_together, n = std::min(n_together, n_rows - begin);
            RowBlock& block = of_member[member];
            std::uint32_t* positions = positions_of[member].data();
            blocks.load(nullptr, begin, n, block);
            for (std::size_t tree = 0; tree < n_here; ++tree) {
                const std::uint8_t* out = is_out.data() + tree * n_rows + begin;
                std::size_t n_out = 0;
                for (std::size_t i = 0; i < n; ++i) {
                    positions[n_out] = static_cast<std::uint32_t>(i);
                    n_out += out[i];
                    n_trees[begin + i] += out[i];
                }
                blocks.walk(first + tree, positions, n_out, block);
                blocks.add_predictions(first + tree, positions, n_out, block, sums + begin * n_outputs);
            }
        });
    }
}

namespace {

constexpr std::uint64_t kShuffles = 3;  // the part of a tree's key that bags and nodes do not use
constexpr std::size_t kColumnsTogether = 8;

std::vector<std::uint32_t> rows_out_of_bag(const std::vector<std::uint32_t>& counts) {
    std::vector<std::uint32_t> rows;
    for (std::size_t row = 0; row < counts.size(); ++row)
        if (counts[row] == 0) rows.push_back(static_cast<std::uint32_t>(row));
    return rows;
}

std::vector<std::size_t> columns_of_tree(const ForestView& forest, std::size_t tree) {
    std::vector<std::uint8_t> is_used(forest.n_columns, 0);
    const std::size_t first = forest.first_node(tree);
    for (std::size_t at = first; at < first + forest.n_nodes_of(tree); ++at)
        if (forest.kind[at] != SplitKind::kLeaf) is_used[static_cast<std::size_t>(forest.feature[at])] = 1;
    std::vector<std::size_t> columns;
    for (std::size_t column = 0; column < is_used.size(); ++column)
        if (is_used[column]) columns.push_back(column);
    return columns;
}

void shuffle(std::vector<std::uint32_t>& rows, std::uint64_t seed, std::size_t tree, std::size_t column) {
    Stream stream(key_of_part(key_of_part(key_of_part(seed, tree), kShuffles), column));
    for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[stream.below(i)]);
}

// What the nodes of one tree lose on rows.
class NodeLoss {
  public:
    NodeLoss(const ForestView& forest, const Labels& labels, std::size_t tree)
        : labels_(labels), means_(forest.value.data() + forest.first_node(tree)) {
        if (labels.classes.empty()) return;
        classes_.resize(forest.n_nodes_of(tree));
        for (std::size_t node = 0; node < classes_.size(); ++node)
            classes_[node] =
                static_cast<std::uint32_t>(class_of_node(forest, forest.first_node(tree) + node));
    }

    double weight(std::uint32_t row) const { return labels_.weight(row); }

    double operator()(std::uint32_t row, std::uint32_t node) const {
        if (!labels_.classes.empty()) return classes_[node] != labels_.classes[row] ? weight(row) : 0.0;
        const double distance = labels_.targets[row] - means_[node];
        return weight(row) * distance * distance;
    }

  private:
    const Labels& labels_;
    const double* means_;
    std::vector<std::uint32_t> classes_;
};

// One tree after the other, each on the rows out of its bag.
class Permuter {
  public:
    Permuter(const ForestView& forest, const BlockWalk& blocks, const Labels& labels, std::uint64_t seed)
        : forest_(forest), blocks_(blocks), labels_(labels), seed_(seed) {}

    void run(std::size_t tree, const std::vector<std::uint32_t>& out, RowBlock& block, double* losses) const {
        const NodeLoss loss(forest_, labels_, tree);
        double total = 0;
        for (const auto row : out) total += loss.weight(row);
        if (!(total > 0)) return;
        const auto columns = columns_of_tree(forest_, tree);
        for (std::size_t first = 0; first < columns.size(); first += kColumnsTogether) {
            const auto some =
                std::span(columns).subspan(first, std::min(kColumnsTogether, columns.size() - first));
            const auto grown = growth(tree, some, out, loss, block);
            for (std::size_t i = 0; i < some.size(); ++i) losses[some[i]] = grown[i] / total;
        }
    }

  private:
    double loss_of_block(std::size_t tree, std::span<const std::uint32_t> rows, const NodeLoss& loss,
                         RowBlock& block) const {
        blocks_.walk(tree, nullptr, rows.size(), block);
        double sum = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) sum += loss(rows[i], block.reached[i]);
        return sum;
    }

    // By how much the shuffle of each column makes the sum of the losses larger.
    std::vector<double> growth(std::size_t tree, std::span<const std::size_t> columns,
                               const std::vector<std::uint32_t>& out, const NodeLoss& loss,
                               RowBlock& block) const {
        std::vector<std::vector<std::uint32_t>> shuffled(columns.size(), out);
        for (std::size_t i = 0; i < columns.size(); ++i) shuffle(shuffled[i], seed_, tree, columns[i]);
        std::vector<double> grown(columns.size(), 0.0);
        const std::size_t n_together = blocks_.n_rows_together();
        for (std::size_t begin = 0; begin < out.size(); begin += n_together) {
            const auto rows = std::span(out).subspan(begin, std::min(n_together, out.size() - begin));
            blocks_.load(rows.data(), 0, rows.size(), block);
            const double before = loss_of_block(tree, rows, loss, block);
            for (std::size_t i = 0; i < columns.size(); ++i) {
                blocks_.shuffle(columns[i], shuffled[i].data() + begin, block);
                grown[i] += loss_of_block(tree, rows, loss, block) - before;
                blocks_.unshuffle(block);
            }
        }
        return grown;
    }

    const ForestView& forest_;
    const BlockWalk& blocks_;
    const Labels& labels_;
    std::uint64_t seed_;
};

}  // namespace

void permuted_losses(const ForestView& forest, const Rows& rows, const Labels& labels,
                     const OutOfBagOptions& options, double* losses) {
    check_shapes(forest);
    check_rows(forest, rows);
    labels.check(rows.n_rows, forest.n_outputs);
    std::fill_n(losses, forest.n_trees() * forest.n_columns, 0.0);
    Team team(options.n_threads);
    const BlockWalk blocks(forest, rows, PredictionKind::kNone, team);
    const Permuter permuter(forest, blocks, labels, options.bag.seed);
    std::vector<RowBlock> of_member(team.size());
    team.run(forest.n_trees(), [&](std::size_t tree, std::size_t member) {
        const auto out = rows_out_of_bag(bag_of_tree(options.bag, tree, rows.n_rows, options.bag_weights));
        permuter.run(tree, out, of_member[member], losses + tree * forest.n_columns);
    });
}

}  // namespace heldout
