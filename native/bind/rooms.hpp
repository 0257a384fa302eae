#pragma once

#include <nanobind/nanobind.h>

namespace heldout::bind {

void bind_codes(nanobind::module_& module);
void bind_tree(nanobind::module_& module);
void bind_prune(nanobind::module_& module);

}  // namespace heldout::bind
