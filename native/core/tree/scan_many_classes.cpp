#include <vector>

#include "tree/scan.hpp"

namespace heldout {
namespace {

struct GiniMeasure {
    using Sum = std::int64_t;
    using Quality = double;
    Sum term(std::int64_t count) const { return count * count; }
    Quality quality(Sum left, std::size_t n_left, Sum right, std::size_t n_right) const {
        return static_cast<double>(left) / static_cast<double>(n_left) +
               static_cast<double>(right) / static_cast<double>(n_right);
    }
    Quality slack(double gain, std::size_t n) const { return gain * static_cast<double>(n); }
    double gain(Quality best, Sum whole, std::size_t n) const {
        const auto n_rows = static_cast<double>(n);
        return (best - static_cast<double>(whole) / n_rows) / n_rows;
    }
};

struct EntropyMeasure {
    const EntropyTable& table;
    using Sum = std::int64_t;
    using Quality = std::int64_t;
    Sum term(std::int64_t count) const { return table[static_cast<std::size_t>(count)]; }
    Quality quality(Sum left, std::size_t n_left, Sum right, std::size_t n_right) const {
        return left - table[n_left] + right - table[n_right];
    }
    Quality slack(double gain, std::size_t n) const { return table.to_fixed(gain * static_cast<double>(n)); }
    double gain(Quality best, Sum whole, std::size_t n) const {
        return table.to_double(best - (whole - table[n])) / static_cast<double>(n);
    }
};

// Class counts move from right to left one row at a time; both measures are sums over classes of a
// function of whole numbers, so they are kept up to date exactly.
template <class Word, class Measure>
Cut scan_counts(std::span<const Word> words, const WordLayout<Word>& layout, CutRange range, double slack,
                std::span<const double> class_weights, const Measure& measure) {
    thread_local std::vector<std::int64_t> counts;
    const std::size_t n_classes = class_weights.size();
    counts.assign(2 * n_classes, 0);
    std::int64_t* left_counts = counts.data();
    std::int64_t* right_counts = counts.data() + n_classes;
    typename Measure::Sum left = 0, right = 0;
    for (std::size_t k = 0; k < n_classes; ++k) {
        right_counts[k] = static_cast<std::int64_t>(class_weights[k]);
        right += measure.term(right_counts[k]);
    }
    const auto whole = right;
    const auto quality_slack = measure.slack(slack, words.size());
    left = measure.term(0) * static_cast<std::int64_t>(n_classes);
    typename Measure::Quality best_quality{};
    std::size_t best_position = 0;
    for (std::size_t position = 1; position <= range.last; ++position) {
        const auto k = layout.class_of(words[position - 1]);
        left -= measure.term(left_counts[k]);
        left += measure.term(++left_counts[k]);
        right -= measure.term(right_counts[k]);
        right += measure.term(--right_counts[k]);
        if (position < range.first || !WordLayout<Word>::starts_value(words[position])) continue;
        const auto quality = measure.quality(left, position, right, words.size() - position);
        if (best_position == 0 || quality > best_quality + quality_slack) {
            best_quality = quality;
            best_position = position;
        }
    }
    if (best_position == 0) return {};
    return {measure.gain(best_quality, whole, words.size()), best_position};
}

}  // namespace

template <class Word>
Cut scan_many_classes(std::span<const Word> words, const WordLayout<Word>& layout, CutRange range,
                      double slack, std::span<const double> class_weights) {
    return scan_counts(words, layout, range, slack, class_weights, GiniMeasure{});
}

template <class Word>
Cut scan_many_classes(std::span<const Word> words, const WordLayout<Word>& layout, CutRange range,
                      double slack, std::span<const double> class_weights, const EntropyTable& entropies) {
    return scan_counts(words, layout, range, slack, class_weights, EntropyMeasure{entropies});
}

template Cut scan_many_classes(std::span<const std::uint32_t>, const WordLayout<std::uint32_t>&, CutRange,
                               double, std::span<const double>);
template Cut scan_many_classes(std::span<const std::uint64_t>, const WordLayout<std::uint64_t>&, CutRange,
                               double, std::span<const double>);
template Cut scan_many_classes(std::span<const std::uint32_t>, const WordLayout<std::uint32_t>&, CutRange,
                               double, std::span<const double>, const EntropyTable&);
template Cut scan_many_classes(std::span<const std::uint64_t>, const WordLayout<std::uint64_t>&, CutRange,
                               double, std::span<const double>, const EntropyTable&);

}  // namespace heldout
