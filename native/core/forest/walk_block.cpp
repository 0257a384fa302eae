#include "forest/walk_block.hpp"

#include <algorithm>
#include <array>

#include "base/processor.hpp"
#include "base/require.hpp"
#include "forest/pack.hpp"
#include "forest/walk.hpp"

namespace heldout {
namespace {

constexpr std::size_t kRowsInFlight = 8;
constexpr std::uint32_t kLaterSteps = 4;

// Moves rows one step down, whatever the columns of the tree and what the rows lack.
template <bool kHasMissing, Sets kSets>
class Stepper {
  public:
    Stepper(const PackedTree& tree, const KeyRows& rows)
        : nodes_(tree.nodes),
          keys_(rows.keys),
          column_shift_(tree.bits.column_shift()),
          child_mask_(tree.bits.child_mask()),
          n_child_bits_(tree.bits.n_child_bits),
          n_number_columns_(tree.n_number_columns),
          n_narrow_columns_(tree.n_narrow_columns),
          wide_sets_(tree.wide_sets) {}

    std::uint32_t next(std::uint32_t at, std::size_t offset) const {
        const std::uint64_t node = nodes_[at];
        const auto threshold = static_cast<std::uint32_t>(node);
        const auto word = static_cast<std::uint32_t>(node >> 32);
        const std::uint32_t column = word >> column_shift_;
        const std::uint32_t key = keys_[offset + column];
        auto is_second = static_cast<std::uint32_t>(key > threshold);
        if constexpr (kSets != Sets::kNone) {
            const std::uint32_t is_outside = (set_of(threshold, column, key) >> (key & 31) & 1) ^ 1;
            const auto is_level = static_cast<std::uint32_t>(column >= n_number_columns_);
            is_second = (is_second & ~is_level) | (is_outside & is_level);
        }
        if constexpr (kHasMissing) {
            const auto is_missing = static_cast<std::uint32_t>(key == kMissingKey);
            is_second = (is_second & ~is_missing) | (word >> n_child_bits_ & is_missing);
        }
        return (word & child_mask_) + is_second;
    }

  private:
    // The word of a node's set that has the bit of a key.
    std::uint32_t set_of(std::uint32_t threshold, std::uint32_t column, std::uint32_t key) const {
        if constexpr (kSets == Sets::kNarrow) return threshold;
        return column < n_narrow_columns_ || key == kMissingKey ? threshold
                                                                : wide_sets_[threshold + key / 32];
    }

    const std::uint64_t* nodes_;
    const std::uint32_t* keys_;
    std::uint32_t column_shift_, child_mask_, n_child_bits_, n_number_columns_, n_narrow_columns_;
    const std::uint32_t* wide_sets_;
};

// Several rows are under way at once, so that the wait for one's memory is spent on the others. After so many
// steps that most have come to an end, those that have not go on by themselves.
template <bool kHasMissing, Sets kSets>
void walk(const PackedTree& tree, const KeyRows& rows, const std::uint32_t* positions, std::size_t n,
          std::uint32_t* waiting, std::uint32_t* reached) {
    const Stepper<kHasMissing, kSets> stepper(tree, rows);
    const auto offset_of = [&](std::size_t i) {
        return (positions == nullptr ? i : std::size_t{positions[i]}) * rows.stride;
    };
    std::array<std::uint32_t, kRowsInFlight> at{}, before{}, row{};
    std::array<std::size_t, kRowsInFlight> offset{};
    std::size_t n_waiting = n;
    bool is_first = true;
    while (n_waiting > 0) {
        const std::uint32_t n_steps = is_first ? tree.n_first_steps : kLaterSteps;
        std::size_t n_left = 0;
        for (std::size_t begin = 0; begin < n_waiting; begin += kRowsInFlight) {
            const std::size_t n_here = std::min(kRowsInFlight, n_waiting - begin);
            for (std::size_t lane = 0; lane < kRowsInFlight; ++lane) {
                const std::size_t i = begin + std::min(lane, n_here - 1);
                row[lane] = is_first ? static_cast<std::uint32_t>(i) : waiting[i];
                at[lane] = is_first ? 0 : reached[row[lane]];
                offset[lane] = offset_of(row[lane]);
            }
            for (std::uint32_t step = 0; step < n_steps; ++step)
                for (std::size_t lane = 0; lane < kRowsInFlight; ++lane) {
                    before[lane] = at[lane];
                    at[lane] = stepper.next(at[lane], offset[lane]);
                }
            for (std::size_t lane = 0; lane < n_here; ++lane) {
                reached[row[lane]] = at[lane];
                waiting[n_left] = row[lane];
                n_left += static_cast<std::size_t>(at[lane] != before[lane]);
            }
        }
        n_waiting = n_left;
        is_first = false;
    }
}

template <bool kHasMissing>
auto walk_with(const PackedTree& tree) {
    if (tree.has_wide_sets) return walk<kHasMissing, Sets::kWide>;
    return tree.has_levels ? walk<kHasMissing, Sets::kNarrow> : walk<kHasMissing, Sets::kNone>;
}

}  // namespace

PackedTree packed_tree(const PackedForest& packed, const ForestView& forest, std::size_t tree) {
    return {packed.nodes.get() + forest.first_node(tree),
            packed.bits,
            static_cast<std::uint32_t>(packed.n_number_columns),
            static_cast<std::uint32_t>(packed.n_narrow_columns),
            packed.wide_sets.data(),
            packed.depth[tree],
            packed.n_number_columns < packed.columns.size(),
            packed.n_narrow_columns < packed.columns.size()};
}

void walk_packed(const PackedTree& tree, const KeyRows& rows, const std::uint32_t* positions, std::size_t n,
                 Waiting& waiting, std::uint32_t* reached) {
    if (rows.stride == 0) {  // no tree has a split
        std::fill_n(reached, n, 0U);
        return;
    }
    waiting.resize(std::max(waiting.size(), n + 1));
    if constexpr (kCompilesAvx512)
        if (has_avx512()) return walk_packed_avx512(tree, rows, positions, n, waiting.data(), reached);
    const auto run = rows.has_missing ? walk_with<true>(tree) : walk_with<false>(tree);
    run(tree, rows, positions, n, waiting.data(), reached);
}

namespace {

constexpr std::size_t kMostTogether = 2048, kFewestTogether = 64;
constexpr std::size_t kMostKeys = std::size_t{1} << 17;

template <std::size_t kOutputs>
void add_few(const double* predictions, const std::uint32_t* leaf_of, const std::uint32_t* positions,
             std::size_t n, const std::uint32_t* reached, double* sums) {
    for (std::size_t i = 0; i < n; ++i) {
        const double* prediction = predictions + std::size_t{leaf_of[reached[i]]} * kOutputs;
        double* sum = sums + (positions == nullptr ? i : std::size_t{positions[i]}) * kOutputs;
        for (std::size_t k = 0; k < kOutputs; ++k) sum[k] += prediction[k];
    }
}

void add_many(const double* predictions, std::size_t n_outputs, const std::uint32_t* leaf_of,
              const std::uint32_t* positions, std::size_t n, const std::uint32_t* reached, double* sums) {
    for (std::size_t i = 0; i < n; ++i) {
        const double* prediction = predictions + std::size_t{leaf_of[reached[i]]} * n_outputs;
        double* sum = sums + (positions == nullptr ? i : std::size_t{positions[i]}) * n_outputs;
        for (std::size_t k = 0; k < n_outputs; ++k) sum[k] += prediction[k];
    }
}

}  // namespace

BlockWalk::BlockWalk(const ForestView& forest, const Rows& rows, PredictionKind kind, Team& team)
    : forest_(forest), rows_(rows), kind_(kind), packed_(pack_forest(forest, rows, kind, team)) {
    if (!packed_) return;
    key_column_.assign(forest.n_columns, -1);
    for (std::size_t column = 0; column < packed_->columns.size(); ++column)
        key_column_[packed_->columns[column].feature] = static_cast<std::int32_t>(column);
}

std::size_t BlockWalk::n_rows_together() const {
    const std::size_t stride = packed_ ? std::max<std::size_t>(packed_->stride(), 1) : 1;
    return std::clamp(kMostKeys / stride, kFewestTogether, kMostTogether);
}

std::size_t BlockWalk::n_rows_together(std::size_t n_rows, const Team& team) const {
    return std::min(n_rows_together(), std::max(n_rows / (4 * team.size()), kFewestTogether));
}

void BlockWalk::load(const std::uint32_t* chosen, std::size_t first, std::size_t n, RowBlock& block) const {
    block.chosen = chosen;
    block.first = first;
    block.n = n;
    block.shuffled = -1;
    block.has_other_missing = false;
    block.reached.resize(n);
    if (!packed_) return;
    const std::size_t n_keys = n * packed_->stride();
    require(n_keys < std::size_t{1} << 31, "a block has too many keys");
    block.keys.resize(n_keys);
    block.has_missing = write_keys(*packed_, rows_, chosen, first, n, block.keys.data());
}

void BlockWalk::shuffle(std::size_t feature, const std::uint32_t* other_rows, RowBlock& block) const {
    block.other_rows = other_rows;
    block.shuffled = static_cast<std::int32_t>(feature);
    if (!packed_ || key_column_[feature] < 0) return;
    const auto column = static_cast<std::size_t>(key_column_[feature]), stride = packed_->stride();
    block.own_keys.resize(block.n);
    for (std::size_t i = 0; i < block.n; ++i) block.own_keys[i] = block.keys[i * stride + column];
    block.has_other_missing = write_column_keys(packed_->columns[column], rows_, other_rows, 0, block.n,
                                                stride, block.keys.data() + column);
}

void BlockWalk::unshuffle(RowBlock& block) const {
    if (packed_ && block.shuffled >= 0 && key_column_[block.shuffled] >= 0) {
        const auto column = static_cast<std::size_t>(key_column_[block.shuffled]);
        for (std::size_t i = 0; i < block.n; ++i)
            block.keys[i * packed_->stride() + column] = block.own_keys[i];
    }
    block.shuffled = -1;
    block.has_other_missing = false;
}

void BlockWalk::walk(std::size_t tree, const std::uint32_t* positions, std::size_t n, RowBlock& block) const {
    if (!packed_) return walk_unpacked(tree, positions, n, block);
    const KeyRows rows{block.keys.data(), packed_->stride(), block.has_missing || block.has_other_missing};
    walk_packed(packed_tree(*packed_, forest_, tree), rows, positions, n, block.waiting,
                block.reached.data());
}

void BlockWalk::walk_unpacked(std::size_t tree, const std::uint32_t* positions, std::size_t n,
                              RowBlock& block) const {
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t position = positions == nullptr ? i : positions[i];
        const std::size_t own = block.chosen == nullptr ? block.first + position : block.chosen[position];
        const std::size_t other = block.shuffled < 0 ? own : block.other_rows[position];
        block.reached[i] =
            static_cast<std::uint32_t>(end_of_way(forest_, rows_, tree, [&](std::int32_t feature) {
                return feature == block.shuffled ? other : own;
            }));
    }
}

void BlockWalk::add_predictions(std::size_t tree, const std::uint32_t* positions, std::size_t n,
                                const RowBlock& block, double* sums) const {
    const std::size_t n_outputs = forest_.n_outputs, first = forest_.first_node(tree);
    if (packed_) {
        const double* predictions = packed_->predictions.get() + packed_->leaf_begin[tree] * n_outputs;
        const std::uint32_t* leaf_of = packed_->leaf_of.get() + first;
        const std::uint32_t* reached = block.reached.data();
        if (n_outputs == 1) return add_few<1>(predictions, leaf_of, positions, n, reached, sums);
        if (n_outputs == 2) return add_few<2>(predictions, leaf_of, positions, n, reached, sums);
        return add_many(predictions, n_outputs, leaf_of, positions, n, reached, sums);
    }
    std::vector<double> prediction(n_outputs);
    for (std::size_t i = 0; i < n; ++i) {
        write_prediction(forest_, first + block.reached[i], kind_, prediction.data());
        double* sum = sums + (positions == nullptr ? i : std::size_t{positions[i]}) * n_outputs;
        for (std::size_t k = 0; k < n_outputs; ++k) sum[k] += prediction[k];
    }
}

}  // namespace heldout
