#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/aligned_buffer.hpp"
#include "neighbors/nearest.hpp"
#include "neighbors/panel_scan.hpp"

namespace heldout {

// All rows in an order of which every stretch is an even sample: multiples of a number near the golden
// section, without a common divisor with n.
inline std::vector<std::uint32_t> spread_order(std::size_t n) {
    auto stride = static_cast<std::size_t>(static_cast<double>(n) * 0.6180339887498949);
    while (stride == 0 || std::gcd(stride, n) != 1) ++stride;
    std::vector<std::uint32_t> order(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<std::uint32_t>(i * stride % n);
    return order;
}

// Brings rows into a form in which the square of their plain difference means the distance (L2: centred,
// multiplied by the roots of the weights, the largest number near 1), or their plain product the cosine (all
// of length 1). The "measure" of two such rows is half their squared distance, or their cosine distance.
class RowScaling {
  public:
    template <class T>
    RowScaling(const RowsView<T>& references, const SearchOptions& search);

    // False where bounds would not hold: numbers too large, too small, or not numbers at all.
    bool is_usable() const { return is_usable_; }
    bool is_cosine() const { return metric_ == Metric::kCosine; }
    std::size_t n_columns() const { return factors_.size(); }

    // The scaled row; gives its squared length, which is not a number if bounds do not hold for it.
    template <class T>
    double scale(const T* row, double* scaled) const;

    double measure_of(double distance) const {
        return is_cosine() ? distance : distance / 2 * squared_scale_;
    }
    double distance_of(double measure) const { return is_cosine() ? measure : measure * 2 / squared_scale_; }

    // What the arithmetic of the exact distance, and of the scaling, loses at most: in units of the sum of
    // both rows' squared lengths.
    double relative_error() const;

  private:
    bool take_roots(const SearchOptions& search);
    template <class T>
    void find_centre(const RowsView<T>& references);
    template <class T>
    bool find_scale(const RowsView<T>& references);
    template <class T>
    double scale_to_length_one(const T* row, double* scaled) const;

    Metric metric_;
    bool is_usable_;
    double squared_scale_ = 1.0;
    std::vector<double> weights_;
    std::vector<double> centre_;
    std::vector<double> factors_;
};

// What a score tells about a distance, for one query: `measure >= score + base - error` always, and
// `measure <= score + base + error + 2 * (the reference's error)`.
struct QueryBounds {
    double base;
    double error;
};

// A copy of the references with fewer digits, scaled and packed in panels, whose products with queries
// preselect candidates, with a proven bound of the error (docs/decisions, "neighbors"). The order says
// which row stands where in the panels.
template <class F>
class Shadow {
  public:
    template <class T>
    Shadow(const RowsView<T>& references, const SearchOptions& search, std::vector<std::uint32_t> order);

    // False where the bound would not hold.
    bool is_usable() const { return is_usable_; }

    Panels<F> panels() const { return {numbers_.data(), starts_.data(), scaling_.n_columns()}; }
    std::size_t n_panels() const { return starts_.size() / kPanelRows; }
    std::size_t row_of(std::size_t position) const { return order_[position]; }
    double error_of(std::size_t position) const { return errors_[position]; }

    // Writes the negative shadow of a query, one number in each group of kGroupQueries. False, and zeros, if
    // the bound does not hold for this query.
    template <class T>
    bool pack_query(const T* query, F* packed, QueryBounds& bounds) const;

    // No reference at this distance or nearer has a score that is not below this.
    F threshold(double distance, const QueryBounds& bounds) const {
        return threshold_above(scaling_.measure_of(distance) - bounds.base + bounds.error);
    }

    // No distance above this has a score below the threshold that is needed.
    double distance_within(F threshold, const QueryBounds& bounds) const;

    // The threshold for a bound of the measure, less the base.
    static F threshold_above(double bound);

  private:
    template <class T>
    bool pack_row(const T* row, std::size_t position, std::vector<double>& scaled);
    double error_at(double squares) const;

    RowScaling scaling_;
    bool is_usable_ = false;
    double relative_error_;
    std::vector<std::uint32_t> order_;
    AlignedBuffer<F> numbers_;
    AlignedBuffer<F> starts_;
    std::vector<float> errors_;
};

}  // namespace heldout
