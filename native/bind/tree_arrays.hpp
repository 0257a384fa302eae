#pragma once

#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "tree/tree.hpp"

namespace heldout::bind {

using Arrays = nb::typed<nb::dict, nb::str, nb::ndarray<nb::numpy>>;

// A tree as a dict of arrays, one entry per node, and back.
Arrays give_tree(Tree&& tree);
Tree take_tree(const Arrays& arrays);

}  // namespace heldout::bind
