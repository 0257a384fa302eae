#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace heldout {

// A reference with its exact distance. The nearer comes first, of equally near ones the lower index.
struct Candidate {
    double distance;
    std::int32_t index;

    friend bool operator<(const Candidate& a, const Candidate& b) {
        return a.distance < b.distance || (a.distance == b.distance && a.index < b.index);
    }
};

// Keeps the k best of all candidates that are offered. Up to twice as many stand in a heap without order;
// only when that is full the worse half is dropped, so that an offer costs next to nothing.
class BestList {
  public:
    explicit BestList(std::size_t k) : k_(k), n_most_(k + std::max<std::size_t>(k, 32)) {}

    void clear() {
        candidates_.clear();
        limit_ = std::numeric_limits<double>::quiet_NaN();
    }

    // No candidate is needed whose distance compares greater than this; NaN while fewer than k are known.
    double limit() const { return limit_; }

    // A candidate behind all that were offered before: where it is as far as the k-th, that one stays.
    void offer_later(double distance, std::size_t index) {
        if (!(distance >= limit_)) offer(distance, index);
    }

    // A distance that is not a number counts as infinite.
    void offer(double distance, std::size_t index) {
        if (distance > limit_) return;
        if (std::isnan(distance)) distance = std::numeric_limits<double>::infinity();
        candidates_.push_back({distance, static_cast<std::int32_t>(index)});
        if (candidates_.size() == n_most_) shrink();
    }

    // Drops all but the k best, so that limit() is as low as can be known.
    void shrink() {
        if (candidates_.size() < k_) return;
        const auto last = candidates_.begin() + static_cast<std::ptrdiff_t>(k_) - 1;
        std::nth_element(candidates_.begin(), last, candidates_.end());
        limit_ = last->distance;
        candidates_.resize(k_);
    }

    // The same, but only where it may tell something new.
    void shrink_if_much_is_new() {
        if (candidates_.size() > k_ + k_ / 4 || std::isnan(limit_)) shrink();
    }

    bool is_empty() const { return candidates_.empty(); }

    // Writes the k best in order.
    void write(std::int32_t* indices, double* distances) {
        shrink();
        std::sort(candidates_.begin(), candidates_.end());
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            indices[i] = candidates_[i].index;
            distances[i] = candidates_[i].distance;
        }
    }

  private:
    std::size_t k_;
    std::size_t n_most_;
    std::vector<Candidate> candidates_;
    double limit_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace heldout
