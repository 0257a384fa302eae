#include "tree/scan.hpp"
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

}  // namespace heldout
