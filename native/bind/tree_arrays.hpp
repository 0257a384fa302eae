#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "arrays.hpp"
#include "base/require.hpp"
#include "tree/apply.hpp"
#include "tree/problem.hpp"
#include "tree/tree.hpp"

namespace heldout::bind {

using Strided = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;
using AnyCodes = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The codes of a column, how many there are, and its numbers: those of all rows, or the distinct ones.
using ColumnArrays = std::tuple<AnyCodes, std::uint32_t, std::optional<Strided>, std::optional<Strided>>;

template <class Choice>
Choice named(const std::map<std::string, Choice>& choices, const std::string& name) {
    const auto choice = choices.find(name);
    require(choice != choices.end(), "an option has a value that the core does not know");
    return choice->second;
}

Criterion criterion_named(const std::string& name);
LevelSplits level_splits_named(const std::string& name);

// What every problem has; targets, costs and options are the caller's to add.
Problem view_problem(const std::vector<ColumnArrays>& columns, const std::optional<In<std::uint32_t>>& rows,
                     const std::optional<In<std::uint32_t>>& classes, std::size_t n_classes,
                     const std::optional<In<double>>& weights);

Rows view_rows(const Matrix<double>& numbers, const In<std::int32_t>& number_of,
               const Matrix<std::int32_t>& levels);

using Arrays = nb::typed<nb::dict, nb::str, nb::ndarray<nb::numpy>>;

// A tree as a dict of arrays, one entry per node, and back.
Arrays give_tree(Tree&& tree);
Tree take_tree(const Arrays& arrays);

}  // namespace heldout::bind
