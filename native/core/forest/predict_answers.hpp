#pragma once

#include <algorithm>
#include <cstddef>

#include "forest/forest_view.hpp"

namespace heldout {

// What a tree answers a row that ends in a node; nothing where only the node is asked for.
enum class Answer { kShares, kVote, kMean, kNone };

Answer answer_named(bool is_vote, bool is_regression);

// The class with the largest share in a node, the first of equal ones. A node is counted among all nodes of
// the forest.
std::size_t class_of_node(const ForestView& forest, std::size_t at);

// Writes what a node answers: the shares of the classes, or 1 for the largest share, or the mean.
inline void write_answer(const ForestView& forest, std::size_t at, Answer answer, double* out) {
    const std::size_t n_outputs = forest.n_outputs;
    const double* value = forest.value.data() + at * n_outputs;
    if (answer == Answer::kShares) {
        double total = 0;
        for (std::size_t k = 0; k < n_outputs; ++k) total += value[k];
        for (std::size_t k = 0; k < n_outputs; ++k) out[k] = value[k] / total;
    } else if (answer == Answer::kMean) {
        std::copy_n(value, n_outputs, out);
    } else {
        std::fill_n(out, n_outputs, 0.0);
        out[class_of_node(forest, at)] = 1;
    }
}

}  // namespace heldout
