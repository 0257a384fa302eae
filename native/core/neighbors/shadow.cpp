#include "neighbors/shadow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heldout {
namespace {

constexpr double kLargestSquares = 0x1p80;  // a query may lie far out, in units of the largest reference
constexpr std::size_t kMostColumns = 65536;
constexpr std::size_t kMostSampled = 255;

// The squared length of a scaled row; where a number is not finite, neither is it.
double squared_length(const double* scaled, std::size_t n) {
    double sums[4] = {};
    std::size_t j = 0;
    for (; j + 4 <= n; j += 4)
        for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += scaled[j + lane] * scaled[j + lane];
    for (; j < n; ++j) sums[0] += scaled[j] * scaled[j];
    return sums[0] + sums[1] + sums[2] + sums[3];
}

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

}  // namespace

template <class T>
RowScaling::RowScaling(const RowsView<T>& references, const SearchOptions& search)
    : metric_(search.metric),
      weights_(search.column_weights.begin(), search.column_weights.end()),
      centre_(references.n_columns),
      factors_(references.n_columns, 1.0) {
    is_usable_ = references.n_columns <= kMostColumns && take_roots(search);
    if (!is_usable_ || is_cosine()) return;
    find_centre(references);
    is_usable_ = find_scale(references);
}

bool RowScaling::take_roots(const SearchOptions& search) {
    for (std::size_t j = 0; j < search.column_weights.size(); ++j) {
        const double weight = search.column_weights[j];
        if (weight != 0.0 && !(weight >= 1 / kLargestWeight && weight <= kLargestWeight)) return false;
        factors_[j] = std::sqrt(weight);
    }
    return true;
}

// The middle of every column. Any centre is right, and the median of some rows lies where the rows are: a few
// huge numbers would draw the mean away from them, and with it the digits that tell them apart.
template <class T>
void RowScaling::find_centre(const RowsView<T>& references) {
    const std::size_t n_sampled = std::min(references.n_rows, kMostSampled);
    std::vector<double> sample(n_sampled);
    for (std::size_t j = 0; j < centre_.size(); ++j) {
        for (std::size_t i = 0; i < n_sampled; ++i) {
            const auto number = static_cast<double>(references.row(i * references.n_rows / n_sampled)[j]);
            sample[i] = std::isfinite(number) ? number : 0.0;
        }
        const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(n_sampled / 2);
        std::nth_element(sample.begin(), middle, sample.end());
        centre_[j] = *middle;
    }
}

// A scale that brings the largest difference from the centre near 1. What is not a number is not seen here,
// but when its row is scaled.
template <class T>
bool RowScaling::find_scale(const RowsView<T>& references) {
    std::vector<double> spans(centre_.size(), 0.0);
    for (std::size_t i = 0; i < references.n_rows; ++i) {
        const T* row = references.row(i);
        for (std::size_t j = 0; j < spans.size(); ++j) {
            const double difference = std::abs(static_cast<double>(row[j]) - centre_[j]);
            spans[j] = difference > spans[j] ? difference : spans[j];
        }
    }
    double largest = 0.0;
    for (std::size_t j = 0; j < spans.size(); ++j) {
        if (!(spans[j] <= kLargestNumber)) return false;
        largest = std::max(largest, spans[j] * factors_[j]);
    }
    if (largest != 0.0 && !(largest >= kSmallestNumber && largest <= kLargestNumber)) return false;
    const double scale = largest == 0.0 ? 1.0 : std::ldexp(1.0, -std::ilogb(largest));
    for (auto& factor : factors_) factor *= scale;
    squared_scale_ = scale * scale;
    return true;
}

template <class T>
double RowScaling::scale(const T* row, double* scaled) const {
    if (is_cosine()) return scale_to_length_one(row, scaled);
    const std::size_t n = factors_.size();
    for (std::size_t j = 0; j < n; ++j) scaled[j] = (static_cast<double>(row[j]) - centre_[j]) * factors_[j];
    if (!weights_.empty())  // a weight of 0 hides what the exact distance will meet
        for (std::size_t j = 0; j < n; ++j)
            if (!(std::abs(static_cast<double>(row[j]) - centre_[j]) <= kLargestNumber)) return kNotANumber;
    const double squares = squared_length(scaled, n);
    return squares <= kLargestSquares ? squares : kNotANumber;
}

template <class T>
double RowScaling::scale_to_length_one(const T* row, double* scaled) const {
    double squares = 0.0;
    for (std::size_t j = 0; j < factors_.size(); ++j) {
        const auto number = static_cast<double>(row[j]);
        if (!(std::abs(number) <= kLargestNumber)) return kNotANumber;
        squares += weights_.empty() ? number * number : weights_[j] * (number * number);
    }
    const double length = std::sqrt(squares);
    if (length != 0.0 && !(length >= kSmallestNumber && length <= kLargestNumber)) return kNotANumber;
    const double factor = length == 0.0 ? 0.0 : 1 / length;
    for (std::size_t j = 0; j < factors_.size(); ++j)
        scaled[j] = static_cast<double>(row[j]) * factors_[j] * factor;
    return squared_length(scaled, factors_.size());
}

double RowScaling::relative_error() const {
    constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;
    return 1.02 * (4 * static_cast<double>(n_columns()) + 40) * kUnit;
}

template RowScaling::RowScaling(const RowsView<float>&, const SearchOptions&);
template RowScaling::RowScaling(const RowsView<double>&, const SearchOptions&);
template double RowScaling::scale(const float*, double*) const;
template double RowScaling::scale(const double*, double*) const;

namespace {

constexpr double kAbsoluteError = 0x1p-80;

template <class F>
constexpr F kInfinity = std::numeric_limits<F>::infinity();

}  // namespace

template <class F>
template <class T>
Shadow<F>::Shadow(const RowsView<T>& references, const SearchOptions& search,
                  std::vector<std::uint32_t> order)
    : scaling_(references, search), order_(std::move(order)) {
    constexpr double kUnit = std::numeric_limits<F>::epsilon() / 2;
    relative_error_ =
        1.02 * (static_cast<double>(references.n_columns) + 16) * kUnit + scaling_.relative_error();
    if (!scaling_.is_usable()) return;
    const std::size_t n_panels = (order_.size() + kPanelRows - 1) / kPanelRows;
    numbers_ = AlignedBuffer<F>::zeros(n_panels * kPanelRows * references.n_columns);
    starts_ = AlignedBuffer<F>(n_panels * kPanelRows);
    errors_.assign(n_panels * kPanelRows, 0.0F);
    std::fill(starts_.data(), starts_.data() + starts_.size(), kInfinity<F>);
    is_usable_ = true;
    std::vector<double> scaled(references.n_columns);
    for (std::size_t position = 0; position < order_.size() && is_usable_; ++position)
        is_usable_ = pack_row(references.row(order_[position]), position, scaled);
}

// What a row of this squared length adds to the error of a measure.
template <class F>
double Shadow<F>::error_at(double squares) const {
    return (scaling_.is_cosine() ? 1.0 : squares * 1.001) * relative_error_ + kAbsoluteError;
}

template <class F>
template <class T>
bool Shadow<F>::pack_row(const T* row, std::size_t position, std::vector<double>& scaled) {
    const double squares = scaling_.scale(row, scaled.data());
    if (std::isnan(squares)) return false;
    const std::size_t lane = position % kPanelRows;
    F* numbers = numbers_.data() + (position - lane) * scaled.size() + lane;
    double rounded_squares = 0.0;
    for (std::size_t j = 0; j < scaled.size(); ++j) {
        const auto number = static_cast<F>(scaled[j]);
        numbers[j * kPanelRows] = number;
        rounded_squares += static_cast<double>(number) * static_cast<double>(number);
    }
    const double error = error_at(squares);
    starts_.data()[position] = static_cast<F>((scaling_.is_cosine() ? 0.0 : rounded_squares / 2) - error);
    errors_[position] = std::nextafter(static_cast<float>(error), 1e30F);
    return true;
}

template <class F>
template <class T>
bool Shadow<F>::pack_query(const T* query, F* packed, QueryBounds& bounds) const {
    std::vector<double> scaled(scaling_.n_columns());
    const double squares = scaling_.scale(query, scaled.data());
    const bool is_tame = !std::isnan(squares);
    double rounded_squares = 0.0;
    for (std::size_t j = 0; j < scaled.size(); ++j) {
        const auto number = static_cast<F>(is_tame ? scaled[j] : 0.0);
        packed[j * kGroupQueries<F>] = -number;
        rounded_squares += static_cast<double>(number) * static_cast<double>(number);
    }
    bounds.base = scaling_.is_cosine() ? 1.0 : rounded_squares / 2;
    bounds.error = is_tame ? error_at(squares) : 0.0;
    return is_tame;
}

template <class F>
F Shadow<F>::threshold_above(double bound) {
    return std::nextafter(std::nextafter(static_cast<F>(bound), kInfinity<F>), kInfinity<F>);
}

template <class F>
double Shadow<F>::distance_within(F threshold, const QueryBounds& bounds) const {
    const double above = static_cast<double>(threshold) + bounds.base - bounds.error;
    const double lost = (std::abs(static_cast<double>(threshold)) + bounds.base + bounds.error) * 0x1p-48;
    return scaling_.distance_of(above + lost);
}

#define HELDOUT_SHADOW(F)                                                                                  \
    template class Shadow<F>;                                                                              \
    template Shadow<F>::Shadow(const RowsView<float>&, const SearchOptions&, std::vector<std::uint32_t>);  \
    template Shadow<F>::Shadow(const RowsView<double>&, const SearchOptions&, std::vector<std::uint32_t>); \
    template bool Shadow<F>::pack_query(const float*, F*, QueryBounds&) const;                             \
    template bool Shadow<F>::pack_query(const double*, F*, QueryBounds&) const;
HELDOUT_SHADOW(float)
HELDOUT_SHADOW(double)
#undef HELDOUT_SHADOW

}  // namespace heldout
