#include "neighbors/box_gap.hpp"

#if defined(__x86_64__) && defined(__GNUC__)

#define HELDOUT_WIDE __attribute__((target("avx512f,avx512dq")))

namespace heldout {
namespace {

template <Metric kMetric, bool kIsWeighted, class T>
HELDOUT_WIDE double gap_between(std::size_t n_columns, const double* weights, const T* low, const T* high,
                                const T* other_low, const T* other_high) {
    return direct::gap_between<kMetric, kIsWeighted, direct::Vectors<64>>(n_columns, weights, low, high,
                                                                          other_low, other_high);
}

template <Metric kMetric, class T>
GapKernel<T> kernel(bool is_weighted) {
    return is_weighted ? &gap_between<kMetric, true, T> : &gap_between<kMetric, false, T>;
}

}  // namespace

template <class T>
GapKernel<T> gap_kernel_wide(Metric metric, bool is_weighted) {
    if (metric == Metric::kL1) return kernel<Metric::kL1, T>(is_weighted);
    if (metric == Metric::kL2) return kernel<Metric::kL2, T>(is_weighted);
    return kernel<Metric::kLinf, T>(is_weighted);
}

template GapKernel<float> gap_kernel_wide(Metric, bool);
template GapKernel<double> gap_kernel_wide(Metric, bool);

}  // namespace heldout

#endif
