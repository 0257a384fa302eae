#include "neighbors/shadow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heldout {
namespace {

// Within these no product of the exact distance overflows, and none that is lost matters.
constexpr double kLargest = 0x1p300;
constexpr double kSmallest = 0x1p-300;
constexpr double kLargestWeight = 0x1p100;
constexpr double kLargestQuery = 0x1p40;  // in units of the largest reference
constexpr double kAbsoluteError = 0x1p-80;
constexpr std::size_t kMostColumns = 65536;
constexpr std::size_t kMostSampled = 255;

}  // namespace

template <class F>
template <class T>
Shadow<F>::Shadow(const RowsView<T>& references, const Search& search, std::vector<std::uint32_t> order)
    : metric_(search.metric),
      n_rows_(references.n_rows),
      n_columns_(references.n_columns),
      order_(std::move(order)) {
    const auto d = static_cast<double>(n_columns_);
    constexpr double kUnit = std::numeric_limits<F>::epsilon() / 2;
    constexpr double kDoubleUnit = std::numeric_limits<double>::epsilon() / 2;
    relative_error_ = 1.02 * ((d + 16) * kUnit + (4 * d + 40) * kDoubleUnit);
    if (n_columns_ > kMostColumns || !prepare_weights(references, search)) return;
    if (metric_ == Metric::kL2 && !prepare_columns(references, search)) return;

    const std::size_t n_panels = (n_rows_ + kPanelRows - 1) / kPanelRows;
    numbers_ = AlignedBuffer<F>(n_panels * kPanelRows * n_columns_);
    starts_ = AlignedBuffer<F>(n_panels * kPanelRows);
    errors_.assign(n_panels * kPanelRows, 0.0F);
    is_usable_ = true;
    for (std::size_t panel = 0; panel < n_panels && is_usable_; ++panel)
        is_usable_ = pack_panel(references, panel);
}

// The square roots of the weights, by which the columns are multiplied.
template <class F>
template <class T>
bool Shadow<F>::prepare_weights(const RowsView<T>&, const Search& search) {
    weights_.assign(search.column_weights.begin(), search.column_weights.end());
    factors_.assign(n_columns_, 1.0);
    centre_.assign(n_columns_, 0.0);
    for (std::size_t j = 0; j < weights_.size(); ++j) {
        const double weight = weights_[j];
        if (weight != 0.0 && !(weight >= 1 / kLargestWeight && weight <= kLargestWeight)) return false;
        factors_[j] = std::sqrt(weight);
    }
    return true;
}

// The middle of every column, and a scale that brings the largest difference from it near 1. Any centre is
// right, and the median lies where the rows are: a few huge numbers would draw the mean away from them, and
// digits would be lost.
template <class F>
template <class T>
bool Shadow<F>::prepare_columns(const RowsView<T>& references, const Search&) {
    const std::size_t n_sampled = std::min(n_rows_, kMostSampled);
    std::vector<double> sample(n_sampled);
    for (std::size_t j = 0; j < n_columns_; ++j) {
        for (std::size_t i = 0; i < n_sampled; ++i) {
            const auto number = static_cast<double>(references.row(i * n_rows_ / n_sampled)[j]);
            sample[i] = std::isfinite(number) ? number : 0.0;
        }
        const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(n_sampled / 2);
        std::nth_element(sample.begin(), middle, sample.end());
        centre_[j] = *middle;
    }
    std::vector<double> spans(n_columns_, 0.0);
    bool is_tame = true;
    for (std::size_t i = 0; i < n_rows_; ++i) {
        const T* row = references.row(i);
        for (std::size_t j = 0; j < n_columns_; ++j) {
            const double difference = std::abs(static_cast<double>(row[j]) - centre_[j]);
            is_tame &= difference <= kLargest;
            spans[j] = difference > spans[j] ? difference : spans[j];
        }
    }
    double largest = 0.0;
    for (std::size_t j = 0; j < n_columns_; ++j) largest = std::max(largest, spans[j] * factors_[j]);
    if (!is_tame || (largest != 0.0 && !(largest >= kSmallest && largest <= kLargest))) return false;
    const double scale = largest == 0.0 ? 1.0 : std::ldexp(1.0, -std::ilogb(largest));
    for (auto& factor : factors_) factor *= scale;
    squared_scale_ = scale * scale;
    return true;
}

// The factor that gives a row of this squared length the length 1; NaN if the bound would not hold.
template <class F>
double Shadow<F>::row_factor_of_length(double squares) const {
    const double length = std::sqrt(squares);
    if (length == 0.0) return 0.0;
    if (!(length >= kSmallest && length <= kLargest)) return std::numeric_limits<double>::quiet_NaN();
    return 1.0 / length;
}

template <class F>
template <class T>
bool Shadow<F>::shadow_row(const T* row, F* shadow) const {
    bool is_tame = true;
    if (metric_ == Metric::kL2) {
        for (std::size_t j = 0; j < n_columns_; ++j) {
            const double difference = static_cast<double>(row[j]) - centre_[j];
            const double scaled = difference * factors_[j];
            is_tame &= std::abs(difference) <= kLargest && std::abs(scaled) <= kLargestQuery;
            shadow[j] = static_cast<F>(is_tame ? scaled : 0.0);
        }
        return is_tame;
    }
    double squares = 0.0;
    for (std::size_t j = 0; j < n_columns_; ++j) {
        const auto number = static_cast<double>(row[j]);
        squares += weights_.empty() ? number * number : weights_[j] * (number * number);
        is_tame &= std::abs(number) <= kLargest;
    }
    const double factor = row_factor_of_length(squares);
    if (!is_tame || std::isnan(factor)) return false;
    for (std::size_t j = 0; j < n_columns_; ++j)
        shadow[j] = static_cast<F>(static_cast<double>(row[j]) * factors_[j] * factor);
    return true;
}

template <class F>
template <class T>
bool Shadow<F>::pack_panel(const RowsView<T>& references, std::size_t panel) {
    std::vector<F> shadow(n_columns_);
    F* numbers = numbers_.data() + panel * kPanelRows * n_columns_;
    for (std::size_t lane = 0; lane < kPanelRows; ++lane) {
        const std::size_t position = panel * kPanelRows + lane;
        if (position >= n_rows_) {
            starts_.data()[position] = std::numeric_limits<F>::infinity();
            continue;
        }
        if (!shadow_row(references.row(row_of(position)), shadow.data())) return false;
        double squares = 0.0;
        for (std::size_t j = 0; j < n_columns_; ++j) {
            numbers[j * kPanelRows + lane] = shadow[j];
            squares += static_cast<double>(shadow[j]) * static_cast<double>(shadow[j]);
        }
        const bool is_cosine = metric_ == Metric::kCosine;
        const double error = (is_cosine ? 1.0 : squares) * relative_error_ + kAbsoluteError;
        errors_[position] = std::nextafter(static_cast<float>(error), 1e30F);
        starts_.data()[position] = static_cast<F>((is_cosine ? 0.0 : squares / 2) - error);
    }
    return true;
}

template <class F>
template <class T>
bool Shadow<F>::pack_query(const T* query, F* packed, QueryBounds& bounds) const {
    std::vector<F> shadow(n_columns_);
    const bool is_tame = shadow_row(query, shadow.data());
    double squares = 0.0;
    for (std::size_t j = 0; j < n_columns_; ++j) {
        packed[j * kGroupQueries<F>] = is_tame ? -shadow[j] : F{0};
        squares += static_cast<double>(shadow[j]) * static_cast<double>(shadow[j]);
    }
    const bool is_cosine = metric_ == Metric::kCosine;
    bounds.base = is_cosine ? 1.0 : squares / 2;
    bounds.error = is_cosine ? kAbsoluteError : squares * relative_error_ + kAbsoluteError;
    return is_tame;
}

template <class F>
F Shadow<F>::threshold_above(double bound) {
    const F rounded = static_cast<F>(bound);
    return std::nextafter(std::nextafter(rounded, std::numeric_limits<F>::infinity()),
                          std::numeric_limits<F>::infinity());
}

template <class F>
F Shadow<F>::threshold(double distance, const QueryBounds& bounds) const {
    const double measure = metric_ == Metric::kCosine ? distance : distance / 2 * squared_scale_;
    return threshold_above(measure - bounds.base + bounds.error);
}

template <class F>
double Shadow<F>::distance_within(F threshold, const QueryBounds& bounds) const {
    const double above = static_cast<double>(threshold) + bounds.base - bounds.error;
    const double lost = (std::abs(static_cast<double>(threshold)) + bounds.base + bounds.error) * 0x1p-48;
    return (above + lost) * 2 / squared_scale_;
}

template class Shadow<float>;
template class Shadow<double>;
template Shadow<float>::Shadow(const RowsView<float>&, const Search&, std::vector<std::uint32_t>);
template Shadow<float>::Shadow(const RowsView<double>&, const Search&, std::vector<std::uint32_t>);
template Shadow<double>::Shadow(const RowsView<float>&, const Search&, std::vector<std::uint32_t>);
template Shadow<double>::Shadow(const RowsView<double>&, const Search&, std::vector<std::uint32_t>);
template bool Shadow<float>::pack_query(const float*, float*, QueryBounds&) const;
template bool Shadow<float>::pack_query(const double*, float*, QueryBounds&) const;
template bool Shadow<double>::pack_query(const float*, double*, QueryBounds&) const;
template bool Shadow<double>::pack_query(const double*, double*, QueryBounds&) const;

}  // namespace heldout
