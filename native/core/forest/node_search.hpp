#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/stream.hpp"
#include "forest/any_column.hpp"
#include "forest/many_classes.hpp"
#include "forest/two_classes.hpp"

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
        const std::size_t position = n_drawn_++;
        if (!is_random_) return position;
        const std::size_t from = position + stream_.below(order_.size() - position);
        std::swap(order_[position], order_[from]);
        swapped_.push_back(static_cast<std::uint32_t>(from));
        return order_[position];
    }

  private:
    // Undoes the swaps, so that each node draws from the columns in their own order.
    void put_back() {
        for (std::size_t position = swapped_.size(); position-- > 0;)
            std::swap(order_[position], order_[swapped_[position]]);
        swapped_.clear();
    }

    bool is_random_;
    std::vector<std::uint32_t> order_;
    std::vector<std::uint32_t> swapped_;
    Stream stream_{0};
    std::size_t n_drawn_ = 0;
};

// What a node is split on. A category's levels are found again when its branches are made.
struct NodeSplit {
    std::size_t column = 0;
    double gain = -std::numeric_limits<double>::infinity();
    std::uint32_t code = 0;
    bool missing_left = false;
};

// Finds the best split among the columns that are drawn for a node. Of equally good ones the first that was
// drawn is taken. Holds scratch memory: one for each thread.
class NodeSearch {
  public:
    NodeSearch(const ForestData& data, const EntropyTable& entropies);

    std::optional<NodeSplit> find(const AnyNode& node, std::span<const double> values, std::uint64_t key);
    AnyColumnSearch& any() { return any_; }

  private:
    NodeSplit look_at(std::size_t column, const AnyNode& node, double floor);
    void count(const AnyNode& node, std::span<const double> values);
    bool is_perfect(const NodeSplit& split, const AnyNode& node) const;

    const ForestData& data_;
    const Problem& problem_;
    bool is_two_classes_;
    bool is_entropy_;
    ColumnDraw draw_;
    std::optional<TwoClassSearch> two_;
    std::optional<ManyClassSearch<GiniScore>> gini_;
    std::optional<ManyClassSearch<EntropyScore>> entropy_;
    AnyColumnSearch any_;
    std::vector<std::uint32_t> counts_;
    CountedNode counted_;
    ClassesNode classes_;
    double largest_gain_ = 0;
};

}  // namespace heldout
