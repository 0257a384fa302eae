#include "forest/predict_answers.hpp"

#include "base/require.hpp"

namespace heldout {

Answer answer_named(bool is_vote, bool is_regression) {
    require(!is_vote || !is_regression, "means are not voted on");
    return is_regression ? Answer::kMean : is_vote ? Answer::kVote : Answer::kShares;
}

std::size_t class_of_node(const ForestView& forest, std::size_t at) {
    const double* value = forest.value.data() + at * forest.n_outputs;
    double total = 0;
    for (std::size_t k = 0; k < forest.n_outputs; ++k) total += value[k];
    // Different weights may be the same share.
    std::size_t largest = 0;
    for (std::size_t k = 1; k < forest.n_outputs; ++k)
        if (value[k] / total > value[largest] / total) largest = k;
    return largest;
}

}  // namespace heldout
