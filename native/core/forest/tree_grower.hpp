#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/any_column.hpp"
#include "forest/growing_tree.hpp"
#include "forest/node_search.hpp"
#include "tree/problem.hpp"

namespace heldout {

// What a node has to know of its rows. The weights of the classes, or the mean, go to `value`.
struct NodeSums {
    double weight = 0;
    double impurity = 0;    // of targets
    bool is_mixed = false;  // whether there is anything to tell apart
};

NodeSums sum_rows(const Problem& problem, const RowMeasure& measure, std::span<const std::uint32_t> words,
                  std::span<double> value);

// Grows the trees of a forest, one after the other, each for several min_leaf at once. The best split under
// the smallest of them is also that of every larger one which it satisfies, so trees part only where a branch
// would be too small for some. Holds scratch memory: one for each thread.
class TreeGrower {
  public:
    // min_leafs ascend.
    TreeGrower(const ForestData& data, const EntropyTable& entropies, std::span<const double> min_leafs);

    // One tree for each min_leaf. What grows depends on the number of the tree, and on nothing that was grown
    // before.
    std::vector<Forest> grow(std::uint64_t tree, std::span<const double> bag_weights);

  private:
    // A node that is still to be split: a range of the words, and the settings whose trees have it, with its
    // index in each of them.
    struct OpenNode {
        std::uint32_t begin;
        std::uint32_t n;
        std::int64_t depth;
        std::uint64_t key;
        std::size_t first_setting;
        std::size_t n_settings;
        std::size_t indices;
    };

    void fill_bag(std::uint64_t tree, std::span<const double> bag_weights);
    void grow_root(std::uint64_t key);
    void visit(OpenNode open);
    AnyNode view(const OpenNode& open) const;
    std::span<std::uint32_t> words_of(const OpenNode& open) { return {words_.data() + open.begin, open.n}; }

    // Each brings the words of the children together and says what the split is.
    GrowingNode cut_numbers(const OpenNode& open, const NodeSplit& choice);
    GrowingNode cut_levels(const OpenNode& open, const AnyNode& node, const NodeSplit& choice);
    void branch_words(const OpenNode& open, std::span<const std::uint32_t> child_of_level, std::size_t column,
                      std::uint32_t missing_child);

    void sum_children(const OpenNode& open);
    std::size_t count_satisfied(const OpenNode& open) const;
    void part_from(const OpenNode& open, std::size_t n_kept);
    void write_split(const OpenNode& open, GrowingNode split, const NodeSplit& choice);
    void add_child(const OpenNode& open, std::size_t child, std::int32_t branch_level);

    const ForestData& data_;
    const Problem& problem_;
    std::vector<double> min_leafs_;
    NodeSearch search_;
    bool is_avx512_;
    std::vector<GrowingTree> trees_;
    RowMeasure measure_;
    std::vector<double> weights_;
    std::vector<std::uint32_t> words_, scratch_, branch_;
    std::vector<OpenNode> stack_;
    std::vector<std::int32_t> node_indices_;
    // The children of the node that is being split.
    std::vector<std::uint32_t> ends_;
    std::vector<std::int32_t> branch_levels_, set_levels_;
    std::vector<NodeSums> sums_;
    std::vector<double> values_;
};

}  // namespace heldout
