#include "forest/walk_block.hpp"

#include <algorithm>

#include "base/require.hpp"
#include "forest/pack_keys.hpp"
#include "forest/walk.hpp"

namespace heldout {
namespace {

constexpr std::size_t kMostTogether = 2048, kFewestTogether = 64;
constexpr std::size_t kMostKeys = std::size_t{1} << 17;

template <std::size_t kOutputs>
void add_few(const double* answers, const std::uint32_t* leaf_of, const std::uint32_t* places, std::size_t n,
             const std::uint32_t* reached, double* sums) {
    for (std::size_t i = 0; i < n; ++i) {
        const double* answer = answers + std::size_t{leaf_of[reached[i]]} * kOutputs;
        double* sum = sums + (places == nullptr ? i : std::size_t{places[i]}) * kOutputs;
        for (std::size_t k = 0; k < kOutputs; ++k) sum[k] += answer[k];
    }
}

void add_many(const double* answers, std::size_t n_outputs, const std::uint32_t* leaf_of,
              const std::uint32_t* places, std::size_t n, const std::uint32_t* reached, double* sums) {
    for (std::size_t i = 0; i < n; ++i) {
        const double* answer = answers + std::size_t{leaf_of[reached[i]]} * n_outputs;
        double* sum = sums + (places == nullptr ? i : std::size_t{places[i]}) * n_outputs;
        for (std::size_t k = 0; k < n_outputs; ++k) sum[k] += answer[k];
    }
}

}  // namespace

BlockWalk::BlockWalk(const ForestView& forest, const Rows& rows, Answer answer, Team& team)
    : forest_(forest), rows_(rows), answer_(answer), packed_(pack_forest(forest, rows, answer, team)) {
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
    block.has_other_unknown = false;
    block.reached.resize(n);
    if (!packed_) return;
    const std::size_t n_keys = n * packed_->stride();
    require(n_keys < std::size_t{1} << 31, "a block has too many keys");
    block.keys.resize(n_keys);
    block.has_unknown = write_keys(*packed_, rows_, chosen, first, n, block.keys.data());
}

void BlockWalk::shuffle(std::size_t feature, const std::uint32_t* other_rows, RowBlock& block) const {
    block.other_rows = other_rows;
    block.shuffled = static_cast<std::int32_t>(feature);
    if (!packed_ || key_column_[feature] < 0) return;
    const auto column = static_cast<std::size_t>(key_column_[feature]), stride = packed_->stride();
    block.own_keys.resize(block.n);
    for (std::size_t i = 0; i < block.n; ++i) block.own_keys[i] = block.keys[i * stride + column];
    block.has_other_unknown = write_column_keys(packed_->columns[column], rows_, other_rows, 0, block.n,
                                                stride, block.keys.data() + column);
}

void BlockWalk::unshuffle(RowBlock& block) const {
    if (packed_ && block.shuffled >= 0 && key_column_[block.shuffled] >= 0) {
        const auto column = static_cast<std::size_t>(key_column_[block.shuffled]);
        for (std::size_t i = 0; i < block.n; ++i)
            block.keys[i * packed_->stride() + column] = block.own_keys[i];
    }
    block.shuffled = -1;
    block.has_other_unknown = false;
}

void BlockWalk::walk(std::size_t tree, const std::uint32_t* places, std::size_t n, RowBlock& block) const {
    if (!packed_) return walk_unpacked(tree, places, n, block);
    const KeyRows rows{block.keys.data(), packed_->stride(), block.has_unknown || block.has_other_unknown};
    walk_packed(packed_tree(*packed_, forest_, tree), rows, places, n, block.waiting, block.reached.data());
}

void BlockWalk::walk_unpacked(std::size_t tree, const std::uint32_t* places, std::size_t n,
                              RowBlock& block) const {
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t place = places == nullptr ? i : places[i];
        const std::size_t own = block.chosen == nullptr ? block.first + place : block.chosen[place];
        const std::size_t other = block.shuffled < 0 ? own : block.other_rows[place];
        block.reached[i] =
            static_cast<std::uint32_t>(end_of_way(forest_, rows_, tree, [&](std::int32_t feature) {
                return feature == block.shuffled ? other : own;
            }));
    }
}

void BlockWalk::add_answers(std::size_t tree, const std::uint32_t* places, std::size_t n,
                            const RowBlock& block, double* sums) const {
    const std::size_t n_outputs = forest_.n_outputs, first = forest_.first_node(tree);
    if (packed_) {
        const double* answers = packed_->answers.get() + packed_->leaf_begin[tree] * n_outputs;
        const std::uint32_t* leaf_of = packed_->leaf_of.get() + first;
        const std::uint32_t* reached = block.reached.data();
        if (n_outputs == 1) return add_few<1>(answers, leaf_of, places, n, reached, sums);
        if (n_outputs == 2) return add_few<2>(answers, leaf_of, places, n, reached, sums);
        return add_many(answers, n_outputs, leaf_of, places, n, reached, sums);
    }
    std::vector<double> answer(n_outputs);
    for (std::size_t i = 0; i < n; ++i) {
        write_answer(forest_, first + block.reached[i], answer_, answer.data());
        double* sum = sums + (places == nullptr ? i : std::size_t{places[i]}) * n_outputs;
        for (std::size_t k = 0; k < n_outputs; ++k) sum[k] += answer[k];
    }
}

}  // namespace heldout
