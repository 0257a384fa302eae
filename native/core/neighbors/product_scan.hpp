#pragma once

#include "base/team.hpp"
#include "neighbors/search_task.hpp"
#include "neighbors/shadow.hpp"

namespace heldout {

// Answers some queries: all references meet each of them as a product of shadows, and those that the bound
// cannot rule out are measured exactly. Queries for which the bound does not hold are left, and named in
// what is returned. `n_measured` counts the exact distances.
template <class T, class F>
std::vector<std::size_t> scan_products(const SearchTask<T>& task, const Shadow<F>& shadow,
                                       const std::vector<std::size_t>& queries, Team& team,
                                       std::size_t& n_measured);

}  // namespace heldout
