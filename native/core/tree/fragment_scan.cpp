#include "tree/fragment_scan.hpp"

#include <algorithm>
#include <limits>

namespace heldout {
namespace {

constexpr std::size_t kLargestCell = 64;
constexpr std::size_t kSmallestCell = 16;
constexpr std::size_t kFewestCells = 8;

}  // namespace

// Without a branch and without waiting for memory.
template <class Word>
void FragmentScan<Word>::add_two_classes(const Order& order, std::size_t begin, std::size_t end,
                                         double* sums) {
    double first = 0, second = 0;
    for (std::size_t i = begin; i < end; ++i) {
        const double weight = order.weight(i);
        const auto is_second = static_cast<double>(order.layout.class_of(order.words[i]));
        first += weight * (1 - is_second);
        second += weight * is_second;
    }
    sums[0] += first;
    sums[1] += second;
}

// The class weights before each end of a cell, from the first row to behind the last.
template <class Word>
void FragmentScan<Word>::sum_cells(const Order& order) {
    const std::size_t n = order.words.size(), n_classes = problem_.n_classes;
    // As many rows as classes: the sums of the cells take no more memory than the rows.
    cell_size_ = std::max(std::clamp(n / kFewestCells, kSmallestCell, kLargestCell), n_classes);
    const std::size_t n_ends = (n + cell_size_ - 1) / cell_size_ + 1;
    ends_.resize(n_ends);
    ends_[0].left_weight = 0;
    sums_.resize(n_ends * n_classes);
    std::fill_n(sums_.begin(), n_classes, 0.0);
    for (std::size_t end = 1; end < n_ends; ++end) {
        double* sums = sums_.data() + end * n_classes;
        std::copy_n(sums - n_classes, n_classes, sums);
        const std::size_t begin = (end - 1) * cell_size_, behind = std::min(end * cell_size_, n);
        std::size_t n_starts = 0;
        for (std::size_t i = begin; i < behind; ++i) n_starts += order.starts(i);
        ends_[end].n_cuts_before = n_starts - order.starts(begin) + (behind < n && order.starts(behind));
        if (n_classes == 2)
            add_two_classes(order, begin, behind, sums);
        else
            for (std::size_t i = begin; i < behind; ++i)
                sums[order.layout.class_of(order.words[i])] += order.weight(i);
        double weight = 0;
        for (std::size_t k = 0; k < n_classes; ++k) weight += sums[k];
        ends_[end].left_weight = weight;
    }
}

template <class Word>
void FragmentScan<Word>::judge_ends(const Limits& limits) {
    const std::size_t n_classes = problem_.n_classes;
    const double* whole = sums_.data() + n_cells() * n_classes;
    left_terms_.resize(sums_.size());
    right_terms_.resize(sums_.size());
    for (std::size_t end = 0; end < ends_.size(); ++end) {
        double of_left = 0, of_right = 0;
        for (std::size_t k = 0; k < n_classes; ++k) {
            const std::size_t at = end * n_classes + k;
            of_left += left_terms_[at] = x_log2_x(sums_[at]);
            of_right += right_terms_[at] = x_log2_x(whole[k] - sums_[at]);
        }
        const double left_weight = ends_[end].left_weight;
        ends_[end].left_quality = of_left - x_log2_x(left_weight);
        ends_[end].right_quality = of_right - x_log2_x(limits.total - left_weight);
    }
}

template <class Word>
double FragmentScan<Word>::best_end(const Order& order, const Limits& limits) const {
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t end = 1; end < n_cells(); ++end)
        if (order.starts(end * cell_size_) && limits.admit(ends_[end].left_weight))
            best = std::max(best, ends_[end].left_quality + ends_[end].right_quality);
    return best;
}

// False only if no cut in the cell has a quality of `floor`, which has some slack for rounding.
template <class Word>
bool FragmentScan<Word>::may_reach(std::size_t cell, double floor, const Limits& limits) const {
    const End &begin = ends_[cell], &end = ends_[cell + 1];
    if (end.left_weight < limits.smallest || limits.total - begin.left_weight < limits.smallest) return false;
    if (begin.left_quality + end.right_quality < floor) return false;
    if (problem_.n_classes != 2) return true;
    if (begin.left_quality + begin.right_quality >= floor || end.left_quality + end.right_quality >= floor)
        return true;
    for (std::size_t first = 0; first < 2; ++first) {
        const std::size_t moved = (cell + 1) * 2 + first, kept = cell * 2 + (1 - first);
        const double left_weight = sums_[moved] + sums_[kept];
        const double corner = left_terms_[moved] + left_terms_[kept] - x_log2_x(left_weight) +
                              right_terms_[moved] + right_terms_[kept] - x_log2_x(limits.total - left_weight);
        if (corner >= floor) return true;
    }
    return false;
}

// Tries the cuts of a cell: before each of its rows but the first, and behind its last. Between two rows of
// one class that are alone with their values only the first and the last admissible cut can win.
template <class Word>
void FragmentScan<Word>::open_cell(const Order& order, std::size_t cell, const Limits& limits,
                                   FragmentCut& best) {
    const std::size_t n_classes = problem_.n_classes;
    const double* whole = sums_.data() + n_cells() * n_classes;
    double left_weight = ends_[cell].left_weight, left_sum = 0, right_sum = 0;
    for (std::size_t k = 0; k < n_classes; ++k) {
        const std::size_t at = cell * n_classes + k;
        left_[k] = sums_[at];
        right_[k] = whole[k] - sums_[at];
        left_sum += left_now_[k] = left_terms_[at];
        right_sum += right_now_[k] = right_terms_[at];
    }
    const std::size_t last = last_cut(cell, order);
    for (std::size_t position = cell * cell_size_ + 1; position <= last; ++position) {
        const Word before = order.words[position - 1];
        const auto k = static_cast<std::uint32_t>(order.layout.class_of(before));
        const double weight = order.weight(position - 1);
        left_weight += weight;
        left_[k] += weight;
        right_[k] -= weight;
        if (!has_moved_[k]) moved_.push_back(k);
        has_moved_[k] = 1;
        if (!order.starts(position) || !limits.admit(left_weight)) continue;
        if (k == order.layout.class_of(order.words[position]) && limits.admit(left_weight - weight) &&
            limits.admit(left_weight + order.weight(position)) && order.is_alone(position - 1) &&
            order.is_alone(position))
            continue;
        for (const auto class_ : moved_) {
            left_sum -= left_now_[class_];
            right_sum -= right_now_[class_];
            left_sum += left_now_[class_] = x_log2_x(left_[class_]);
            right_sum += right_now_[class_] = x_log2_x(right_[class_]);
            has_moved_[class_] = 0;
        }
        moved_.clear();
        const double quality =
            left_sum - x_log2_x(left_weight) + right_sum - x_log2_x(limits.total - left_weight);
        if (best.position != 0 && !(quality > best.quality + limits.slack)) continue;
        best.quality = quality;
        best.left_weight = left_weight;
        best.position = position;
    }
    for (const auto class_ : moved_) has_moved_[class_] = 0;
    moved_.clear();
}

// Cells that lie between admissible ends are counted whole.
template <class Word>
std::size_t FragmentScan<Word>::count_cuts(const Order& order, const Limits& limits) const {
    std::size_t n_cuts = 0;
    for (std::size_t cell = 0; cell < n_cells(); ++cell) {
        const double begin = ends_[cell].left_weight, end = ends_[cell + 1].left_weight;
        if (end < limits.smallest || limits.total - begin < limits.smallest) continue;
        if (limits.admit(begin) && limits.admit(end)) {
            n_cuts += ends_[cell + 1].n_cuts_before;
            continue;
        }
        double left_weight = begin;
        for (std::size_t position = cell * cell_size_ + 1; position <= last_cut(cell, order); ++position) {
            left_weight += order.weight(position - 1);
            n_cuts += order.starts(position) && limits.admit(left_weight);
        }
    }
    return n_cuts;
}

template <class Word>
FragmentCut FragmentScan<Word>::by_entropy(std::span<const Word> words, const WordLayout<Word>& layout,
                                           const double* weights, double node_weight, double slack) {
    FragmentCut best;
    if (words.size() < 2) return best;
    const Order order{words, layout, weights};
    sum_cells(order);
    best.known_weight = ends_.back().left_weight;
    const Limits limits{problem_.smallest_branch(best.known_weight), slack, best.known_weight};
    if (limits.total < 2 * limits.smallest) return best;
    best.known_quality = impurity_.quality(sums_.data() + n_cells() * problem_.n_classes);
    double least = -std::numeric_limits<double>::infinity();
    if (problem_.options.numeric_cuts == NumericCuts::kC45) {
        best.n_cuts = count_cuts(order, limits);
        // What gains less than it pays is not wanted; pure branches have the quality 0.
        least = best.known_quality + problem_.charge(best.n_cuts, node_weight) * node_weight;
        if (best.n_cuts == 0 || least > 0) return best;
    }
    judge_ends(limits);
    const double floor = std::max(least, best_end(order, limits)) - slack;
    for (auto* side : {&left_, &right_, &left_now_, &right_now_}) side->resize(problem_.n_classes);
    has_moved_.resize(problem_.n_classes, 0);
    for (std::size_t cell = 0; cell < n_cells(); ++cell) {
        const double wanted = best.position == 0 ? floor : std::max(floor, best.quality - slack);
        if (may_reach(cell, wanted, limits)) open_cell(order, cell, limits, best);
    }
    return best;
}

template class FragmentScan<std::uint32_t>;
template class FragmentScan<std::uint64_t>;

}  // namespace heldout
