#include "base/processor.hpp"
#include "base/require.hpp"
#include "neighbors/box_gap.hpp"
#include "neighbors/direct_panel.hpp"

namespace heldout {
namespace {

// The kernels for one instruction set. They differ in how many doubles a register holds and in what they are
// compiled for; every lane does the same operations in the same order, so all give the same bits.
struct PlainKernels {
    using V = direct::Vectors<16>;

    template <Metric kMetric, bool kIsWeighted, class T>
    static void sum_panel(const T* panel, std::size_t n_columns, const double* weights,
                          const DirectQueries<T>& queries, double (&sums)[kDirectQueries][kDirectRows]) {
        direct::sum_panel<kMetric, kIsWeighted, V>(panel, n_columns, weights, queries, sums);
    }

    template <Metric kMetric, bool kIsWeighted, class T>
    static double gap_between(std::size_t n_columns, const double* weights, const T* low, const T* high,
                              const T* other_low, const T* other_high) {
        return direct::gap_between<kMetric, kIsWeighted, V>(n_columns, weights, low, high, other_low,
                                                            other_high);
    }
};

#if defined(HELDOUT_AVX512)
struct Avx512Kernels {
    using V = direct::Vectors<64>;

    template <Metric kMetric, bool kIsWeighted, class T>
    HELDOUT_AVX512 static void sum_panel(const T* panel, std::size_t n_columns, const double* weights,
                                         const DirectQueries<T>& queries,
                                         double (&sums)[kDirectQueries][kDirectRows]) {
        direct::sum_panel<kMetric, kIsWeighted, V>(panel, n_columns, weights, queries, sums);
    }

    template <Metric kMetric, bool kIsWeighted, class T>
    HELDOUT_AVX512 static double gap_between(std::size_t n_columns, const double* weights, const T* low,
                                             const T* high, const T* other_low, const T* other_high) {
        return direct::gap_between<kMetric, kIsWeighted, V>(n_columns, weights, low, high, other_low,
                                                            other_high);
    }
};
#else
using Avx512Kernels = PlainKernels;
#endif

template <class Kernels, Metric kMetric, class T>
DirectKernel<T> sum_of(bool is_weighted) {
    return is_weighted ? &Kernels::template sum_panel<kMetric, true, T>
                       : &Kernels::template sum_panel<kMetric, false, T>;
}

template <class Kernels, class T>
DirectKernel<T> sum_by_metric(Metric metric, bool is_weighted) {
    switch (metric) {
        case Metric::kL1:
            return sum_of<Kernels, Metric::kL1, T>(is_weighted);
        case Metric::kL2:
            return sum_of<Kernels, Metric::kL2, T>(is_weighted);
        case Metric::kLinf:
            return sum_of<Kernels, Metric::kLinf, T>(is_weighted);
        case Metric::kHamming:
            return sum_of<Kernels, Metric::kHamming, T>(is_weighted);
        case Metric::kCosine:
            break;
    }
    require(false, "the cosine is not a sum of terms");
    return nullptr;
}

template <class Kernels, Metric kMetric, class T>
GapKernel<T> gap_of(bool is_weighted) {
    return is_weighted ? &Kernels::template gap_between<kMetric, true, T>
                       : &Kernels::template gap_between<kMetric, false, T>;
}

template <class Kernels, class T>
GapKernel<T> gap_by_metric(Metric metric, bool is_weighted) {
    if (metric == Metric::kL1) return gap_of<Kernels, Metric::kL1, T>(is_weighted);
    if (metric == Metric::kL2) return gap_of<Kernels, Metric::kL2, T>(is_weighted);
    require(metric == Metric::kLinf, "boxes have gaps by L1, L2 and L-infinity");
    return gap_of<Kernels, Metric::kLinf, T>(is_weighted);
}

}  // namespace

template <class T>
DirectKernel<T> direct_kernel(Metric metric, bool is_weighted) {
    return has_avx512() ? sum_by_metric<Avx512Kernels, T>(metric, is_weighted)
                        : sum_by_metric<PlainKernels, T>(metric, is_weighted);
}

template <class T>
GapKernel<T> gap_kernel(Metric metric, bool is_weighted) {
    return has_avx512() ? gap_by_metric<Avx512Kernels, T>(metric, is_weighted)
                        : gap_by_metric<PlainKernels, T>(metric, is_weighted);
}

template DirectKernel<float> direct_kernel(Metric, bool);
template DirectKernel<double> direct_kernel(Metric, bool);
template GapKernel<float> gap_kernel(Metric, bool);
template GapKernel<double> gap_kernel(Metric, bool);

}  // namespace heldout
