#include "tree/scan.hpp"

#include <cmath>
#include <vector>

#include "tree/scan_cells.hpp"

namespace heldout {
namespace {

// How many rows have gone left, and how many of them are of the second class.
struct Counts {
    std::int64_t n = 0;
    std::int64_t second = 0;
};

// Counting is the same for both measures.
template <class Word>
struct TwoClassCounting {
    using State = Counts;
    struct Cell {
        std::uint8_t n;
        std::uint8_t second;
    };

    unsigned class_bit;

    Cell summarise(std::span<const Word> words) const {
        Word second = 0;
        for (const Word word : words) second += (word >> class_bit) & 1;
        return {static_cast<std::uint8_t>(words.size()), static_cast<std::uint8_t>(second)};
    }
    void advance(State& state, const Cell& cell) const {
        state.n += cell.n;
        state.second += cell.second;
    }
    void add(State& state, Word word) const {
        ++state.n;
        state.second += (word >> class_bit) & 1;
    }
};

// With p of n rows in the second class and s of the left ones, the gain is 2·(s·n - left·p)² /
// (n²·left·right): whole numbers above one division.
template <class Word>
struct TwoClassGini : TwoClassCounting<Word> {
    using Quality = double;
    std::int64_t n, p;

    Quality quality(const Counts& left) const {
        if (left.n == 0 || left.n == n) return 0;
        const auto difference = static_cast<double>(left.second * n - left.n * p);
        return difference * difference / (static_cast<double>(left.n) * static_cast<double>(n - left.n));
    }
    Quality reachable(const Counts& left) const {
        return quality(left);
    }  // whole numbers add up in any order
    bool may_reach(const Counts& left, Quality wanted) const {
        const auto difference = static_cast<double>(left.second * n - left.n * p);
        const double sizes = static_cast<double>(left.n) * static_cast<double>(n - left.n);
        return difference * difference >= wanted * (1 - 1e-12) * sizes;
    }
    Quality bound(const Counts& left, const typename TwoClassCounting<Word>::Cell& cell) const {
        const std::int64_t first = cell.n - cell.second;
        const Quality corners = std::max(quality({left.n + cell.second, left.second + cell.second}),
                                         quality({left.n + first, left.second}));
        const Quality ends = std::max(quality(left), quality({left.n + cell.n, left.second + cell.second}));
        return std::max(corners, ends) * (1 + 1e-12);
    }
};

template <class Word>
struct TwoClassEntropy : TwoClassCounting<Word> {
    using Quality = std::int64_t;
    std::size_t n, p;
    const EntropyTable& table;

    Quality side(std::size_t size, std::size_t second) const {
        return table[second] + table[size - second] - table[size];
    }
    Quality reachable(const Counts& left) const { return quality(left); }
    bool may_reach(const Counts&, Quality) const { return true; }
    Quality quality(const Counts& left) const {
        const auto size = static_cast<std::size_t>(left.n), second = static_cast<std::size_t>(left.second);
        return side(size, second) + side(n - size, p - second);
    }
    Quality bound(const Counts& left, const typename TwoClassCounting<Word>::Cell& cell) const {
        const std::int64_t first = cell.n - cell.second;
        const Quality corners = std::max(quality({left.n + cell.second, left.second + cell.second}),
                                         quality({left.n + first, left.second}));
        const Quality ends = std::max(quality(left), quality({left.n + cell.n, left.second + cell.second}));
        return std::max(corners, ends) + 8;  // each of the six entries is rounded by half a unit
    }
};

template <class Cell>
std::vector<Cell>& cell_memory() {
    thread_local std::vector<Cell> cells;
    return cells;
}

}  // namespace

template <class Word>
Cut scan_two_classes(std::span<const Word> words, const WordLayout<Word>& layout, CutRange range,
                     double floor, std::size_t n_second_class) {
    const TwoClassGini<Word> measure{{layout.row_bits},
                                     static_cast<std::int64_t>(words.size()),
                                     static_cast<std::int64_t>(n_second_class)};
    const auto n_rows = static_cast<double>(words.size());
    const double per_quality = 2 / (n_rows * n_rows);
    double best;
    CellScan<Word, TwoClassGini<Word>> scan(words, range, measure,
                                            cell_memory<typename TwoClassCounting<Word>::Cell>());
    const std::size_t position = scan.run(std::max(floor / per_quality, -1.0), best);
    return position == 0 ? Cut{} : Cut{best * per_quality, position};
}

template <class Word>
Cut scan_two_classes(std::span<const Word> words, const WordLayout<Word>& layout, CutRange range,
                     double floor, std::size_t n_second_class, const EntropyTable& entropies) {
    const TwoClassEntropy<Word> measure{{layout.row_bits}, words.size(), n_second_class, entropies};
    const auto n_rows = static_cast<double>(words.size());
    const std::int64_t whole = measure.side(words.size(), n_second_class);
    // Rounding makes a cut without gain a few units worse than none.
    const std::int64_t least = floor > 0 ? entropies.to_fixed(floor * n_rows) : -16;
    std::int64_t best;
    CellScan<Word, TwoClassEntropy<Word>> scan(words, range, measure,
                                               cell_memory<typename TwoClassCounting<Word>::Cell>());
    const std::size_t position = scan.run(whole + least, best);
    return position == 0 ? Cut{} : Cut{entropies.to_double(best - whole) / n_rows, position};
}

template Cut scan_two_classes(std::span<const std::uint32_t>, const WordLayout<std::uint32_t>&, CutRange,
                              double, std::size_t);
template Cut scan_two_classes(std::span<const std::uint64_t>, const WordLayout<std::uint64_t>&, CutRange,
                              double, std::size_t);
template Cut scan_two_classes(std::span<const std::uint32_t>, const WordLayout<std::uint32_t>&, CutRange,
                              double, std::size_t, const EntropyTable&);
template Cut scan_two_classes(std::span<const std::uint64_t>, const WordLayout<std::uint64_t>&, CutRange,
                              double, std::size_t, const EntropyTable&);

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

namespace {

// Targets are taken around the node's mean: both sides then have opposite sums, and the gain of a cut is
// sum² / (left·right).
template <class Word>
struct SquaredError {
    using Quality = double;
    struct State {
        double n = 0;
        double sum = 0;
        double sizes = 0;  // sum of absolute values: how much rounding there can be in the sum
    };
    struct Cell {
        double n;
        double sum;
        double sizes;  // also how far the sum can swing inside
    };

    const WordLayout<Word>& layout;
    const double* targets;
    Centre centre;
    double n;

    double target(Word word) const { return centre.around(targets[layout.row(word)]); }

    Cell summarise(std::span<const Word> words) const {
        constexpr std::size_t kLanes = 4;
        std::array<double, kLanes> sum{}, sizes{};
        std::size_t i = 0;
        for (; i + kLanes <= words.size(); i += kLanes)
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                const double number = target(words[i + lane]);
                sum[lane] += number;
                sizes[lane] += std::abs(number);
            }
        for (; i < words.size(); ++i) {
            sum[0] += target(words[i]);
            sizes[0] += std::abs(target(words[i]));
        }
        return {static_cast<double>(words.size()), (sum[0] + sum[1]) + (sum[2] + sum[3]),
                (sizes[0] + sizes[1]) + (sizes[2] + sizes[3])};
    }
    void advance(State& state, const Cell& cell) const {
        state.n += cell.n;
        state.sum += cell.sum;
        state.sizes += cell.sizes;
    }
    void add(State& state, Word word) const {
        state.n += 1;
        state.sum += target(word);
    }
    Quality quality(const State& left) const { return left.sum * left.sum / (left.n * (n - left.n)); }
    bool may_reach(const State& left, Quality wanted) const {
        return left.sum * left.sum >= wanted * (1 - 1e-12) * (left.n * (n - left.n));
    }
    // Added up in another order, the same rows may give another sum.
    static double rounding(const State& left) { return 2.3e-16 * (left.n + kCutsPerCell) * left.sizes; }
    Quality reachable(const State& left) const {
        const double sum = std::max(0.0, std::abs(left.sum) - rounding(left));
        return sum * sum / (left.n * (n - left.n)) * (1 - 1e-12);
    }
    Quality bound(const State& left, const Cell& cell) const {
        const double highest = left.sum + (cell.sizes + cell.sum) / 2;
        const double lowest = left.sum - (cell.sizes - cell.sum) / 2;
        State behind = left;
        advance(behind, cell);
        const double farthest = std::max(std::abs(highest), std::abs(lowest)) + rounding(behind);
        const double first = left.n + 1, last = behind.n;
        return farthest * farthest / std::min(first * (n - first), last * (n - last)) * (1 + 1e-12);
    }
};

}  // namespace

template <class Word>
Cut scan_targets(std::span<const Word> words, const WordLayout<Word>& layout, CutRange range, double floor,
                 double slack, const double* targets, Centre centre) {
    using Measure = SquaredError<Word>;
    thread_local std::vector<typename Measure::Cell> cells;
    const Measure measure{layout, targets, centre, static_cast<double>(words.size())};
    CellScan<Word, Measure> scan(words, range, measure, cells);
    double best;
    if (scan.run(std::max(floor, -1.0), best) == 0) return {};
    const std::size_t position = scan.first_from(best - slack);
    return {best, position};
}

template Cut scan_targets(std::span<const std::uint32_t>, const WordLayout<std::uint32_t>&, CutRange, double,
                          double, const double*, Centre);
template Cut scan_targets(std::span<const std::uint64_t>, const WordLayout<std::uint64_t>&, CutRange, double,
                          double, const double*, Centre);

}  // namespace heldout
