#pragma once

#include <cstddef>
#include <cstdint>
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
    bool has_unknown;
};

// Which kinds of columns there are: numbers alone, also sets of levels in the nodes, or elsewhere.
enum class Sets { kNone, kNarrow, kWide };

// The rows of a walk that have not come to an end yet; kept from walk to walk to save its memory.
using Waiting = std::vector<std::uint32_t>;

// Where rows end in a tree: those at the given places among the keys, or the first n where `places` is null.
void walk_packed(const PackedTree& tree, const KeyRows& rows, const std::uint32_t* places, std::size_t n,
                 Waiting& waiting, std::uint32_t* reached);

#if defined(__x86_64__) && defined(__GNUC__)
// The same for sixteen rows at a time. Call only where has_wide_vectors().
void walk_packed_wide(const PackedTree& tree, const KeyRows& rows, const std::uint32_t* places, std::size_t n,
                      std::uint32_t* waiting, std::uint32_t* reached);
#endif

}  // namespace heldout
