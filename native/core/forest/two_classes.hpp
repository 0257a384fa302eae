#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/column_cut.hpp"
#include "forest/ground.hpp"
#include "forest/sort_keys.hpp"

namespace heldout {

// A node whose rows are counted: the words of its rows, how many rows they stand for with repetitions, how
// many of those are of the second class, and the fewest that a branch may have.
struct CountedNode {
    std::span<const std::uint32_t> words;
    std::uint32_t total = 0;
    std::uint32_t ones = 0;
    std::uint32_t smallest = 1;
};

// What a cut into `left` rows, `left_ones` of them of the second class, gains by Gini's impurity: the
// decrease, times the square of the number of rows, halved.
inline double two_class_quality(double left, double left_ones, double total, double ones) {
    const double apart = left_ones * total - left * ones;
    return apart * apart / (left * (total - left));
}

// The best cut of sorted keys (code, times, class), of which so many rows with lower codes stand before.
struct KeyRun {
    const std::uint32_t* keys;  // readable one beyond the last
    std::size_t n;
    std::uint32_t left = 0;
    std::uint32_t left_ones = 0;
};
void scan_two_classes_plain(const KeyRun& run, const CountedNode& node, WordBits bits, ColumnCut& best);
// For at most kMostInRegisters keys that are all the rows of the node; cuts below `floor` are passed over.
void scan_two_classes_wide(const KeyRun& run, const CountedNode& node, WordBits bits, double floor,
                           ColumnCut& best);

// The bins of a node: how many rows lie in them and in those before, and how many of these are of the second
// class; the quality of the cut behind each bin, and the best that a cut inside it could have (-1 for none).
struct BinTable {
    static constexpr std::size_t kMost = 256;

    std::size_t n_bins = 0;
    std::array<double, kMost> left, left_ones, quality, bound;
};
void judge_bins_plain(BinTable& table, const CountedNode& node);
void judge_bins_wide(BinTable& table, const CountedNode& node);

// Finds the best cut of a numeric column without unknown values for two classes and Gini's impurity. Small
// nodes sort their codes. Large ones count bins; a cut inside a bin can't be better than if all rows of one
// class came first in it, so only bins are looked into where that would win. Exact either way.
class TwoClassSearch {
  public:
    explicit TwoClassSearch(const ForestGround& ground);

    // Cuts that gain no more than `floor` need not be found.
    ColumnCut best_cut(std::size_t column, const CountedNode& node, double floor);

    // From the quality of a cut to its gain, the decrease of the impurity.
    static double gain(double quality, const CountedNode& node) {
        return 2 * quality / (double{1} * node.total * node.total);
    }
    static double quality(double gain, const CountedNode& node) {
        return gain * (double{1} * node.total * node.total) / 2;
    }

  private:
    ColumnCut by_sorting(std::size_t column, const CountedNode& node, double floor);
    ColumnCut by_counting(std::size_t column, const CountedNode& node, double floor);
    void count_bins(const Bins& bins, const CountedNode& node);
    void add_up_bins();
    void open_bins(std::size_t column, const CountedNode& node, double floor, ColumnCut& best);

    const ForestGround& ground_;
    WordBits bits_;
    bool is_wide_;
    std::vector<std::uint32_t> keys_, scratch_, opened_;
    std::vector<std::uint8_t> bin_of_place_;
    std::array<std::uint64_t, 64> addend_{};
    unsigned shift_ = 0;
    std::array<std::uint64_t, BinTable::kMost> counts_{};
    BinTable table_;
    std::array<std::uint8_t, BinTable::kMost> is_opened_;
};

}  // namespace heldout
