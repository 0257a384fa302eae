#pragma once

#include <vector>

#include "neighbors/aligned_buffer.hpp"
#include "neighbors/row_scaling.hpp"
#include "neighbors/tile.hpp"

namespace heldout {

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
    Shadow(const RowsView<T>& references, const Search& search, std::vector<std::uint32_t> order);

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
