#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/any_column.hpp"
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

}  // namespace heldout
