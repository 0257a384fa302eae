#include "tree/scan.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace heldout {
namespace {

constexpr std::size_t kBlock = 256;
constexpr std::size_t kLanes = 8;
constexpr double kNoScore = -1.0;

// Scores of one block of cuts, sum²/(left·right), in a shape that compilers turn into vectors.
template <class Word>
double score_block(const Word* words, const double* sums, std::size_t n_cuts, double n_left, double n_right,
                   double* scores) {
    for (std::size_t j = 0; j < n_cuts; ++j) {
        const auto step = static_cast<double>(static_cast<std::int32_t>(j));
        const double score = sums[j] * sums[j] / ((n_left + step) * (n_right - step));
        scores[j] = WordLayout<Word>::starts_value(words[j]) ? score : kNoScore;
    }
    std::array<double, kLanes> best;
    best.fill(kNoScore);
    std::size_t j = 0;
    for (; j + kLanes <= n_cuts; j += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            best[lane] = scores[j + lane] > best[lane] ? scores[j + lane] : best[lane];
    for (; j < n_cuts; ++j) best[0] = scores[j] > best[0] ? scores[j] : best[0];
    return *std::max_element(best.begin(), best.end());
}

// Runs over the cuts block by block. fill(word) adds a row to the left side and gives the sum there.
template <class Word, class Fill>
Cut scan_blocks(std::span<const Word> words, CutRange range, Fill fill) {
    std::array<double, kBlock> sums;
    std::array<double, kBlock> scores;
    Cut best{kNoScore, 0};
    std::size_t taken = 0;
    for (; taken + 1 < range.first; ++taken) fill(words[taken]);
    for (std::size_t start = range.first; start <= range.last; start += kBlock) {
        const std::size_t n_cuts = std::min(kBlock, range.last - start + 1);
        for (std::size_t j = 0; j < n_cuts; ++j) sums[j] = fill(words[start - 1 + j]);
        const double score =
            score_block(words.data() + start, sums.data(), n_cuts, static_cast<double>(start),
                        static_cast<double>(words.size() - start), scores.data());
        if (score > best.gain) {
            const auto at = std::find(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(n_cuts), score);
            best = {score, start + static_cast<std::size_t>(at - scores.begin())};
        }
    }
    return best.gain > kNoScore ? best : Cut{};
}

struct GiniMeasure {
    using Sum = std::int64_t;
    using Quality = double;
    Sum term(std::int64_t count) const { return count * count; }
    Quality quality(Sum left, std::size_t n_left, Sum right, std::size_t n_right) const {
        return static_cast<double>(left) / static_cast<double>(n_left) +
               static_cast<double>(right) / static_cast<double>(n_right);
    }
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
    double gain(Quality best, Sum whole, std::size_t n) const {
        return table.to_double(best - (whole - table[n])) / static_cast<double>(n);
    }
};

// Class counts move from right to left one row at a time; both measures are sums over classes of a
// function of whole numbers, so they are kept up to date exactly.
template <class Word, class Measure>
Cut scan_counts(std::span<const Word> words, const WordLayout<Word>& layout, CutRange range,
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
        if (best_position == 0 || quality > best_quality) {
            best_quality = quality;
            best_position = position;
        }
    }
    if (best_position == 0) return {};
    return {measure.gain(best_quality, whole, words.size()), best_position};
}

}  // namespace

template <class Word>
Cut scan_gini_two_classes(std::span<const Word> words, const WordLayout<Word>& layout, CutRange range,
                          std::size_t n_second_class) {
    // With p of n rows in the second class and l of the left ones, the gain is 2·(l·n - left·p)² /
    // (n²·left·right): one division a cut, and whole numbers above it.
    const auto n = static_cast<std::int64_t>(words.size());
    const auto p = static_cast<std::int64_t>(n_second_class);
    std::int64_t difference = 0;
    const unsigned class_bit = layout.row_bits;
    auto cut = scan_blocks(words, range, [&](Word word) {
        difference += static_cast<std::int64_t>((word >> class_bit) & 1) * n - p;
        return static_cast<double>(difference);
    });
    const auto n_rows = static_cast<double>(n);
    cut.gain = 2 * cut.gain / (n_rows * n_rows);
    return cut;
}

template <class Word>
Cut scan_gini(std::span<const Word> words, const WordLayout<Word>& layout, CutRange range,
              std::span<const double> class_weights) {
    return scan_counts(words, layout, range, class_weights, GiniMeasure{});
}

template <class Word>
Cut scan_entropy(std::span<const Word> words, const WordLayout<Word>& layout, CutRange range,
                 std::span<const double> class_weights, const EntropyTable& table) {
    return scan_counts(words, layout, range, class_weights, EntropyMeasure{table});
}

template <class Word>
Cut scan_squared_error(std::span<const Word> words, const WordLayout<Word>& layout, CutRange range,
                       const double* targets, double mean) {
    // Around the node's mean both sides have opposite sums, so the gain is sum² / (left·right).
    double sum = 0;
    return scan_blocks(words, range, [&](Word word) { return sum += targets[layout.row(word)] - mean; });
}

template Cut scan_gini_two_classes(std::span<const std::uint32_t>, const WordLayout<std::uint32_t>&, CutRange,
                                   std::size_t);
template Cut scan_gini_two_classes(std::span<const std::uint64_t>, const WordLayout<std::uint64_t>&, CutRange,
                                   std::size_t);
template Cut scan_gini(std::span<const std::uint32_t>, const WordLayout<std::uint32_t>&, CutRange,
                       std::span<const double>);
template Cut scan_gini(std::span<const std::uint64_t>, const WordLayout<std::uint64_t>&, CutRange,
                       std::span<const double>);
template Cut scan_entropy(std::span<const std::uint32_t>, const WordLayout<std::uint32_t>&, CutRange,
                          std::span<const double>, const EntropyTable&);
template Cut scan_entropy(std::span<const std::uint64_t>, const WordLayout<std::uint64_t>&, CutRange,
                          std::span<const double>, const EntropyTable&);
template Cut scan_squared_error(std::span<const std::uint32_t>, const WordLayout<std::uint32_t>&, CutRange,
                                const double*, double);
template Cut scan_squared_error(std::span<const std::uint64_t>, const WordLayout<std::uint64_t>&, CutRange,
                                const double*, double);

}  // namespace heldout
