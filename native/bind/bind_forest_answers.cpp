#include "forest/cut.hpp"
#include "forest/out_of_bag.hpp"
#include "forest/permute.hpp"
#include "forest/predict.hpp"
#include "forest_arrays.hpp"
#include "problem_arrays.hpp"
#include "rooms.hpp"

namespace heldout::bind {
namespace {

using FloatArray = nb::ndarray<nb::numpy, double>;
using IntArray = nb::ndarray<nb::numpy, std::int32_t>;
using Weights = std::optional<In<double>>;
using Groups = std::optional<In<std::uint32_t>>;

Arrays cut(const Arrays& arrays, std::int64_t max_depth) {
    const TakenForest forest = take_forest(arrays);
    Forest given;
    {
        nb::gil_scoped_release release;
        given = cut_forest(forest.view, max_depth);
    }
    return give_forest(std::move(given));
}

FloatArray predict(const Arrays& arrays, const Matrix<double>& numbers, const In<std::int32_t>& number_of,
                   const Matrix<std::int32_t>& levels, const std::vector<std::size_t>& prefixes, bool is_vote,
                   bool is_regression, std::size_t n_threads) {
    const TakenForest forest = take_forest(arrays);
    const Rows rows = view_rows(numbers, number_of, levels);
    const std::size_t n_outputs = forest.view.n_outputs;
    std::vector<double> answers(prefixes.size() * rows.n_rows * n_outputs);
    {
        nb::gil_scoped_release release;
        predict_forest(forest.view, rows, prefixes, answer_named(is_vote, is_regression), n_threads,
                       answers.data());
    }
    return give(std::move(answers), {prefixes.size(), rows.n_rows, n_outputs});
}

IntArray apply(const Arrays& arrays, const Matrix<double>& numbers, const In<std::int32_t>& number_of,
               const Matrix<std::int32_t>& levels, std::size_t n_threads) {
    const TakenForest forest = take_forest(arrays);
    const Rows rows = view_rows(numbers, number_of, levels);
    const std::size_t n_trees = forest.view.n_trees();
    std::vector<std::int32_t> reached(rows.n_rows * n_trees);
    {
        nb::gil_scoped_release release;
        apply_forest(forest.view, rows, n_threads, reached.data());
    }
    return give(std::move(reached), {rows.n_rows, n_trees});
}

std::tuple<FloatArray, IntArray> out_of_bag(const Arrays& arrays, const Matrix<double>& numbers,
                                            const In<std::int32_t>& number_of,
                                            const Matrix<std::int32_t>& levels, std::uint64_t seed,
                                            bool is_bootstrap, std::size_t n_draws, const Groups& groups,
                                            const Weights& weights, bool is_vote, bool is_regression,
                                            std::size_t n_threads) {
    const TakenForest forest = take_forest(arrays);
    const Rows rows = view_rows(numbers, number_of, levels);
    const std::size_t n_outputs = forest.view.n_outputs;
    std::vector<double> sums(rows.n_rows * n_outputs);
    std::vector<std::int32_t> n_trees(rows.n_rows);
    {
        nb::gil_scoped_release release;
        predict_out_of_bag(forest.view, rows, {seed, is_bootstrap, n_draws, view(groups)}, view(weights),
                           answer_named(is_vote, is_regression), n_threads, sums.data(), n_trees.data());
    }
    return {give(std::move(sums), {rows.n_rows, n_outputs}), give(std::move(n_trees))};
}

FloatArray permuted(const Arrays& arrays, const Matrix<double>& numbers, const In<std::int32_t>& number_of,
                    const Matrix<std::int32_t>& levels, const std::optional<In<std::uint32_t>>& classes,
                    const Weights& targets, std::uint64_t seed, bool is_bootstrap, std::size_t n_draws,
                    const Groups& groups, const Weights& weights, std::size_t n_threads) {
    const TakenForest forest = take_forest(arrays);
    const Rows rows = view_rows(numbers, number_of, levels);
    const std::size_t n_trees = forest.view.n_trees(), n_columns = forest.view.n_columns;
    std::vector<double> losses(n_trees * n_columns);
    {
        nb::gil_scoped_release release;
        permuted_losses(forest.view, rows, {view(classes), view(targets), view(weights)},
                        {seed, is_bootstrap, n_draws, view(groups)}, view(weights), n_threads, losses.data());
    }
    return give(std::move(losses), {n_trees, n_columns});
}

}  // namespace

void bind_forest_answers(nb::module_& module) {
    module.def("cut_forest", &cut, nb::arg("forest"), nb::arg("max_depth"),
               "The forest in which every node at this depth is a leaf.");
    module.def("predict_forest", &predict, nb::arg("forest"), nb::arg("numbers"), nb::arg("number_of"),
               nb::arg("levels"), nb::arg("prefixes"), nb::arg("is_vote"), nb::arg("is_regression"),
               nb::arg("n_threads"), "What the first trees answer together: prefix x row x output.");
    module.def("apply_forest", &apply, nb::arg("forest"), nb::arg("numbers"), nb::arg("number_of"),
               nb::arg("levels"), nb::arg("n_threads"),
               "The node in which each row ends in each tree: row x tree.");
    module.def("predict_out_of_bag", &out_of_bag, nb::arg("forest"), nb::arg("numbers"), nb::arg("number_of"),
               nb::arg("levels"), nb::arg("seed"), nb::arg("is_bootstrap"), nb::arg("n_draws"),
               nb::arg("groups").none().noconvert(), nb::arg("weights").none().noconvert(),
               nb::arg("is_vote"), nb::arg("is_regression"), nb::arg("n_threads"),
               "The sums of the answers of the trees that did not see a row, and how many these are.");
    module.def("permuted_losses", &permuted, nb::arg("forest"), nb::arg("numbers"), nb::arg("number_of"),
               nb::arg("levels"), nb::arg("classes").none().noconvert(),
               nb::arg("targets").none().noconvert(), nb::arg("seed"), nb::arg("is_bootstrap"),
               nb::arg("n_draws"), nb::arg("groups").none().noconvert(),
               nb::arg("weights").none().noconvert(), nb::arg("n_threads"),
               "Tree x column: by how much the loss out of the bag grows when a column is shuffled.");
}

}  // namespace heldout::bind
