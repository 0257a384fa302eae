#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/stream.hpp"

namespace heldout {

// The columns of a node in the order in which they are looked at: at random, or as they stand where all are
// looked at anyway. Each draw depends on the node's key alone.
class ColumnDraw {
  public:
    ColumnDraw(std::size_t n_columns, std::size_t max_features)
        : is_random_(max_features < n_columns), order_(n_columns) {
        std::iota(order_.begin(), order_.end(), 0U);
    }

    void start(std::uint64_t key) {
        put_back();
        stream_ = Stream(key);
        n_drawn_ = 0;
    }

    bool is_empty() const { return n_drawn_ == order_.size(); }

    std::size_t next() {
        const std::size_t place = n_drawn_++;
        if (!is_random_) return place;
        const std::size_t from = place + stream_.below(order_.size() - place);
        std::swap(order_[place], order_[from]);
        swapped_.push_back(static_cast<std::uint32_t>(from));
        return order_[place];
    }

  private:
    // Undoes the swaps, so that each node draws from the columns in their own order.
    void put_back() {
        for (std::size_t place = swapped_.size(); place-- > 0;)
            std::swap(order_[place], order_[swapped_[place]]);
        swapped_.clear();
    }

    bool is_random_;
    std::vector<std::uint32_t> order_;
    std::vector<std::uint32_t> swapped_;
    Stream stream_{0};
    std::size_t n_drawn_ = 0;
};

}  // namespace heldout
