#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "linear/scores.hpp"

namespace heldout {

// Whether weights predict the class of a training row.
struct Mistake {
    bool is_one;
    std::uint32_t rival = 0;  // the class that scored too high
};

// A sum of products in whatever order is fast, from `first` on.
inline double sum_of_products(const double* a, const double* b, std::size_t n, double first) {
    constexpr std::size_t kLanes = 16;
    double lanes[kLanes] = {};
    std::size_t i = 0;
    for (; i + kLanes <= n; i += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += a[i + lane] * b[i + lane];
    for (; i < n; ++i) first += a[i] * b[i];
    for (const double lane : lanes) first += lane;
    return first;
}

// The largest sum of squares of a row. Infinite where squares overflow.
inline double largest_square(const DenseRows& rows) {
    double largest = 0;
    for (std::size_t i = 0; i < rows.n_rows; ++i) {
        const double* values = rows.row(i).values;
        largest = std::max(largest, sum_of_products(values, values, rows.n_columns, 0));
    }
    return largest;
}

// One row of weights for two classes: class 1 is where the score is above 0.
class TwoClassWeights {
  public:
    template <class Rows>
    TwoClassWeights(const Rows& rows, std::size_t, bool fits_intercept, bool keeps_sums)
        : weights(rows.n_columns + 1),
          sums(keeps_sums ? rows.n_columns + 1 : 0),
          n_columns_(rows.n_columns),
          fits_intercept_(fits_intercept) {
        if constexpr (std::is_same_v<Rows, DenseRows>) {
            // Two sums of n products and an intercept, added up in different orders, differ by less than
            // this times |w| |x|. By the lemma of the perceptron |w|² grows by at most |x|² in a mistake.
            const double of_intercept = fits_intercept ? 1 : kFarAboveUnderflow;
            const double largest = (largest_square(rows) + of_intercept) * (1 + 1e-6);
            const double n = static_cast<double>(rows.n_columns) + 4;
            most_per_mistake_ = 4 * n * std::numeric_limits<double>::epsilon() * largest;
        }
    }

    std::size_t n_rows() const { return 1; }

    Mistake judge(const SparseRow& row, std::uint32_t label) const {
        return {!(signed_by(label, in_order(row)) > 0), 1 - label};
    }

    // The sign is that of the sum in the order of the columns, which is only made where it is in doubt.
    Mistake judge(const DenseRow& row, std::uint32_t label) const {
        double score = sum_of_products(weights.data(), row.values, row.n, weights[n_columns_]);
        const double size = std::abs(score);
        if (!(size > most_per_mistake_ * root_n_mistakes_ && size <= std::numeric_limits<double>::max()))
            score = in_order(row);
        return {!(signed_by(label, score) > 0), 1 - label};
    }

    template <class Row>
    void update(const Row& row, std::uint32_t raised, std::uint32_t, double step) {
        const double sign = raised == 1 ? 1 : -1;
        row.visit([&](std::size_t column, double value) { weights[column] += sign * value; });
        if (!sums.empty())
            row.visit([&](std::size_t column, double value) { sums[column] += sign * step * value; });
        if (fits_intercept_) {
            weights[n_columns_] += sign;
            if (!sums.empty()) sums[n_columns_] += sign * step;
        }
        ++n_mistakes_;
        root_n_mistakes_ = std::sqrt(n_mistakes_);
    }

    std::vector<double> weights;
    std::vector<double> sums;

  private:
    static constexpr double kFarAboveUnderflow = 1e-280;

    static double signed_by(std::uint32_t label, double score) { return label == 1 ? score : -score; }

    template <class Row>
    double in_order(const Row& row) const {
        double score = weights[n_columns_];
        row.visit([&](std::size_t column, double value) { score += weights[column] * value; });
        return score;
    }

    std::size_t n_columns_;
    bool fits_intercept_;
    double most_per_mistake_ = 0;
    double n_mistakes_ = 0;
    double root_n_mistakes_ = 0;
};

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
