#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tree/scan.hpp"

namespace heldout {

// Exact search for the best cut, most of it without looking at single cuts.
//
// Cuts are taken in cells of a few dozen. A Measure can summarise a cell in one fast pass and then bound what
// any cut inside could reach, whatever the order of the rows in it: its quality is convex, so the corners
// (all rows of one kind first) cannot be beaten. Only cells whose bound beats the best so far are opened.
//
// A Measure has
//   Cell                 the summary of some rows, State where the scan stands
//   summarise(words)     the Cell of those rows
//   advance(state, cell) the state behind the cell
//   add(state, word)     the state behind one more row
//   quality(state)       of the cut there
//   may_reach(state, q)  false only if the cut's quality is below q; cheaper than the quality
//   bound(state, cell)   what no cut inside the cell exceeds
//   reachable(state)     what a row-by-row scan finds there at least, where advance() led to this state
inline constexpr std::size_t kCutsPerCell = 32;

template <class Word, class Measure>
class CellScan {
  public:
    using State = typename Measure::State;
    using Cell = typename Measure::Cell;
    using Quality = typename Measure::Quality;

    CellScan(std::span<const Word> words, CutRange range, const Measure& measure, std::vector<Cell>& cells)
        : words_(words), range_(range), measure_(measure), cells_(cells) {}

    // The first of the best cuts, if its quality is at least `floor`; position 0 if there is none.
    std::size_t run(Quality floor, Quality& best) {
        best_ = floor;
        const State start = state_at_first();
        if (is_small()) {
            open(start, range_.first, range_.last);
        } else {
            summarise(start);
            visit_cells(start);
        }
        best = best_;
        return position_;
    }

    // After run(): the first cut whose quality is at least `wanted`.
    std::size_t first_from(Quality wanted) {
        best_ = wanted;
        position_ = 0;
        const State start = state_at_first();
        if (is_small())
            open(start, range_.first, range_.last, true);
        else
            visit_cells(start, true);
        return position_;
    }

  private:
    State state_at_first() const {
        State state{};
        const std::size_t n_before = range_.first - 1;
        for (std::size_t row = 0; row < n_before; row += kCutsPerCell)
            measure_.advance(state,
                             measure_.summarise(words_.subspan(row, std::min(kCutsPerCell, n_before - row))));
        return state;
    }

    bool is_small() const { return range_.last - range_.first < 2 * kCutsPerCell; }

    std::size_t n_cuts_from(std::size_t cut) const { return std::min(kCutsPerCell, range_.last - cut + 1); }

    // The cuts between cells are tried at once: a good floor keeps most cells closed.
    void summarise(State state) {
        cells_.clear();
        for (std::size_t cut = range_.first; cut <= range_.last; cut += kCutsPerCell) {
            const std::size_t n_cuts = n_cuts_from(cut);
            cells_.push_back(measure_.summarise(words_.subspan(cut - 1, n_cuts)));
            measure_.advance(state, cells_.back());
            if (WordLayout<Word>::starts_value(words_[cut + n_cuts - 1]))
                best_ = std::max(best_, measure_.reachable(state));
        }
    }

    void visit_cells(State state, bool only_first = false) {
        std::size_t cut = range_.first;
        for (const Cell& cell : cells_) {
            if (measure_.bound(state, cell) >= best_)
                open(state, cut, cut + n_cuts_from(cut) - 1, only_first);
            if (only_first && position_ != 0) return;
            measure_.advance(state, cell);
            cut += kCutsPerCell;
        }
    }

    void open(State state, std::size_t first, std::size_t last, bool only_first = false) {
        for (std::size_t cut = first; cut <= last; ++cut) {
            measure_.add(state, words_[cut - 1]);
            if (!WordLayout<Word>::starts_value(words_[cut]) || !measure_.may_reach(state, best_)) continue;
            const Quality quality = measure_.quality(state);
            if (quality > best_ || (position_ == 0 && quality == best_)) {
                best_ = quality;
                position_ = cut;
                if (only_first) return;
            }
        }
    }

    std::span<const Word> words_;
    CutRange range_;
    const Measure& measure_;
    std::vector<Cell>& cells_;
    Quality best_{};
    std::size_t position_ = 0;
};

}  // namespace heldout
