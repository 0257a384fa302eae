#include "neighbors/mixed_panel.hpp"

#include <cmath>

#include "base/processor.hpp"

namespace heldout {
namespace {

// A term that is not known adds nothing to either sum; adding 0 changes no bit of them.
__attribute__((always_inline)) inline void sum_terms(const MixedSearch& search, const MixedPanel& panel,
                                                     const double* numbers, const std::int32_t* levels,
                                                     double (&distances)[kMixedRows]) {
    double totals[kMixedRows] = {}, weights[kMixedRows] = {};
    for (std::size_t j = 0; j < search.ranges.size(); ++j) {
        const double number = numbers[j], weight = search.number_weights[j], range = search.ranges[j];
        if (std::isnan(number)) continue;
        const double* column = panel.numbers + j * kMixedRows;
        for (std::size_t i = 0; i < kMixedRows; ++i) weights[i] += column[i] == column[i] ? weight : 0.0;
        if (!(range > 0.0)) continue;
        for (std::size_t i = 0; i < kMixedRows; ++i) {
            const double term = weight * (std::abs(number - column[i]) / range);
            totals[i] += column[i] == column[i] ? term : 0.0;
        }
    }
    for (std::size_t j = 0; j < search.level_weights.size(); ++j) {
        const std::int32_t level = levels[j];
        const double weight = search.level_weights[j];
        if (level < 0) continue;
        const std::int32_t* column = panel.levels + j * kMixedRows;
        for (std::size_t i = 0; i < kMixedRows; ++i) {
            weights[i] += column[i] >= 0 ? weight : 0.0;
            totals[i] += column[i] >= 0 && column[i] != level ? weight : 0.0;
        }
    }
    for (std::size_t i = 0; i < kMixedRows; ++i)
        distances[i] = weights[i] > 0.0 ? totals[i] / weights[i] : 1.0;
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx512f,avx512dq"))) void sum_terms_wide(const MixedSearch& search,
                                                                const MixedPanel& panel,
                                                                const double* numbers,
                                                                const std::int32_t* levels,
                                                                double (&distances)[kMixedRows]) {
    sum_terms(search, panel, numbers, levels, distances);
}
#endif

}  // namespace

void gower_distances(const MixedSearch& search, const MixedPanel& panel, const double* numbers,
                     const std::int32_t* levels, double (&distances)[kMixedRows]) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (has_wide_vectors()) return sum_terms_wide(search, panel, numbers, levels, distances);
#endif
    sum_terms(search, panel, numbers, levels, distances);
}

}  // namespace heldout
