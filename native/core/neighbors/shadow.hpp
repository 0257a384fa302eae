#pragma once

#include <vector>

#include "neighbors/aligned_buffer.hpp"
#include "neighbors/search.hpp"
#include "neighbors/tile.hpp"

namespace heldout {

// What a score tells about a distance, for one query. The distance meant here, the "measure", is half the
// squared one of the scaled rows, or the cosine distance; `measure >= score + base - error` always, and
// `measure <= score + base + error + 2 * (the reference's error)`.
struct QueryBounds {
    double base;
    double error;
};

// A copy of the references with fewer digits, centred, scaled and packed in panels, whose products with
// queries preselect candidates, with a proven bound of the error (docs/decisions, "neighbors"). The order
// says which row stands where in the panels.
template <class F>
class Shadow {
  public:
    template <class T>
    Shadow(const RowsView<T>& references, const Search& search, std::vector<std::uint32_t> order);

    // False where the bound would not hold: numbers too large, too small, or not numbers at all.
    bool is_usable() const { return is_usable_; }

    Panels<F> panels() const { return {numbers_.data(), starts_.data(), n_columns_}; }
    std::size_t n_panels() const { return starts_.size() / kPanelRows; }
    std::size_t row_of(std::size_t position) const { return order_[position]; }
    double error_of(std::size_t position) const { return errors_[position]; }

    // Writes the negative shadow of a query, one number in each group of kGroupQueries. False, and nothing
    // to rely on, if the bound does not hold for this query.
    template <class T>
    bool pack_query(const T* query, F* packed, QueryBounds& bounds) const;

    // No reference at this distance or nearer has a score that is not below this.
    F threshold(double distance, const QueryBounds& bounds) const;

    // No distance above this has a score below the threshold that is needed.
    double distance_within(F threshold, const QueryBounds& bounds) const;

    // The threshold for a bound of the measure, less the base.
    static F threshold_above(double bound);

  private:
    template <class T>
    bool prepare_columns(const RowsView<T>& references, const Search& search);
    template <class T>
    bool prepare_weights(const RowsView<T>& references, const Search& search);
    template <class T>
    bool shadow_row(const T* row, F* shadow) const;
    template <class T>
    bool pack_panel(const RowsView<T>& references, std::size_t panel);
    double row_factor_of_length(double squares) const;

    Metric metric_;
    std::size_t n_rows_;
    std::size_t n_columns_;
    bool is_usable_ = false;
    double relative_error_;
    double squared_scale_ = 1.0;
    std::vector<std::uint32_t> order_;
    std::vector<double> weights_;
    std::vector<double> centre_;
    std::vector<double> factors_;
    AlignedBuffer<F> numbers_;
    AlignedBuffer<F> starts_;
    std::vector<float> errors_;
};

}  // namespace heldout
