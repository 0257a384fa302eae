#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "forest/any_column.hpp"
#include "forest/draw_columns.hpp"
#include "forest/many_classes.hpp"
#include "forest/two_classes.hpp"

namespace heldout {

// What a node is split on. A category's levels are found again when its branches are made.
struct NodeSplit {
    std::size_t column = 0;
    double gain = -std::numeric_limits<double>::infinity();
    std::uint32_t code = 0;
    bool unknown_left = false;
};

// Finds the best split among the columns that are drawn for a node. Of equally good ones the first that was
// drawn is taken. Holds scratch memory: one for each thread.
class NodeSearch {
  public:
    NodeSearch(const ForestGround& ground, const EntropyTable& entropies);

    std::optional<NodeSplit> find(const AnyNode& node, std::span<const double> values, std::uint64_t key);
    AnyColumnSearch& any() { return any_; }

  private:
    NodeSplit look_at(std::size_t column, const AnyNode& node, double floor);
    void count(const AnyNode& node, std::span<const double> values);
    bool is_perfect(const NodeSplit& split, const AnyNode& node) const;

    const ForestGround& ground_;
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
