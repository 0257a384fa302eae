#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "forest/pack.hpp"

namespace heldout {

// One tree of a packed forest.
struct PackedTree {
    const std::uint64_t* nodes;
    NodeBits bits;
    std::uint32_t n_number_columns, n_narrow_columns;
    const std::uint32_t* wide_sets;
    std::uint32_t n_first_steps;
    bool has_levels, has_wide_sets;
};

PackedTree packed_tree(const PackedForest& packed, const ForestView& forest, std::size_t tree);

// Rows as keys; n_rows x stride is below 2^31.
struct KeyRows {
    const std::uint32_t* keys;
    std::size_t stride;
    bool has_missing;
};

// Which kinds of columns there are: numbers alone, also sets of levels in the nodes, or elsewhere.
enum class Sets { kNone, kNarrow, kWide };

// The rows of a walk that have not come to an end yet; kept from walk to walk to save its memory.
using Waiting = std::vector<std::uint32_t>;

// Where rows end in a tree: those at the given positions among the keys, or the first n where `positions` is
// null.
void walk_packed(const PackedTree& tree, const KeyRows& rows, const std::uint32_t* positions, std::size_t n,
                 Waiting& waiting, std::uint32_t* reached);

// The same for sixteen rows at a time. Call only where has_avx512().
void walk_packed_avx512(const PackedTree& tree, const KeyRows& rows, const std::uint32_t* positions,
                        std::size_t n, std::uint32_t* waiting, std::uint32_t* reached);

// Rows that go down trees together, and the memory that a thread needs for it.
struct RowBlock {
    std::vector<std::uint32_t> reached;  // where the rows of the last walk ended

    // The rest is the walk's own.
    std::size_t first = 0, n = 0;
    const std::uint32_t* chosen = nullptr;      // the rows, or null where they are n from `first` on
    const std::uint32_t* other_rows = nullptr;  // the rows that give the values of a feature instead
    std::int32_t shuffled = -1;                 // that feature
    bool has_missing = false, has_other_missing = false;
    std::vector<std::uint32_t> keys, own_keys;
    Waiting waiting;
};

// Lets blocks of rows down the trees of a forest, packed where that is possible.
class BlockWalk {
  public:
    // Checks the forest and the rows, and that they fit together.
    BlockWalk(const ForestView& forest, const Rows& rows, PredictionKind kind, Team& team);

    // How many rows make a good block; and if so many rows are to keep a team busy.
    std::size_t n_rows_together() const;
    std::size_t n_rows_together(std::size_t n_rows, const Team& team) const;

    // Makes a block of n rows ready: the chosen ones, or those from `first` on where `chosen` is null.
    void load(const std::uint32_t* chosen, std::size_t first, std::size_t n, RowBlock& block) const;

    // Gives each row of the block the value that another row has of a feature; then its own again.
    void shuffle(std::size_t feature, const std::uint32_t* other_rows, RowBlock& block) const;
    void unshuffle(RowBlock& block) const;

    // Lets rows of the block down a tree: those at n positions in it, or the first n where `positions` is
    // null.
    void walk(std::size_t tree, const std::uint32_t* positions, std::size_t n, RowBlock& block) const;

    // Adds what the tree predicts for them to the sums of the block's rows.
    void add_predictions(std::size_t tree, const std::uint32_t* positions, std::size_t n,
                         const RowBlock& block, double* sums) const;

  private:
    void walk_unpacked(std::size_t tree, const std::uint32_t* positions, std::size_t n,
                       RowBlock& block) const;

    const ForestView& forest_;
    const Rows& rows_;
    PredictionKind kind_;
    std::optional<PackedForest> packed_;
    std::vector<std::int32_t> key_column_;  // by feature; -1 where the forest does not split on it
};

}  // namespace heldout
