#include "neighbors/panel_scan.hpp"

#include "base/processor.hpp"

namespace heldout {
namespace {

// A part of a panel that the plain registers of any processor hold together with four queries.
constexpr std::size_t kQueriesAtOnce = 2;
template <class F>
constexpr std::size_t kRowsAtOnce = 64 / sizeof(F);

template <class F>
void append_below(const F* scores, std::size_t position, F threshold, Survivors<F>& survivors) {
    for (std::size_t row = 0; row < kRowsAtOnce<F>; ++row) {
        survivors.scores[survivors.n] = scores[row];
        survivors.positions[survivors.n] = static_cast<std::uint32_t>(position + row);
        survivors.n += scores[row] < threshold ? 1 : 0;
    }
}

// The scores of some rows of a panel for two queries.
template <class F>
void score(const F* numbers, const F* starts, const F* packed, std::size_t n_columns,
           F (&scores)[kQueriesAtOnce][kRowsAtOnce<F>]) {
    constexpr std::size_t kRows = kRowsAtOnce<F>;
    F a[kRows], b[kRows];
    for (std::size_t row = 0; row < kRows; ++row) a[row] = b[row] = starts[row];
    for (std::size_t j = 0; j < n_columns; ++j) {
        const F* column = numbers + j * kPanelRows;
        const F x = packed[j * kGroupQueries<F>], y = packed[j * kGroupQueries<F> + 1];
        for (std::size_t row = 0; row < kRows; ++row) a[row] += x * column[row];
        for (std::size_t row = 0; row < kRows; ++row) b[row] += y * column[row];
    }
    for (std::size_t row = 0; row < kRows; ++row) scores[0][row] = a[row], scores[1][row] = b[row];
}

}  // namespace

template <class F>
void scan_panels_plain(const Panels<F>& panels, std::size_t first, std::size_t last, QueryGroup<F>& group,
                       Relief& relief) {
    F scores[kQueriesAtOnce][kRowsAtOnce<F>];
    for (std::size_t panel = first; panel < last; ++panel) {
        const F* numbers = panels.numbers + panel * kPanelRows * panels.n_columns;
        for (std::size_t q = 0; q < kGroupQueries<F>; q += kQueriesAtOnce) {
            for (std::size_t row = 0; row < kPanelRows; row += kRowsAtOnce<F>) {
                const std::size_t position = panel * kPanelRows + row;
                score(numbers + row, panels.starts + position, group.packed + q, panels.n_columns, scores);
                for (std::size_t i = 0; i < kQueriesAtOnce; ++i)
                    append_below(scores[i], position, group.thresholds[q + i], group.survivors[q + i]);
            }
            for (std::size_t i = q; i < q + kQueriesAtOnce; ++i)
                if (group.survivors[i].n >= group.n_most) relief.relieve(i);
        }
    }
}

template <class F>
void scan_panels(const Panels<F>& panels, std::size_t first, std::size_t last, QueryGroup<F>& group,
                 Relief& relief) {
    if constexpr (kCompilesAvx512)
        if (has_avx512()) return scan_panels_avx512(panels, first, last, group, relief);
    scan_panels_plain(panels, first, last, group, relief);
}

#define HELDOUT_TILE(F)                                                                             \
    template void scan_panels(const Panels<F>&, std::size_t, std::size_t, QueryGroup<F>&, Relief&); \
    template void scan_panels_plain(const Panels<F>&, std::size_t, std::size_t, QueryGroup<F>&, Relief&);
HELDOUT_TILE(float)
HELDOUT_TILE(double)
#undef HELDOUT_TILE

}  // namespace heldout
