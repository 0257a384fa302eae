#include "neighbors/direct_panel.hpp"

#if defined(__x86_64__) && defined(__GNUC__)

#define HELDOUT_WIDE __attribute__((target("avx512f,avx512dq")))

namespace heldout {
namespace {

using Wide = direct::Vectors<64>;

template <Metric kMetric, bool kIsWeighted, class T>
HELDOUT_WIDE void sum_panel(const T* panel, std::size_t n_columns, const double* weights,
                            const DirectQueries<T>& queries, double (&sums)[kDirectQueries][kDirectRows]) {
    direct::sum_rows<kMetric, kIsWeighted, Wide>(panel, n_columns, weights, queries, sums, 0);
}

template <Metric kMetric, class T>
DirectKernel<T> kernel(bool is_weighted) {
    return is_weighted ? &sum_panel<kMetric, true, T> : &sum_panel<kMetric, false, T>;
}

}  // namespace

template <class T>
DirectKernel<T> direct_kernel_wide(Metric metric, bool is_weighted) {
    switch (metric) {
        case Metric::kL1:
            return kernel<Metric::kL1, T>(is_weighted);
        case Metric::kL2:
            return kernel<Metric::kL2, T>(is_weighted);
        case Metric::kLinf:
            return kernel<Metric::kLinf, T>(is_weighted);
        default:
            return kernel<Metric::kHamming, T>(is_weighted);
    }
}

template DirectKernel<float> direct_kernel_wide(Metric, bool);
template DirectKernel<double> direct_kernel_wide(Metric, bool);

}  // namespace heldout

#endif
