#pragma once

#include <cstddef>
#include <cstdint>

#include "neighbors/nearest.hpp"

namespace heldout {

// So many references stand side by side, column by column, to be measured exactly.
constexpr std::size_t kDirectRows = 16;
constexpr std::size_t kDirectQueries = 4;

// Four queries, each with a bound: of sums that reach it only that they do is of interest.
template <class T>
struct DirectQueries {
    const T* rows[kDirectQueries];
    double bounds[kDirectQueries];
};

// What is summed over the columns (for L-infinity: of what the largest is taken), in their order and in
// double precision, between four queries and the rows of a panel.
template <class T>
using DirectKernel = void (*)(const T* panel, std::size_t n_columns, const double* weights,
                              const DirectQueries<T>& queries, double (&sums)[kDirectQueries][kDirectRows]);

// The kernel for a metric other than the cosine, with the vectors that the processor has.
template <class T>
DirectKernel<T> direct_kernel(Metric metric, bool is_weighted);

namespace direct {

// As many doubles as a register of so many bytes holds, with the operators of the compiler.
template <std::size_t kBytes>
struct Vectors {
    using Doubles __attribute__((vector_size(kBytes))) = double;
    using Bits __attribute__((vector_size(kBytes))) = std::int64_t;
    static constexpr std::size_t kLanes = kBytes / sizeof(double);
};

template <Metric kMetric, bool kIsWeighted, class V>
__attribute__((always_inline)) inline void add_term(typename V::Doubles& sum, const typename V::Doubles& a,
                                                    double b, double weight) {
    using Doubles = typename V::Doubles;
    using Bits = typename V::Bits;
    const Doubles difference = b - a;
    Doubles term;
    if constexpr (kMetric == Metric::kL2) {
        term = difference * difference;
    } else if constexpr (kMetric == Metric::kHamming) {
        term = (Doubles)((Bits)(Doubles{} + 1.0) & (Bits)(a != b));
    } else {
        constexpr std::int64_t kAllButSign = 0x7fffffffffffffff;
        term = (Doubles)((Bits)difference & (Bits{} + kAllButSign));
    }
    if constexpr (kIsWeighted) term = weight * term;
    if constexpr (kMetric == Metric::kLinf)
        sum = term > sum ? term : sum;
    else
        sum = sum + term;
}

// Some rows of a panel, two registers of them; stops where no sum can be of interest any more.
template <Metric kMetric, bool kIsWeighted, class V, class T>
__attribute__((always_inline)) inline void sum_rows(const T* rows, std::size_t n_columns,
                                                    const double* weights, const DirectQueries<T>& queries,
                                                    double (&sums)[kDirectQueries][kDirectRows],
                                                    std::size_t first) {
    using Doubles = typename V::Doubles;
    constexpr std::size_t kColumnsBetween = 32;
    Doubles left[kDirectQueries] = {}, right[kDirectQueries] = {};
    for (std::size_t j = 0; j < n_columns; ++j) {
        const T* column = rows + j * kDirectRows;
        Doubles a, b;
        for (std::size_t lane = 0; lane < V::kLanes; ++lane) {
            a[lane] = static_cast<double>(column[lane]);
            b[lane] = static_cast<double>(column[V::kLanes + lane]);
        }
        const double weight = kIsWeighted ? weights[j] : 1.0;
#pragma GCC unroll 4
        for (std::size_t q = 0; q < kDirectQueries; ++q) {
            const auto number = static_cast<double>(queries.rows[q][j]);
            add_term<kMetric, kIsWeighted, V>(left[q], a, number, weight);
            add_term<kMetric, kIsWeighted, V>(right[q], b, number, weight);
        }
        if (j % kColumnsBetween == kColumnsBetween - 1) {
            bool is_any = false;
            for (std::size_t q = 0; q < kDirectQueries; ++q)
                for (std::size_t lane = 0; lane < V::kLanes; ++lane)
                    is_any |= !(left[q][lane] >= queries.bounds[q]) || !(right[q][lane] >= queries.bounds[q]);
            if (!is_any) break;
        }
    }
    for (std::size_t q = 0; q < kDirectQueries; ++q)
        for (std::size_t lane = 0; lane < V::kLanes; ++lane) {
            sums[q][first + lane] = left[q][lane];
            sums[q][first + V::kLanes + lane] = right[q][lane];
        }
}

template <Metric kMetric, bool kIsWeighted, class V, class T>
__attribute__((always_inline)) inline void sum_panel(const T* panel, std::size_t n_columns,
                                                     const double* weights, const DirectQueries<T>& queries,
                                                     double (&sums)[kDirectQueries][kDirectRows]) {
    for (std::size_t first = 0; first < kDirectRows; first += 2 * V::kLanes)
        sum_rows<kMetric, kIsWeighted, V>(panel + first, n_columns, weights, queries, sums, first);
}

}  // namespace direct

}  // namespace heldout
