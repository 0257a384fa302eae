#pragma once

#include "base/team.hpp"
#include "neighbors/box_tree.hpp"
#include "neighbors/search_task.hpp"

namespace heldout {

// Whether boxes can serve: the metric grows with every column, and all numbers are finite.
template <class T>
bool can_use_boxes(const SearchTask<T>& task);

// Whether boxes promise to be faster than a scan of everything. A few queries try it on a sample of the
// references; the same data give the same decision.
template <class T>
bool boxes_promise(const SearchTask<T>& task);

// Answers some queries with a tree of boxes. Queries that lie near each other go through it together.
template <class T>
void scan_boxes(const SearchTask<T>& task, Team& team);

}  // namespace heldout
