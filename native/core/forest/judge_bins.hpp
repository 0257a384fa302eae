#pragma once

#include <limits>

#include "forest/two_classes.hpp"

namespace heldout {

inline constexpr double kAnything = std::numeric_limits<double>::infinity();

// Every cut between bins, and for every bin with rows of both classes the best that its inside could have:
// all of one class first. That holds beside the cuts at the bin's own ends; where one of these is not
// allowed, because too few rows lie beyond it, the inside may have anything. Compiled for plain and for wide
// vectors, with the same bits.
__attribute__((always_inline)) inline void judge_bins(BinTable& table, const CountedNode& node) {
    const double total = node.total, ones = node.ones, smallest = node.smallest;
    const std::size_t n_bins = table.n_bins;
    const double* left = table.left.data();
    const double* left_ones = table.left_ones.data();
    for (std::size_t bin = 0; bin < n_bins; ++bin) {
        const double apart = left_ones[bin] * total - left[bin] * ones;
        const double right = total - left[bin];
        const double spread = left[bin] * right;
        const bool is_cut = (left[bin] >= smallest) & (right >= smallest);
        const double quality = apart * apart / (is_cut ? spread : 1);
        table.quality[bin] = is_cut ? quality : -1;
    }
    const auto bound = [&](std::size_t bin, double before, double before_ones) {
        const double in_ones = left_ones[bin] - before_ones;
        const double first = before + in_ones, last = left[bin] - in_ones;
        const bool is_mixed = (in_ones > 0) & (first < left[bin]);
        const double right = total - left[bin];
        const bool starts_too_low = (before > 0) & (before < smallest) & (left[bin] > smallest);
        const bool ends_too_high = (right > 0) & (right < smallest) & (total - before > smallest);
        const double first_apart = left_ones[bin] * total - first * ones;
        const double last_apart = before_ones * total - last * ones;
        const double first_quality = first_apart * first_apart / (is_mixed ? first * (total - first) : 1);
        const double last_quality = last_apart * last_apart / (is_mixed ? last * (total - last) : 1);
        const double larger = first_quality > last_quality ? first_quality : last_quality;
        const double inside = is_mixed ? larger : -1;
        table.bound[bin] = starts_too_low | ends_too_high ? kAnything : inside;
    };
    bound(0, 0, 0);
    for (std::size_t bin = 1; bin < n_bins; ++bin) bound(bin, left[bin - 1], left_ones[bin - 1]);
}

}  // namespace heldout
