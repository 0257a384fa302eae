#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "linear/mistake.hpp"

namespace heldout {

// A row of weights for each of several classes: a row belongs to the class of the highest score. The weights
// of one column stand together, so that all scores are made in one go.
class ManyClassWeights {
  public:
    template <class Rows>
    ManyClassWeights(const Rows& rows, std::size_t n_classes, bool fits_intercept, bool keeps_sums)
        : weights((rows.n_columns + 1) * n_classes),
          sums(keeps_sums ? weights.size() : 0),
          n_columns_(rows.n_columns),
          n_classes_(n_classes),
          fits_intercept_(fits_intercept),
          scores_(n_classes) {}

    std::size_t n_rows() const { return n_classes_; }

    // The rival is the highest of the other classes, the first of equals.
    template <class Row>
    Mistake judge(const Row& row, std::uint32_t label) {
        double* scores = scores_.data();
        const double* w = weights.data();
        const std::size_t n = n_classes_;
        for (std::size_t k = 0; k < n; ++k) scores[k] = w[n_columns_ * n + k];
        row.visit([&](std::size_t column, double value) {
            const double* of_column = w + column * n;
            for (std::size_t k = 0; k < n; ++k) scores[k] += of_column[k] * value;
        });
        std::size_t rival = label == 0 ? 1 : 0;
        for (std::size_t k = rival + 1; k < n; ++k)
            if (k != label && scores[k] > scores[rival]) rival = k;
        return {!(scores[label] > scores[rival]), static_cast<std::uint32_t>(rival)};
    }

    template <class Row>
    void update(const Row& row, std::uint32_t raised, std::uint32_t lowered, double step) {
        row.visit([&](std::size_t column, double value) { add(column, value, raised, lowered, step); });
        if (fits_intercept_) add(n_columns_, 1, raised, lowered, step);
    }

    std::vector<double> weights;
    std::vector<double> sums;

  private:
    void add(std::size_t column, double value, std::uint32_t raised, std::uint32_t lowered, double step) {
        weights[column * n_classes_ + raised] += value;
        weights[column * n_classes_ + lowered] -= value;
        if (sums.empty()) return;
        sums[column * n_classes_ + raised] += step * value;
        sums[column * n_classes_ + lowered] -= step * value;
    }

    std::size_t n_columns_;
    std::size_t n_classes_;
    bool fits_intercept_;
    std::vector<double> scores_;
};

}  // namespace heldout
