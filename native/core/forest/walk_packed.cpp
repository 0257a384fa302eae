#include "forest/walk_packed.hpp"

#include <algorithm>
#include <array>

#include "base/processor.hpp"

namespace heldout {
namespace {

constexpr std::size_t kRowsInFlight = 8;
constexpr std::uint32_t kLaterSteps = 4;

// Moves rows one step down, whatever the columns of the tree and what the rows lack.
template <bool kUnknowns, Sets kSets>
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
        if constexpr (kUnknowns) {
            const auto is_unknown = static_cast<std::uint32_t>(key == kUnknownKey);
            is_second = (is_second & ~is_unknown) | (word >> n_child_bits_ & is_unknown);
        }
        return (word & child_mask_) + is_second;
    }

  private:
    // The word of a node's set that has the bit of a key.
    std::uint32_t set_of(std::uint32_t threshold, std::uint32_t column, std::uint32_t key) const {
        if constexpr (kSets == Sets::kNarrow) return threshold;
        return column < n_narrow_columns_ || key == kUnknownKey ? threshold
                                                                : wide_sets_[threshold + key / 32];
    }

    const std::uint64_t* nodes_;
    const std::uint32_t* keys_;
    std::uint32_t column_shift_, child_mask_, n_child_bits_, n_number_columns_, n_narrow_columns_;
    const std::uint32_t* wide_sets_;
};

// Several rows are under way at once, so that the wait for one's memory is spent on the others. After so many
// steps that most have come to an end, those that have not go on by themselves.
template <bool kUnknowns, Sets kSets>
void walk(const PackedTree& tree, const KeyRows& rows, const std::uint32_t* places, std::size_t n,
          std::uint32_t* waiting, std::uint32_t* reached) {
    const Stepper<kUnknowns, kSets> stepper(tree, rows);
    const auto offset_of = [&](std::size_t i) {
        return (places == nullptr ? i : std::size_t{places[i]}) * rows.stride;
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

template <bool kUnknowns>
auto walk_with(const PackedTree& tree) {
    if (tree.has_wide_sets) return walk<kUnknowns, Sets::kWide>;
    return tree.has_levels ? walk<kUnknowns, Sets::kNarrow> : walk<kUnknowns, Sets::kNone>;
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

void walk_packed(const PackedTree& tree, const KeyRows& rows, const std::uint32_t* places, std::size_t n,
                 Waiting& waiting, std::uint32_t* reached) {
    if (rows.stride == 0) {  // no tree has a split
        std::fill_n(reached, n, 0U);
        return;
    }
    waiting.resize(std::max(waiting.size(), n + 1));
#if defined(__x86_64__) && defined(__GNUC__)
    if (has_wide_vectors()) return walk_packed_wide(tree, rows, places, n, waiting.data(), reached);
#endif
    const auto run = rows.has_unknown ? walk_with<true>(tree) : walk_with<false>(tree);
    run(tree, rows, places, n, waiting.data(), reached);
}

}  // namespace heldout
