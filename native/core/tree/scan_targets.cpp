#include <cmath>

#include "tree/scan.hpp"
#include "tree/scan_cells.hpp"

namespace heldout {
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
