#pragma once

#include <cstddef>
#include <cstdint>

namespace heldout {

// So many references stand side by side in a panel, column by column.
constexpr std::size_t kPanelRows = 32;

// So many queries meet a panel together; their scores fill the registers of AVX-512.
template <class F>
constexpr std::size_t kGroupQueries = sizeof(F) == 4 ? 12 : 6;

// The references that a query has not yet ruled out: score and position in the panels.
template <class F>
struct Survivors {
    F* scores;
    std::uint32_t* positions;
    std::size_t n;
};

// Queries that are compared with the same panels. A reference survives if its score, which is its starting
// value plus the product with the query as packed, is below the query's threshold.
template <class F>
struct QueryGroup {
    const F* packed;  // column by column, kGroupQueries of each
    F thresholds[kGroupQueries<F>];
    Survivors<F> survivors[kGroupQueries<F>];
    std::size_t n_most;  // from here on survivors must be relieved; kPanelRows more fit
};

// Makes room among the survivors of one query of a group, and lowers its threshold if it can.
class Relief {
  public:
    virtual ~Relief() = default;
    virtual void relieve(std::size_t query_in_group) = 0;
};

template <class F>
struct Panels {
    const F* numbers;  // panel by panel, column by column, kPanelRows of each
    const F* starts;   // one for each row
    std::size_t n_columns;
};

// Offers the rows of the panels from `first` to `last` to the queries of a group.
template <class F>
void scan_panels(const Panels<F>& panels, std::size_t first, std::size_t last, QueryGroup<F>& group,
                 Relief& relief);

// The same in plain vectors, and for AVX-512, to be called only where has_avx512().
template <class F>
void scan_panels_plain(const Panels<F>& panels, std::size_t first, std::size_t last, QueryGroup<F>& group,
                       Relief& relief);
void scan_panels_avx512(const Panels<float>& panels, std::size_t first, std::size_t last,
                        QueryGroup<float>& group, Relief& relief);
void scan_panels_avx512(const Panels<double>& panels, std::size_t first, std::size_t last,
                        QueryGroup<double>& group, Relief& relief);

}  // namespace heldout
