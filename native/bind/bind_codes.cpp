#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "arrays.hpp"
#include "base/team.hpp"
#include "codes/rank.hpp"
#include "rooms.hpp"

namespace heldout::bind {
namespace {

nb::list rank_columns(const Matrix<double>& X, std::size_t n_threads) {
    const std::size_t n_rows = X.shape(0), n_columns = X.shape(1);
    const auto row_stride = static_cast<std::ptrdiff_t>(X.stride(0));
    const auto column_stride = static_cast<std::ptrdiff_t>(X.stride(1));
    const double* numbers = X.data();
    std::vector<RankedColumn> ranked(n_columns);
    {
        nb::gil_scoped_release release;
        Team team(n_threads);
        team.run(n_columns, [&](std::size_t column, std::size_t) {
            ranked[column] =
                rank_column(numbers + static_cast<std::ptrdiff_t>(column) * column_stride, row_stride, n_rows);
        });
    }
    nb::list columns;
    for (auto& column : ranked) {
        nb::object codes = std::visit([](auto& vector) { return give(std::move(vector)); }, column.codes);
        columns.append(nb::make_tuple(codes, give(std::move(column.values))));
    }
    return columns;
}

}  // namespace

void bind_codes(nb::module_& module) {
    module.def("rank_columns", &rank_columns, nb::arg("X"), nb::arg("n_threads"),
               "Dense ranks and sorted distinct values of every column; NaN has the rank behind the last.");
}

}  // namespace heldout::bind
