#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "forest/column_cut.hpp"
#include "forest/forest_data.hpp"
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
void scan_two_classes_avx512(const KeyRun& run, const CountedNode& node, WordBits bits, double floor,
                             ColumnCut& best);

// The bins of a node: how many rows lie in them and in those before, and how many of these are of the second
// class; the quality of the cut behind each bin, and the best that a cut inside it could have (-1 for none).
struct BinTable {
    static constexpr std::size_t kMost = 256;

    std::size_t n_bins = 0;
    std::array<double, kMost> left, left_ones, quality, bound;
};
void judge_bins_plain(BinTable& table, const CountedNode& node);
void judge_bins_avx512(BinTable& table, const CountedNode& node);

// Finds the best cut of a numeric column without missing values for two classes and Gini's impurity. Small
// nodes sort their codes. Large ones count bins; a cut inside a bin can't be better than if all rows of one
// class came first in it, so only bins are looked into where that would win. Exact either way.
class TwoClassSearch {
  public:
    explicit TwoClassSearch(const ForestData& data);

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
    void score_bins(const CountedNode& node);
    void open_bins(std::size_t column, const CountedNode& node, double floor, ColumnCut& best);

    const ForestData& data_;
    WordBits bits_;
    bool is_avx512_;
    std::vector<std::uint32_t> keys_, scratch_, opened_;
    std::vector<std::uint8_t> bin_of_word_;
    std::array<std::uint64_t, 64> addend_{};
    unsigned shift_ = 0;
    std::array<std::uint64_t, BinTable::kMost> counts_{};
    BinTable table_;
    std::array<std::uint8_t, BinTable::kMost> is_opened_;
};

inline constexpr double kAnything = std::numeric_limits<double>::infinity();

// Every cut between bins, and for every bin with rows of both classes the best that its inside could have:
// all of one class first. That holds beside the cuts at the bin's own ends; where one of these is not
// allowed, because too few rows lie beyond it, the inside may have anything. Compiled for plain vectors and
// for AVX-512, with the same bits.
__attribute__((always_inline)) inline void judge_bins(BinTable& table, const CountedNode& node) {
    const double total = node.total, ones = node.ones, smallest = node.smallest;
    const std::size_t n_bins = table.n_bins;
    const double* left = table.left.data();
    const double* left_ones = table.left_ones.data();
    for (std::size_t bin = 0; bin < n_bins; ++bin) {
        const double apart = left_ones[bin] * total - left[bin] * ones;
        const double right = total - left[bin];
        const double spread = left[bin] * right;
        const bool is_cut = (left[bin] >= smallest) & (right >= smallest);
        const double quality = apart * apart / (is_cut ? spread : 1);
        table.quality[bin] = is_cut ? quality : -1;
    }
    const auto bound = [&](std::size_t bin, double before, double before_ones) {
        const double in_ones = left_ones[bin] - before_ones;
        const double first = before + in_ones, last = left[bin] - in_ones;
        const bool is_mixed = (in_ones > 0) & (first < left[bin]);
        const double right = total - left[bin];
        const bool starts_too_low = (before > 0) & (before < smallest) & (left[bin] > smallest);
        const bool ends_too_high = (right > 0) & (right < smallest) & (total - before > smallest);
        const double first_apart = left_ones[bin] * total - first * ones;
        const double last_apart = before_ones * total - last * ones;
        const double first_quality = first_apart * first_apart / (is_mixed ? first * (total - first) : 1);
        const double last_quality = last_apart * last_apart / (is_mixed ? last * (total - last) : 1);
        const double larger = first_quality > last_quality ? first_quality : last_quality;
        const double inside = is_mixed ? larger : -1;
        table.bound[bin] = starts_too_low | ends_too_high ? kAnything : inside;
    };
    bound(0, 0, 0);
    for (std::size_t bin = 1; bin < n_bins; ++bin) bound(bin, left[bin - 1], left_ones[bin - 1]);
}

}  // namespace heldout
