#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "tree/impurity.hpp"
#include "tree/tree.hpp"

namespace heldout {

// Collects what a node has to know of its rows: size, class weights or mean, impurity, purity.
class GroupSums {
  public:
    explicit GroupSums(const Problem& problem) : problem_(&problem), class_weights_(problem.n_classes, 0.0) {}

    void add(std::size_t row) { add(row, problem_->weight(row)); }

    // A fragment of a row counts with its own weight.
    void add(std::size_t row, double weight) {
        ++n_rows_;
        weight_ += weight;
        if (!problem_->is_regression()) {
            class_weights_[problem_->classes[row]] += weight;
            return;
        }
        const double target = problem_->targets[row];
        lowest_ = std::min(lowest_, target);
        highest_ = std::max(highest_, target);
        // West's update: mean and squares stay right however far the targets lie from zero.
        const double step = target - mean_;
        mean_ += step * (weight / weight_);
        squares_ += weight * step * (target - mean_);
    }

    // Whether the sums of a rest can be had by taking away, without any rounding.
    static bool is_exact(const Problem& problem) {
        return !problem.is_regression() && problem.weights.empty();
    }

    // All that a node has less a part of it.
    GroupSums rest_of(const Node& node, std::span<const double> class_weights) const {
        GroupSums rest(*problem_);
        rest.n_rows_ = static_cast<std::size_t>(node.n_rows) - n_rows_;
        rest.weight_ = node.weight - weight_;
        for (std::size_t k = 0; k < class_weights.size(); ++k)
            rest.class_weights_[k] = class_weights[k] - class_weights_[k];
        return rest;
    }

    std::size_t n_rows() const { return n_rows_; }
    double weight() const { return weight_; }

    bool is_pure() const {
        if (problem_->is_regression()) return !(lowest_ < highest_);
        return std::ranges::count_if(class_weights_, [](double w) { return w > 0; }) < 2;
    }

    void append_to(Tree& tree, Node node) const {
        node.n_rows = static_cast<std::int64_t>(n_rows_);
        node.weight = weight_;
        node.impurity = impurity();
        tree.nodes.push_back(node);
        if (problem_->is_regression())
            tree.values.push_back(mean());
        else
            tree.values.insert(tree.values.end(), class_weights_.begin(), class_weights_.end());
    }

  private:
    double mean() const {
        if (is_pure()) return lowest_;
        return std::clamp(mean_, lowest_, highest_);
    }

    double impurity() const {
        if (is_pure()) return 0;
        if (!problem_->is_regression())
            return Impurity(problem_->options.criterion, problem_->n_classes).of(class_weights_.data());
        return squares_ / weight_;
    }

    const Problem* problem_;
    std::size_t n_rows_ = 0;
    double weight_ = 0;
    std::vector<double> class_weights_;
    double mean_ = 0;
    double squares_ = 0;
    double lowest_ = std::numeric_limits<double>::infinity();
    double highest_ = -std::numeric_limits<double>::infinity();
};

}  // namespace heldout
