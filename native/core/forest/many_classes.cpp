#include "forest/many_classes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/processor.hpp"
#include "forest/sort_keys.hpp"
#include "forest/words.hpp"

namespace heldout {
namespace {

constexpr std::size_t kMostSortedOfMany = 64;
constexpr std::size_t kFewestBinsOfMany = 16;
constexpr double kNothingInside = -std::numeric_limits<double>::infinity();

}  // namespace

void GiniScore::start(std::span<const std::uint32_t> right) {
    left_ = right_ = 0;
    for (const std::int64_t count : right) right_ += count * count;
}

void EntropyScore::start(std::span<const std::uint32_t> right) {
    left_ = right_ = 0;
    for (const auto count : right) right_ += (*table_)[count];
}

template <class Score>
ManyClassSearch<Score>::ManyClassSearch(const ForestData& data, const EntropyTable& entropies)
    : data_(data),
      bits_(data.counted_bits()),
      n_classes_(data.problem().n_classes),
      is_avx512_(has_avx512()),
      score_(entropies),
      left_(n_classes_),
      right_(n_classes_),
      keys_(data.problem().n_rows + kSortRoom),
      scratch_(data.problem().n_rows + kSortRoom),
      opened_(data.problem().n_rows + 1),
      bin_of_word_(data.problem().n_rows) {}

template <class Score>
double ManyClassSearch<Score>::gain(double quality, const ClassesNode& node) {
    score_.start(node.counts);
    return (quality - score_.right_quality(node.total)) / node.total;
}

template <class Score>
double ManyClassSearch<Score>::quality(double gain, const ClassesNode& node) {
    score_.start(node.counts);
    return gain * node.total + score_.right_quality(node.total);
}

template <class Score>
ColumnCut ManyClassSearch<Score>::best_cut(std::size_t column, const ClassesNode& node, double floor) {
    const std::size_t fewest = std::max(is_avx512_ ? kMostInRegisters : kMostSortedOfMany, 16 * n_classes_);
    return node.words.size() <= fewest ? by_sorting(column, node)
                                       : by_counting(column, node, quality(floor, node));
}

template <class Score>
void ManyClassSearch<Score>::start(const ClassesNode& node) {
    score_.start(node.counts);
    std::ranges::fill(left_, 0U);
    std::ranges::copy(node.counts, right_.begin());
    left_total_ = 0;
}

template <class Score>
void ManyClassSearch<Score>::scan(const std::uint32_t* keys, std::size_t n, const ClassesNode& node,
                                  ColumnCut& best) {
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t class_ = bits_.class_of(keys[i]), times = bits_.times(keys[i]);
        score_.move(times, left_[class_], right_[class_]);
        left_[class_] += times;
        right_[class_] -= times;
        left_total_ += times;
        const std::uint32_t code = bits_.row(keys[i]);
        if (i + 1 == n || code == bits_.row(keys[i + 1])) continue;
        const std::uint32_t right_total = node.total - left_total_;
        if (left_total_ < node.smallest || right_total < node.smallest) continue;
        best.improve(score_.cut_quality(left_total_, right_total), code);
    }
}

template <class Score>
ColumnCut ManyClassSearch<Score>::by_sorting(std::size_t column, const ClassesNode& node) {
    make_keys(data_.codes(), column, node.words, bits_, keys_.data(), is_avx512_);
    sort_keys(keys_.data(), node.words.size(), scratch_.data(), is_avx512_);
    start(node);
    ColumnCut best;
    scan(keys_.data(), node.words.size(), node, best);
    return best;
}

template <class Score>
void ManyClassSearch<Score>::count_bins(const Bins& bins, const ClassesNode& node) {
    const std::size_t n = node.words.size();
    const std::size_t wanted = std::clamp(std::bit_floor(std::max<std::size_t>(n / (2 * n_classes_), 1)),
                                          kFewestBinsOfMany, kMostBins);
    shift_ = 0;
    while (bins.size() > wanted << shift_) ++shift_;
    n_bins_ = ((bins.size() - 1) >> shift_) + 1;
    counts_.assign(n_bins_ * n_classes_, 0);
    const std::uint8_t* of_row = bins.of_row.data();
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t word = node.words[i];
        const auto bin = static_cast<std::uint8_t>(of_row[bits_.row(word)] >> shift_);
        bin_of_word_[i] = bin;
        counts_[bin * n_classes_ + bits_.class_of(word)] += bits_.times(word);
    }
}

template <class Score>
void ManyClassSearch<Score>::move_bin(std::size_t bin) {
    const std::uint32_t* counts = counts_.data() + bin * n_classes_;
    for (std::size_t k = 0; k < n_classes_; ++k) {
        if (counts[k] == 0) continue;
        score_.move(counts[k], left_[k], right_[k]);
        left_[k] += counts[k];
        right_[k] -= counts[k];
        left_total_ += counts[k];
    }
}

template <class Score>
std::uint32_t ManyClassSearch<Score>::last_code(const Bins& bins, std::size_t bin) const {
    return bins.last_code[std::min(((bin + 1) << shift_) - 1, bins.size() - 1)];
}

// Every cut between bins, and for every bin with rows of several classes the best that its inside could have.
template <class Score>
void ManyClassSearch<Score>::judge_bins(const Bins& bins, const ClassesNode& node, ColumnCut& best) {
    start(node);
    for (std::size_t bin = 0; bin < n_bins_; ++bin) {
        const std::uint32_t* counts = counts_.data() + bin * n_classes_;
        const auto n_present =
            std::count_if(counts, counts + n_classes_, [](auto count) { return count > 0; });
        const std::uint32_t before = left_total_;
        const double left_before = score_.left_quality(before);
        move_bin(bin);
        const std::uint32_t right_total = node.total - left_total_;
        // A bin of one class is worst inside, unless one of its own ends is not allowed.
        const bool starts_too_low = before > 0 && before < node.smallest && left_total_ > node.smallest;
        const bool ends_too_high =
            right_total > 0 && right_total < node.smallest && node.total - before > node.smallest;
        const bool is_open_ended = starts_too_low || ends_too_high;
        bound_[bin] =
            n_present == 0 || (n_present == 1 && !is_open_ended)
                ? kNothingInside
                : left_before + Score::pure_quality(left_total_ - before) + score_.right_quality(right_total);
        if (n_present == 0 || left_total_ < node.smallest || right_total < node.smallest) continue;
        best.improve(score_.cut_quality(left_total_, right_total), last_code(bins, bin));
    }
}

template <class Score>
ColumnCut ManyClassSearch<Score>::by_counting(std::size_t column, const ClassesNode& node, double floor) {
    const Bins& bins = data_.bins(column);
    if (bins.size() < 2) return {};
    count_bins(bins, node);
    ColumnCut best;
    judge_bins(bins, node, best);
    const bool is_exact = shift_ == 0 && bins.is_exact(data_.problem().columns[column].codes.n_codes());
    if (!is_exact) open_bins(column, node, std::max(floor, best.quality), best);
    return best;
}

template <class Score>
void ManyClassSearch<Score>::open_bins(std::size_t column, const ClassesNode& node, double floor,
                                       ColumnCut& best) {
    // A bound may be rounded.
    const bool has_floor = floor > kNothingInside;
    const double lowest = has_floor ? floor - 1e-12 * (std::abs(floor) + node.total) : floor;
    bool is_any = false;
    for (std::size_t bin = 0; bin < n_bins_; ++bin) {
        is_opened_[bin] = bound_[bin] > kNothingInside && bound_[bin] >= lowest;
        is_any |= is_opened_[bin] != 0;
    }
    if (!is_any) return;
    const std::size_t n_opened =
        keep_opened(node.words, bin_of_word_.data(), is_opened_.data(), opened_.data());
    make_keys(data_.codes(), column, {opened_.data(), n_opened}, bits_, keys_.data(), is_avx512_);
    sort_keys(keys_.data(), n_opened, scratch_.data(), is_avx512_);
    // The keys of the opened bins stand one after the other; the other bins move as a whole.
    start(node);
    const Bins& bins = data_.bins(column);
    std::size_t begin = 0;
    for (std::size_t bin = 0; bin < n_bins_; ++bin) {
        if (!is_opened_[bin]) {
            move_bin(bin);
            continue;
        }
        const std::uint32_t beyond = (last_code(bins, bin) + 1) << bits_.stat_bits;
        std::size_t end = begin;
        while (end < n_opened && keys_[end] < beyond) ++end;
        scan(keys_.data() + begin, end - begin, node, best);
        begin = end;
    }
}

template class ManyClassSearch<GiniScore>;
template class ManyClassSearch<EntropyScore>;

}  // namespace heldout
