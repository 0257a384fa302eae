#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "codes/rank.hpp"

namespace heldout::bind {
namespace {

nb::list rank_all(const Matrix<double>& X, std::size_t n_threads) {
    const MatrixView matrix{X.data(), X.shape(0), X.shape(1), X.stride(0), X.stride(1)};
    std::vector<RankedColumn> ranked;
    {
        nb::gil_scoped_release release;
        ranked = rank_columns(matrix, n_threads);
    }
    nb::list columns;
    for (auto& column : ranked) {
        nb::object codes =
            std::visit([](auto& vector) { return nb::cast(give(std::move(vector))); }, column.codes);
        columns.append(nb::make_tuple(codes, column.n_codes));
    }
    return columns;
}

}  // namespace

void bind_codes(nb::module_& module) {
    module.def("rank_columns", &rank_all, nb::arg("X"), nb::arg("n_threads"),
               "Dense ranks of every column and how many there are; NaN has the rank behind the last.");
}

}  // namespace heldout::bind
