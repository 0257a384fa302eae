#include "tree/impurity.hpp"

#include <algorithm>
#include <numeric>

namespace heldout {
namespace {

double sum_of_squares(const double* sums, std::size_t width) {
    double squares = 0;
    for (std::size_t k = 0; k < width; ++k) squares += sums[k] * sums[k];
    return squares;
}

double sum_of_x_log2_x(const double* sums, std::size_t width) {
    double total = 0;
    for (std::size_t k = 0; k < width; ++k) total += x_log2_x(sums[k]);
    return total;
}

}  // namespace

double Impurity::weight(const double* sums) const {
    if (criterion_ == Criterion::kSquaredError) return sums[0];
    return std::accumulate(sums, sums + width_, 0.0);
}

double Impurity::quality(const double* sums) const {
    const double total = weight(sums);
    if (!(total > 0)) return 0;
    switch (criterion_) {
        case Criterion::kSquaredError:
            return sums[1] * sums[1] / total;
        case Criterion::kGini:
            return sum_of_squares(sums, width_) / total;
        case Criterion::kError:
            return *std::max_element(sums, sums + width_);
        default:
            return sum_of_x_log2_x(sums, width_) - x_log2_x(total);
    }
}

double Impurity::of(const double* sums) const {
    const double total = weight(sums);
    if (!(total > 0)) return 0;
    switch (criterion_) {
        case Criterion::kGini:
            // Divided twice: the square of a small weight would be 0.
            return 1 - sum_of_squares(sums, width_) / total / total;
        case Criterion::kError:
            return 1 - *std::max_element(sums, sums + width_) / total;
        default: {
            double entropy = 0;
            for (std::size_t k = 0; k < width_; ++k) entropy -= x_log2_x(sums[k] / total);
            return std::max(entropy, 0.0);
        }
    }
}

EntropyTable::EntropyTable(std::size_t n) : table_(n + 1) {
    const double largest = std::max(1.0, x_log2_x(static_cast<double>(n)));
    // Two bits stay free for the sum of a few entries before they are taken from each other.
    const int exponent = 60 - static_cast<int>(std::ceil(std::log2(largest)));
    const double scale = std::ldexp(1.0, exponent);
    unit_ = std::ldexp(1.0, -exponent);
    for (std::size_t count = 0; count <= n; ++count)
        table_[count] = std::llround(x_log2_x(static_cast<double>(count)) * scale);
}

}  // namespace heldout
