#pragma once

#include "neighbors/direct_panel.hpp"

namespace heldout {

// How far the nearest points of two boxes are at least: for L1, L2 or L-infinity, the sum (or the largest)
// of the terms that the gaps between them have.
template <class T>
using GapKernel = double (*)(std::size_t n_columns, const double* weights, const T* low, const T* high,
                             const T* other_low, const T* other_high);

// The kernel for a metric, with the vectors that the processor has.
template <class T>
GapKernel<T> gap_kernel(Metric metric, bool is_weighted);

namespace direct {

// Adds the terms of as many columns as a register holds.
template <Metric kMetric, bool kIsWeighted, class V, class T>
__attribute__((always_inline)) inline void add_gaps(typename V::Doubles& sums, const double* weights,
                                                    const T* low, const T* high, const T* other_low,
                                                    const T* other_high, std::size_t n_live) {
    using Doubles = typename V::Doubles;
    Doubles above{}, below{}, weight{};
    for (std::size_t lane = 0; lane < n_live; ++lane) {
        above[lane] = static_cast<double>(other_low[lane]) - static_cast<double>(high[lane]);
        below[lane] = static_cast<double>(low[lane]) - static_cast<double>(other_high[lane]);
        if constexpr (kIsWeighted) weight[lane] = weights[lane];
    }
    const Doubles outer = above > below ? above : below;
    Doubles term = outer > 0.0 ? outer : Doubles{};
    if constexpr (kMetric == Metric::kL2) term = term * term;
    if constexpr (kIsWeighted) term = weight * term;
    if constexpr (kMetric == Metric::kLinf)
        sums = term > sums ? term : sums;
    else
        sums = sums + term;
}

template <Metric kMetric, bool kIsWeighted, class V, class T>
__attribute__((always_inline)) inline double gap_between(std::size_t n_columns, const double* weights,
                                                         const T* low, const T* high, const T* other_low,
                                                         const T* other_high) {
    typename V::Doubles sums{};
    std::size_t j = 0;
    for (; j + V::kLanes <= n_columns; j += V::kLanes)
        add_gaps<kMetric, kIsWeighted, V>(sums, weights + (kIsWeighted ? j : 0), low + j, high + j,
                                          other_low + j, other_high + j, V::kLanes);
    if (j < n_columns)
        add_gaps<kMetric, kIsWeighted, V>(sums, weights + (kIsWeighted ? j : 0), low + j, high + j,
                                          other_low + j, other_high + j, n_columns - j);
    double total = 0.0;
    for (std::size_t lane = 0; lane < V::kLanes; ++lane) {
        if constexpr (kMetric == Metric::kLinf)
            total = sums[lane] > total ? sums[lane] : total;
        else
            total += sums[lane];
    }
    return total;
}

}  // namespace direct

}  // namespace heldout
