#include "neighbors/shadow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heldout {
namespace {

constexpr double kAbsoluteError = 0x1p-80;

template <class F>
constexpr F kInfinity = std::numeric_limits<F>::infinity();

}  // namespace

template <class F>
template <class T>
Shadow<F>::Shadow(const RowsView<T>& references, const Search& search, std::vector<std::uint32_t> order)
    : scaling_(references, search), order_(std::move(order)) {
    constexpr double kUnit = std::numeric_limits<F>::epsilon() / 2;
    relative_error_ =
        1.02 * (static_cast<double>(references.n_columns) + 16) * kUnit + scaling_.relative_error();
    if (!scaling_.is_usable()) return;
    const std::size_t n_panels = (order_.size() + kPanelRows - 1) / kPanelRows;
    numbers_ = AlignedBuffer<F>(n_panels * kPanelRows * references.n_columns);
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

#define HELDOUT_SHADOW(F)                                                                           \
    template class Shadow<F>;                                                                       \
    template Shadow<F>::Shadow(const RowsView<float>&, const Search&, std::vector<std::uint32_t>);  \
    template Shadow<F>::Shadow(const RowsView<double>&, const Search&, std::vector<std::uint32_t>); \
    template bool Shadow<F>::pack_query(const float*, F*, QueryBounds&) const;                      \
    template bool Shadow<F>::pack_query(const double*, F*, QueryBounds&) const;
HELDOUT_SHADOW(float)
HELDOUT_SHADOW(double)
#undef HELDOUT_SHADOW

}  // namespace heldout
