#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "neighbors/best_list.hpp"

namespace heldout {

// Sifts the references of one query by scores that come with a bound of their error: a reference's distance,
// in units of the score and less what belongs to the query, lies between its score and its score plus twice
// its error plus `query_error`, both rounded. What cannot be ruled out is measured exactly.
class ScoreSieve {
  public:
    ScoreSieve(std::size_t k, bool leaves_own_out)
        : n_wanted_(k + (leaves_own_out ? 1 : 0)), n_most_(2 * n_wanted_ + 64), best_(k) {}

    // `errors` holds the error of every reference; `own` is no neighbor.
    template <class Measure>
    void sift(std::span<const double> scores, std::span<const double> errors, double query_error,
              std::size_t own, const Measure& measure) {
        best_.clear();
        survivors_.clear();
        threshold_ = std::numeric_limits<double>::infinity();
        const auto measure_all = [&] {
            for (const auto& [score, row] : survivors_)
                if (row != own) best_.offer(measure(row), row);
            survivors_.clear();
        };
        for (std::size_t row = 0; row < scores.size(); ++row) {
            if (!(scores[row] <= threshold_)) continue;
            survivors_.push_back({scores[row], static_cast<std::uint32_t>(row)});
            if (survivors_.size() < n_most_) continue;
            select(errors, query_error);
            if (survivors_.size() > n_most_ * 3 / 4) measure_all();
        }
        select(errors, query_error);
        measure_all();
    }

    void write(std::int32_t* indices, double* distances) { best_.write(indices, distances); }

  private:
    // Lowers the threshold by what the best scores tell, and drops what is above it.
    void select(std::span<const double> errors, double query_error) {
        if (survivors_.size() <= n_wanted_) return;
        const auto last = survivors_.begin() + static_cast<std::ptrdiff_t>(n_wanted_);
        std::nth_element(survivors_.begin(), last - 1, survivors_.end());
        double highest = -std::numeric_limits<double>::infinity();
        for (auto it = survivors_.begin(); it != last; ++it)
            highest = std::max(highest, it->first + 2 * errors[it->second]);
        threshold_ = std::min(threshold_, highest + 2 * query_error);
        std::erase_if(survivors_, [this](const auto& survivor) { return survivor.first > threshold_; });
    }

    std::size_t n_wanted_;
    std::size_t n_most_;
    BestList best_;
    double threshold_ = 0.0;
    std::vector<std::pair<double, std::uint32_t>> survivors_;
};

}  // namespace heldout
