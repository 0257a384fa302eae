#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tree/impurity.hpp"
#include "tree/presort.hpp"

namespace heldout {

// The best cut of an order of fragments, by the quality of both sides together.
struct FragmentCut {
    double quality = 0;
    double left_weight = 0;
    std::size_t position = 0;  // 0: there is no admissible cut
    std::size_t n_cuts = 0;    // how many were admissible
    double known_quality = 0;  // of all fragments together
    double known_weight = 0;
};

// Finds it. Cuts are admissible where a new value starts and both sides hold the smallest branch; of cuts
// within `slack` the first is taken. Holds scratch memory.
//
// Entropy is expensive, so cuts are taken in cells, and most cells stay closed. A cell with its rows sorted
// by class, as branches of their own, is at least as good as any cut inside it, and that bound costs nothing
// beyond what the ends of the cells cost. With two classes the corners (all of one class first) bound it
// closely. In a cell that is opened a cut between two rows of one class cannot win: entropy is concave.
template <class Word>
class FragmentScan {
  public:
    explicit FragmentScan(const Problem& problem)
        : problem_(problem), impurity_(problem.options.criterion, problem.n_classes) {}

    // Classification by entropy. A cut that does not gain what it pays need not be found.
    FragmentCut by_entropy(std::span<const Word> words, const WordLayout<Word>& layout, const double* weights,
                           double node_weight, double slack);

    // Any criterion: add(word, sign, sums) adds a fragment to the sums of a side.
    template <class Add>
    FragmentCut by_any(std::span<const Word> words, double slack, Add add) {
        left_.assign(impurity_.width(), 0.0);
        right_ = left_;
        for (const Word word : words) add(word, 1.0, right_.data());
        FragmentCut best;
        best.known_quality = impurity_.quality(right_.data());
        best.known_weight = impurity_.weight(right_.data());
        const double smallest = problem_.smallest_branch(best.known_weight);
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
    struct Order {
        std::span<const Word> words;
        const WordLayout<Word>& layout;
        const double* weights;

        double weight(std::size_t i) const { return weights[layout.row(words[i])]; }
        bool starts(std::size_t i) const { return WordLayout<Word>::starts_value(words[i]); }
        bool is_alone(std::size_t i) const { return starts(i) && (i + 1 == words.size() || starts(i + 1)); }
    };
    // The end of a cell: what lies before it and behind it, and where the cell itself may be cut.
    struct End {
        std::size_t n_cuts_before;
        double left_weight;
        double left_quality;
        double right_quality;
    };
    struct Limits {
        double smallest, slack, total;

        bool admit(double left_weight) const {
            return left_weight >= smallest && total - left_weight >= smallest;
        }
    };

    void sum_cells(const Order& order);
    static void add_two_classes(const Order& order, std::size_t begin, std::size_t end, double* sums);
    void judge_ends(const Limits& limits);
    double best_end(const Order& order, const Limits& limits) const;
    bool may_reach(std::size_t cell, double floor, const Limits& limits) const;
    void open_cell(const Order& order, std::size_t cell, const Limits& limits, FragmentCut& best);
    std::size_t count_cuts(const Order& order, const Limits& limits) const;
    std::size_t n_cells() const { return ends_.size() - 1; }
    std::size_t last_cut(std::size_t cell, const Order& order) const {
        return std::min((cell + 1) * cell_size_, order.words.size() - 1);
    }

    const Problem& problem_;
    Impurity impurity_;
    std::size_t cell_size_ = 1;
    std::vector<End> ends_;
    std::vector<double> sums_;         // class weights before each end
    std::vector<double> left_terms_;   // x log x of those,
    std::vector<double> right_terms_;  // and of the class weights behind
    std::vector<double> left_, right_, left_now_, right_now_;
    std::vector<std::uint32_t> moved_;  // classes whose terms are out of date
    std::vector<std::uint8_t> has_moved_;
};

}  // namespace heldout
