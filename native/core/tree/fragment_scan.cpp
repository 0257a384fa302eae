#include "tree/fragment_scan.hpp"

#include <algorithm>
#include <cmath>

namespace heldout {
namespace {

constexpr std::size_t kLargestCell = 64;
constexpr std::size_t kSmallestCell = 8;
constexpr std::size_t kFewestCells = 24;

}  // namespace

// The class weights before each end of a cell, from the first row to behind the last.
template <class Word>
void FragmentScan<Word>::sum_cells(std::span<const Word> words, const WordLayout<Word>& layout,
                                   const double* weights) {
    cell_size_ = std::clamp(words.size() / kFewestCells, kSmallestCell, kLargestCell);
    const std::size_t n_cells = (words.size() + cell_size_ - 1) / cell_size_;
    ends_.assign((n_cells + 1) * n_classes_, 0.0);
    end_weights_.assign(n_cells + 1, 0.0);
    for (std::size_t cell = 0; cell < n_cells; ++cell) {
        double* sums = ends_.data() + (cell + 1) * n_classes_;
        std::copy_n(sums - n_classes_, n_classes_, sums);
        const std::size_t end = std::min((cell + 1) * cell_size_, words.size());
        for (std::size_t i = cell * cell_size_; i < end; ++i)
            sums[layout.class_of(words[i])] += weights[layout.row(words[i])];
        for (std::size_t k = 0; k < n_classes_; ++k) end_weights_[cell + 1] += sums[k];
    }
}

// The qualities on both sides of every end of a cell, and the best of those where one may cut.
template <class Word>
double FragmentScan<Word>::best_end(std::span<const Word> words, const Limits& limits) {
    const std::size_t n_ends = end_weights_.size();
    const double* whole = ends_.data() + (n_ends - 1) * n_classes_;
    left_quality_.resize(n_ends);
    right_quality_.resize(n_ends);
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t end = 0; end < n_ends; ++end) {
        const double* left = ends_.data() + end * n_classes_;
        double of_left = 0, of_right = 0;
        for (std::size_t k = 0; k < n_classes_; ++k) {
            of_left += x_log2_x(left[k]);
            of_right += x_log2_x(whole[k] - left[k]);
        }
        left_quality_[end] = of_left - x_log2_x(end_weights_[end]);
        right_quality_[end] = of_right - x_log2_x(limits.total - end_weights_[end]);
        const std::size_t position = end * cell_size_;
        if (end == 0 || position >= words.size() || !WordLayout<Word>::starts_value(words[position]))
            continue;
        if (is_admissible(end_weights_[end], limits))
            best = std::max(best, left_quality_[end] + right_quality_[end]);
    }
    return best;
}

// Tries every cut of a cell: before each of its rows but the first, and behind its last.
template <class Word>
void FragmentScan<Word>::open_cell(std::span<const Word> words, const WordLayout<Word>& layout,
                                   const double* weights, std::size_t cell, const Limits& limits,
                                   FragmentCut& best) {
    const double* whole = ends_.data() + (end_weights_.size() - 1) * n_classes_;
    const double* start = ends_.data() + cell * n_classes_;
    double left_weight = end_weights_[cell], left_sum = 0, right_sum = 0;
    for (std::size_t k = 0; k < n_classes_; ++k) {
        left_[k] = start[k];
        right_[k] = whole[k] - start[k];
        left_sum += left_terms_[k] = x_log2_x(left_[k]);
        right_sum += right_terms_[k] = x_log2_x(right_[k]);
    }
    const std::size_t last = std::min((cell + 1) * cell_size_, words.size() - 1);
    for (std::size_t position = cell * cell_size_ + 1; position <= last; ++position) {
        const Word word = words[position - 1];
        const std::size_t k = layout.class_of(word);
        const double weight = weights[layout.row(word)];
        left_weight += weight;
        left_[k] += weight;
        right_[k] -= weight;
        left_sum -= left_terms_[k];
        right_sum -= right_terms_[k];
        left_sum += left_terms_[k] = x_log2_x(left_[k]);
        right_sum += right_terms_[k] = x_log2_x(right_[k]);
        if (!WordLayout<Word>::starts_value(words[position])) continue;
        if (!is_admissible(left_weight, limits)) continue;
        const double quality =
            left_sum - x_log2_x(left_weight) + right_sum - x_log2_x(limits.total - left_weight);
        if (best.position != 0 && !(quality > best.quality + limits.slack)) continue;
        best.quality = quality;
        best.left_weight = left_weight;
        best.position = position;
    }
}

template <class Word>
FragmentCut FragmentScan<Word>::by_entropy(std::span<const Word> words, const WordLayout<Word>& layout,
                                           const double* weights, double smallest, double slack) {
    FragmentCut best;
    if (words.size() < 2) return best;
    sum_cells(words, layout, weights);
    const Limits limits{smallest, slack, end_weights_.back()};
    if (limits.total < 2 * smallest) return best;
    const double floor = best_end(words, limits) - slack;
    left_.resize(n_classes_);
    right_.resize(n_classes_);
    left_terms_.resize(n_classes_);
    right_terms_.resize(n_classes_);
    for (std::size_t cell = 0; cell + 1 < end_weights_.size(); ++cell) {
        if (end_weights_[cell + 1] < smallest || limits.total - end_weights_[cell] < smallest) continue;
        if (left_quality_[cell] + right_quality_[cell + 1] >= floor)
            open_cell(words, layout, weights, cell, limits, best);
    }
    return best;
}

// Cells that lie between admissible ends are counted whole.
template <class Word>
std::size_t FragmentScan<Word>::count_cuts(std::span<const Word> words, const WordLayout<Word>& layout,
                                           const double* weights, double smallest) const {
    const Limits limits{smallest, 0.0, end_weights_.back()};
    std::size_t n_cuts = 0;
    for (std::size_t cell = 0; cell + 1 < end_weights_.size(); ++cell) {
        if (end_weights_[cell + 1] < smallest || limits.total - end_weights_[cell] < smallest) continue;
        const std::size_t begin = cell * cell_size_, last = std::min(begin + cell_size_, words.size() - 1);
        const bool is_inside =
            is_admissible(end_weights_[cell], limits) && is_admissible(end_weights_[cell + 1], limits);
        double left_weight = end_weights_[cell];
        for (std::size_t position = begin + 1; position <= last; ++position) {
            if (!is_inside) left_weight += weights[layout.row(words[position - 1])];
            n_cuts += WordLayout<Word>::starts_value(words[position]) &&
                      (is_inside || is_admissible(left_weight, limits));
        }
    }
    return n_cuts;
}

template class FragmentScan<std::uint32_t>;
template class FragmentScan<std::uint64_t>;

}  // namespace heldout
