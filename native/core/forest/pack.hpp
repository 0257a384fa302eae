#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/team.hpp"
#include "forest/forest.hpp"
#include "tree/apply.hpp"

namespace heldout {

// Rows go down a packed forest as keys, one 32-bit number for each column that the forest splits on. Keys
// stand in the order of what they stand for, as far as any threshold can tell. This one is a missing value.
inline constexpr std::uint32_t kMissingKey = 0xffffffffU;

// The key of a level is its number. Those above every level of the column's sets have one key together. A set
// of levels is as many bits as there are keys; in a column without high levels it fits into a node.
inline constexpr std::int32_t kHighestLevel = 30;

// How the values of a column become keys.
struct KeyColumn {
    std::size_t feature = 0;
    std::int32_t source_column = 0;  // of the feature, as in Rows
    bool is_exact = true;            // every threshold is a float: a number is rounded up to the next one
    std::vector<double> thresholds;  // otherwise: ascending; the key says how many lie below a number
    std::int32_t highest_level = kHighestLevel;

    // The words of 32 bits in a set; one bit more than there are levels, for those above.
    std::size_t words_per_set() const { return static_cast<std::size_t>(highest_level + 1) / 32 + 1; }
};

// Where the parts of a node are in its upper half: from below the child, whether missing values go to the
// second one, and the column.
struct NodeBits {
    std::uint32_t n_child_bits = 1;
    std::uint32_t child_mask() const { return missing_second() - 1; }
    std::uint32_t missing_second() const { return 1U << n_child_bits; }
    std::uint32_t column_shift() const { return n_child_bits + 1; }
};

// A forest of binary splits with 8 bytes for each node. The lower half of a node is the key of its threshold
// (the second child takes larger keys) or, in a column of levels, a bit for each level that goes to the first
// child, or the position of those bits. A leaf is a split that no key can leave: whoever comes to it stays.
struct PackedForest {
    std::vector<KeyColumn> columns;    // those that the forest splits on: numbers, then low levels, then high
    std::size_t n_number_columns = 0;  // how many columns come before the first of levels,
    std::size_t n_narrow_columns = 0;  // and before the first of high levels
    std::vector<std::uint32_t> wide_sets;  // those that do not fit into a node
    NodeBits bits;
    std::unique_ptr<std::uint64_t[]> nodes;    // in the order of the forest
    std::unique_ptr<std::uint32_t[]> leaf_of;  // which leaf of its tree a node is
    std::vector<std::size_t> leaf_begin;       // where the leaves of a tree begin
    std::unique_ptr<double[]> predictions;     // leaves x outputs
    std::vector<std::uint32_t> depth;          // of each tree: about how many steps a row takes

    std::size_t stride() const { return columns.size(); }
};

// Checks the forest and packs it; nothing if it has a split that does not fit: one into many branches,
// sets that are large and almost empty, or more columns and nodes than 31 bits can tell apart.
std::optional<PackedForest> pack_forest(const ForestView& forest, const Rows& rows, PredictionKind kind,
                                        Team& team);

// The key of a float: keys are ordered as the floats are, both zeros alike. The next float has the next key.
inline std::uint32_t key_of_float(float number) {
    const auto bits = std::bit_cast<std::uint32_t>(number + 0.0F);
    return bits ^ (static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> 31) | 0x80000000U);
}

// The key of a number is that of the first float that is not below it: a threshold that is a float lies
// below both or below none.
inline std::uint32_t key_of_number(double number) {
    const auto nearest = static_cast<float>(number);
    const std::uint32_t key = key_of_float(nearest) + static_cast<std::uint32_t>(nearest < number);
    return number == number ? key : kMissingKey;
}

// The key of a number that is known by how many thresholds lie below it.
std::uint32_t rank_of(const std::vector<double>& thresholds, double number);

// The key of a threshold of the column.
inline std::uint32_t key_of_threshold(const KeyColumn& column, double threshold) {
    return column.is_exact ? key_of_float(static_cast<float>(threshold))
                           : rank_of(column.thresholds, threshold);
}

// Writes the keys of rows, n x stride: those of `chosen`, or n from `first` on where that is null. Returns
// whether one of them is missing.
bool write_keys(const PackedForest& forest, const Rows& rows, const std::uint32_t* chosen, std::size_t first,
                std::size_t n, std::uint32_t* keys);

// The same for one column; the keys are `stride` apart.
bool write_column_keys(const KeyColumn& column, const Rows& rows, const std::uint32_t* chosen,
                       std::size_t first, std::size_t n, std::size_t stride, std::uint32_t* keys);

}  // namespace heldout
