#include "base/processor.hpp"
#include "base/require.hpp"
#include "neighbors/direct_panel.hpp"

namespace heldout {
namespace {

using Plain = direct::Vectors<16>;

template <Metric kMetric, bool kIsWeighted, class T>
void sum_panel(const T* panel, std::size_t n_columns, const double* weights, const DirectQueries<T>& queries,
               double (&sums)[kDirectQueries][kDirectRows]) {
    for (std::size_t first = 0; first < kDirectRows; first += 2 * Plain::kLanes)
        direct::sum_rows<kMetric, kIsWeighted, Plain>(panel + first, n_columns, weights, queries, sums,
                                                      first);
}

template <Metric kMetric, class T>
DirectKernel<T> kernel(bool is_weighted) {
    return is_weighted ? &sum_panel<kMetric, true, T> : &sum_panel<kMetric, false, T>;
}

}  // namespace

template <class T>
DirectKernel<T> direct_kernel_plain(Metric metric, bool is_weighted) {
    switch (metric) {
        case Metric::kL1:
            return kernel<Metric::kL1, T>(is_weighted);
        case Metric::kL2:
            return kernel<Metric::kL2, T>(is_weighted);
        case Metric::kLinf:
            return kernel<Metric::kLinf, T>(is_weighted);
        case Metric::kHamming:
            return kernel<Metric::kHamming, T>(is_weighted);
        case Metric::kCosine:
            break;
    }
    require(false, "the cosine is not a sum of terms");
    return nullptr;
}

template <class T>
DirectKernel<T> direct_kernel(Metric metric, bool is_weighted) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (has_wide_vectors()) return direct_kernel_wide<T>(metric, is_weighted);
#endif
    return direct_kernel_plain<T>(metric, is_weighted);
}

template DirectKernel<float> direct_kernel(Metric, bool);
template DirectKernel<double> direct_kernel(Metric, bool);
template DirectKernel<float> direct_kernel_plain(Metric, bool);
template DirectKernel<double> direct_kernel_plain(Metric, bool);

}  // namespace heldout
