#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tree/rows.hpp"

namespace heldout {

// The part of its parent's weight that went to each node; 1 for the root.
std::vector<double> branch_shares(const Tree& tree);

// What the tree answers for each row: the shares of the classes, or the mean. A row that is split among
// branches gets the sum over the nodes where its fragments end.
void predict_tree(const Tree& tree, const Rows& rows, bool splits_unknown, bool is_regression,
                  std::size_t n_threads, double* answers);

// For each node, what it would lose as a leaf on the rows that come to it: the weight of those of another
// class than its own, or the squared distance of their targets to its mean. Empty weights count once.
std::vector<double> node_losses(const Tree& tree, const Rows& rows, bool splits_unknown,
                                std::span<const std::uint32_t> classes, std::span<const double> targets,
                                std::span<const double> weights);

}  // namespace heldout
