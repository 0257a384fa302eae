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
    };
    struct Cell {
        double n;
        double sum;
        double sum_of_sizes;  // of the targets' absolute values: how far the sum can swing inside
    };

    const WordLayout<Word>& layout;
    const double* targets;
    double mean;
    double n;

    Cell summarise(std::span<const Word> words) const {
        constexpr std::size_t kLanes = 4;
        std::array<double, kLanes> sum{}, size{};
        std::size_t i = 0;
        for (; i + kLanes <= words.size(); i += kLanes)
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                const double target = targets[layout.row(words[i + lane])] - mean;
                sum[lane] += target;
                size[lane] += std::abs(target);
            }
        for (; i < words.size(); ++i) {
            sum[0] += targets[layout.row(words[i])] - mean;
            size[0] += std::abs(targets[layout.row(words[i])] - mean);
        }
        return {static_cast<double>(words.size()), (sum[0] + sum[1]) + (sum[2] + sum[3]),
                (size[0] + size[1]) + (size[2] + size[3])};
    }
    void advance(State& state, const Cell& cell) const {
        state.n += cell.n;
        state.sum += cell.sum;
    }
    void add(State& state, Word word) const {
        state.n += 1;
        state.sum += targets[layout.row(word)] - mean;
    }
    Quality quality(const State& left) const { return left.sum * left.sum / (left.n * (n - left.n)); }
    // Summed in another order, the same rows may give a little less.
    static Quality reachable(Quality quality) { return quality * (1 - 1e-9); }
    Quality bound(const State& left, const Cell& cell) const {
        const double highest = left.sum + (cell.sum_of_sizes + cell.sum) / 2;
        const double lowest = left.sum - (cell.sum_of_sizes - cell.sum) / 2;
        const double farthest = std::max(std::abs(highest), std::abs(lowest));
        const double first = left.n + 1, last = left.n + cell.n;
        return farthest * farthest / std::min(first * (n - first), last * (n - last)) * (1 + 1e-9);
    }
};

}  // namespace

template <class Word>
Cut scan_targets(std::span<const Word> words, const WordLayout<Word>& layout, CutRange range, double floor,
                 const double* targets, double mean) {
    using Measure = SquaredError<Word>;
    thread_local std::vector<typename Measure::Cell> cells;
    const Measure measure{layout, targets, mean, static_cast<double>(words.size())};
    double best;
    const std::size_t position =
        CellScan<Word, Measure>(words, range, measure, cells).run(std::max(floor, -1.0), best);
    return position == 0 ? Cut{} : Cut{best, position};
}

template Cut scan_targets(std::span<const std::uint32_t>, const WordLayout<std::uint32_t>&, CutRange, double,
                          const double*, double);
template Cut scan_targets(std::span<const std::uint64_t>, const WordLayout<std::uint64_t>&, CutRange, double,
                          const double*, double);

}  // namespace heldout
