#pragma once

#include <nanobind/nanobind.h>

namespace heldout::bind {

void bind_codes(nanobind::module_& module);
void bind_tree(nanobind::module_& module);
void bind_prune(nanobind::module_& module);
void bind_forest(nanobind::module_& module);
void bind_forest_answers(nanobind::module_& module);
void bind_neighbors(nanobind::module_& module);
void bind_perceptron(nanobind::module_& module);
void bind_text(nanobind::module_& module);
void bind_ranking(nanobind::module_& module);

}  // namespace heldout::bind
