#pragma once

#include <vector>

#include "neighbors/search.hpp"

namespace heldout {

// Brings rows into a form in which the square of their plain difference means the distance (L2: centred,
// multiplied by the roots of the weights, the largest number near 1), or their plain product the cosine (all
// of length 1). The "measure" of two such rows is half their squared distance, or their cosine distance.
class RowScaling {
  public:
    template <class T>
    RowScaling(const RowsView<T>& references, const Search& search);

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
    bool take_roots(const Search& search);
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

}  // namespace heldout
