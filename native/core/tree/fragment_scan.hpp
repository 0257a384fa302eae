#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tree/impurity.hpp"
#include "tree/words.hpp"

namespace heldout {

// The best cut of an order of fragments, by the quality of both sides together.
struct FragmentCut {
    double quality = 0;
    double left_weight = 0;
    std::size_t position = 0;  // 0: there is no admissible cut
    std::size_t n_cuts = 0;    // how many were admissible
};

// Finds it. Cuts are admissible where a new value starts and both sides weigh at least `smallest`; of cuts
// within `slack` the first is taken. Holds scratch memory.
//
// Entropy is expensive, so cuts are taken in cells. A cell with its rows sorted by class, as branches of
// their own, is at least as good as any cut inside it, and costs nothing beyond what its two ends cost:
// only cells whose bound reaches the best of the ends are opened.
template <class Word>
class FragmentScan {
  public:
    explicit FragmentScan(const Impurity& impurity, std::size_t n_classes)
        : impurity_(impurity), n_classes_(n_classes) {}

    // Classification by entropy. n_cuts is left to count_cuts(), which belongs to the last call of this.
    FragmentCut by_entropy(std::span<const Word> words, const WordLayout<Word>& layout, const double* weights,
                           double smallest, double slack);

    std::size_t count_cuts(std::span<const Word> words, const WordLayout<Word>& layout, const double* weights,
                           double smallest) const;

    // Any criterion: add(word, sign, sums) adds a fragment to the sums of a side.
    template <class Add>
    FragmentCut by_any(std::span<const Word> words, double smallest, double slack, Add add) {
        left_.assign(impurity_.width(), 0.0);
        right_ = left_;
        for (const Word word : words) add(word, 1.0, right_.data());
        FragmentCut best;
        for (std::size_t position = 1; position < words.size(); ++position) {
            add(words[position - 1], 1.0, left_.data());
            add(words[position - 1], -1.0, right_.data());
            if (!WordLayout<Word>::starts_value(words[position])) continue;
            const double left_weight = impurity_.weight(left_.data());
            if (left_weight < smallest || impurity_.weight(right_.data()) < smallest) continue;
            ++best.n_cuts;
            const double quality = impurity_.quality(left_.data()) + impurity_.quality(right_.data());
            if (best.position != 0 && !(quality > best.quality + slack)) continue;
            best.quality = quality;
            best.left_weight = left_weight;
            best.position = position;
        }
        return best;
    }

  private:
    struct Limits {
        double smallest, slack, total;
    };

    void sum_cells(std::span<const Word> words, const WordLayout<Word>& layout, const double* weights);
    double best_end(std::span<const Word> words, const Limits& limits);
    void open_cell(std::span<const Word> words, const WordLayout<Word>& layout, const double* weights,
                   std::size_t cell, const Limits& limits, FragmentCut& best);
    bool is_admissible(double left_weight, const Limits& limits) const {
        return left_weight >= limits.smallest && limits.total - left_weight >= limits.smallest;
    }

    const Impurity& impurity_;
    std::size_t n_classes_;
    std::size_t cell_size_ = 1;
    std::vector<double> ends_;          // class weights before each end of a cell
    std::vector<double> end_weights_;   // their sums
    std::vector<double> left_quality_;  // of the rows before each end
    std::vector<double> right_quality_;
    std::vector<double> left_, right_, left_terms_, right_terms_;
};

}  // namespace heldout
