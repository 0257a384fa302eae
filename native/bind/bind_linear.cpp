#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "linear/perceptron.hpp"
#include "linear/scores.hpp"

namespace heldout::bind {
namespace {

using Values = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Columns = std::optional<In<std::int32_t>>;
using Ends = std::optional<In<std::int64_t>>;

// Rows as Python hands them over: a matrix, or, with columns and ends, the values of a sparse one.
struct GivenRows {
    In<double> values;
    Columns columns;
    Ends ends;
    std::size_t n_rows;
    std::size_t n_columns;

    SparseRows sparse() const { return {view(values), view(*columns), view(*ends), n_rows, n_columns}; }

    template <class Work>
    auto with(Work&& work) const {
        if (columns && ends) {
            const SparseRows rows = sparse();
            nb::gil_scoped_release release;
            return work(rows);
        }
        if (values.size() != n_rows * n_columns)
            throw std::invalid_argument("rows of a matrix need a value for each column");
        const DenseRows rows{values.data(), n_rows, n_columns};
        nb::gil_scoped_release release;
        return work(rows);
    }
};

nb::typed<nb::dict, nb::str, nb::ndarray<nb::numpy>> train(
    const In<double>& values, const Columns& columns, const Ends& ends, std::size_t n_rows,
    std::size_t n_columns, const In<std::uint32_t>& classes, std::size_t n_classes,
    const std::vector<std::uint32_t>& snapshots, bool shuffles, bool fits_intercept, bool keeps_sums,
    bool keeps_updates, std::uint64_t seed) {
    const GivenRows given{values, columns, ends, n_rows, n_columns};
    const PerceptronOptions options{snapshots, shuffles, fits_intercept, keeps_sums, keeps_updates, seed};
    auto run = given.with(
        [&](const auto& rows) { return train_perceptron(rows, view(classes), n_classes, options); });
    const std::size_t n_blocks = keeps_sums ? run.n_snapshots : 0;
    nb::typed<nb::dict, nb::str, nb::ndarray<nb::numpy>> result;
    result["weights"] = give(std::move(run.weights), {run.n_snapshots, n_columns + 1, run.n_weight_rows});
    result["sums"] = give(std::move(run.sums), {n_blocks, n_columns + 1, run.n_weight_rows});
    result["n_mistakes"] = give(std::move(run.n_mistakes));
    result["update_row"] = give(std::move(run.update_row));
    result["update_raised"] = give(std::move(run.update_raised));
    result["update_lowered"] = give(std::move(run.update_lowered));
    result["update_step"] = give(std::move(run.update_step));
    return result;
}

nb::ndarray<nb::numpy, double> scores(const In<double>& values, const Columns& columns, const Ends& ends,
                                      std::size_t n_rows, std::size_t n_columns, const Values& weights,
                                      const In<double>& intercepts) {
    const GivenRows given{values, columns, ends, n_rows, n_columns};
    const std::span<const double> all_weights{weights.data(), weights.size()};
    auto all_scores =
        given.with([&](const auto& rows) { return linear_scores(rows, all_weights, view(intercepts)); });
    return give(std::move(all_scores), {n_rows, intercepts.size()});
}

nb::ndarray<nb::numpy, double> votes(const In<double>& values, const Columns& columns, const Ends& ends,
                                     std::size_t n_rows, std::size_t n_columns,
                                     const In<double>& update_values, const In<std::int32_t>& update_columns,
                                     const In<std::int64_t>& update_ends, const In<std::uint32_t>& row,
                                     const In<std::uint32_t>& raised, const In<std::uint32_t>& lowered,
                                     const In<double>& n_votes, std::size_t n_classes, bool has_intercept) {
    const GivenRows given{values, columns, ends, n_rows, n_columns};
    if (update_ends.size() == 0) throw std::invalid_argument("a sparse matrix needs a begin");
    const SparseRows updating{view(update_values), view(update_columns), view(update_ends),
                              update_ends.size() - 1, n_columns};
    const VotedUpdates updates{updating,      view(row), view(raised), view(lowered),
                               view(n_votes), n_classes, has_intercept};
    auto counted = given.with([&](const auto& rows) { return count_votes(updates, rows); });
    return give(std::move(counted), {n_rows, n_classes});
}

}  // namespace

void bind_linear(nb::module_& module) {
    module.def("train_perceptron", &train, nb::arg("values"), nb::arg("columns").none(),
               nb::arg("ends").none(), nb::arg("n_rows"), nb::arg("n_columns"), nb::arg("classes"),
               nb::arg("n_classes"), nb::arg("snapshots"), nb::arg("shuffles"), nb::arg("fits_intercept"),
               nb::arg("keeps_sums"), nb::arg("keeps_updates"), nb::arg("seed"),
               "Weights after the wanted epochs, mistakes of each epoch, and every update.");
    module.def("linear_scores", &scores, nb::arg("values"), nb::arg("columns").none(), nb::arg("ends").none(),
               nb::arg("n_rows"), nb::arg("n_columns"), nb::arg("weights"), nb::arg("intercepts"),
               "Rows × functions: the intercept and the products in column order.");
    module.def("count_votes", &votes, nb::arg("values"), nb::arg("columns").none(), nb::arg("ends").none(),
               nb::arg("n_rows"), nb::arg("n_columns"), nb::arg("update_values"), nb::arg("update_columns"),
               nb::arg("update_ends"), nb::arg("row"), nb::arg("raised"), nb::arg("lowered"),
               nb::arg("n_votes"), nb::arg("n_classes"), nb::arg("has_intercept"),
               "Rows × classes: the votes of all weights that a perceptron had.");
}

}  // namespace heldout::bind
