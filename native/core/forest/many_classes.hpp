#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/column_cut.hpp"
#include "forest/forest_data.hpp"
#include "tree/impurity.hpp"

namespace heldout {

// A node whose rows are counted, with the number of rows of each class.
struct ClassesNode {
    std::span<const std::uint32_t> words;
    std::span<const std::uint32_t> counts;
    std::uint32_t total = 0;
    std::uint32_t smallest = 1;
};

// How good a cut is, kept up while rows go from the right to the left. The sums are whole numbers, so that
// equal cuts tie exactly, however their rows were counted.
class GiniScore {
  public:
    explicit GiniScore(const EntropyTable&) {}

    void start(std::span<const std::uint32_t> right);
    void move(std::int64_t times, std::int64_t left_count, std::int64_t right_count) {
        left_ += times * (2 * left_count + times);
        right_ -= times * (2 * right_count - times);
    }
    double left_quality(std::uint32_t total) const { return quality(left_, total); }
    double right_quality(std::uint32_t total) const { return quality(right_, total); }
    // One division of whole numbers: equal fractions stay equal.
    double cut_quality(double left_total, double right_total) const {
        const double squares =
            static_cast<double>(left_) * right_total + static_cast<double>(right_) * left_total;
        return squares / (left_total * right_total);
    }
    static double pure_quality(std::uint32_t total) { return total; }

  private:
    static double quality(std::int64_t squares, std::uint32_t total) {
        return total > 0 ? static_cast<double>(squares) / total : 0;
    }
    std::int64_t left_ = 0, right_ = 0;
};

class EntropyScore {
  public:
    explicit EntropyScore(const EntropyTable& table) : table_(&table) {}

    void start(std::span<const std::uint32_t> right);
    void move(std::uint32_t times, std::uint32_t left_count, std::uint32_t right_count) {
        left_ += (*table_)[left_count + times] - (*table_)[left_count];
        right_ += (*table_)[right_count - times] - (*table_)[right_count];
    }
    double left_quality(std::uint32_t total) const { return table_->to_double(left_ - (*table_)[total]); }
    double right_quality(std::uint32_t total) const { return table_->to_double(right_ - (*table_)[total]); }
    double cut_quality(std::uint32_t left_total, std::uint32_t right_total) const {
        return table_->to_double(left_ - (*table_)[left_total] + (right_ - (*table_)[right_total]));
    }
    static double pure_quality(std::uint32_t) { return 0; }

  private:
    const EntropyTable* table_;
    std::int64_t left_ = 0, right_ = 0;
};

// Finds the best cut of a numeric column without missing values for any number of classes. Small nodes sort
// their codes; large ones count bins, and look into those where it could pay: a cut inside a bin can't be
// better than if each class of the bin were set apart.
template <class Score>
class ManyClassSearch {
  public:
    ManyClassSearch(const ForestData& data, const EntropyTable& entropies);

    // Cuts that gain no more than `floor` need not be found.
    ColumnCut best_cut(std::size_t column, const ClassesNode& node, double floor);
    // From the quality of a cut to its gain, the decrease of the impurity.
    double gain(double quality, const ClassesNode& node);
    double quality(double gain, const ClassesNode& node);

  private:
    static constexpr std::size_t kMostBins = 256;

    ColumnCut by_sorting(std::size_t column, const ClassesNode& node);
    ColumnCut by_counting(std::size_t column, const ClassesNode& node, double floor);
    void count_bins(const Bins& bins, const ClassesNode& node);
    void judge_bins(const Bins& bins, const ClassesNode& node, ColumnCut& best);
    void open_bins(std::size_t column, const ClassesNode& node, double floor, ColumnCut& best);
    void scan(const std::uint32_t* keys, std::size_t n, const ClassesNode& node, ColumnCut& best);
    void start(const ClassesNode& node);
    void move_bin(std::size_t bin);
    std::uint32_t last_code(const Bins& bins, std::size_t bin) const;

    const ForestData& data_;
    WordBits bits_;
    std::size_t n_classes_;
    bool is_avx512_;
    Score score_;
    std::uint32_t left_total_ = 0;
    std::vector<std::uint32_t> left_, right_;
    std::vector<std::uint32_t> keys_, scratch_, opened_, counts_;
    std::vector<std::uint8_t> bin_of_word_;
    unsigned shift_ = 0;
    std::size_t n_bins_ = 0;
    std::array<double, kMostBins> bound_;
    std::array<std::uint8_t, kMostBins> is_opened_;
};

}  // namespace heldout
