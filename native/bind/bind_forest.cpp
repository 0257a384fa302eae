#include <vector>

#include "arrays.hpp"
#include "base/require.hpp"
#include "forest/bag.hpp"
#include "forest/forest.hpp"
#include "forest/grow.hpp"
#include "forest/out_of_bag.hpp"
#include "forest/predict.hpp"
#include "tree_arrays.hpp"

namespace heldout::bind {
namespace {

// The arrays of a forest in a dict, and their owners: nothing of them goes away while they are read.
struct TakenForest {
    ForestView view;
    std::vector<nb::object> owners;
};

using Values = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Python knows a kind of split as its number.
nb::ndarray<nb::numpy, std::uint8_t> give_kinds(std::vector<SplitKind>&& kinds) {
    auto* owned = new std::vector<SplitKind>(std::move(kinds));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<SplitKind>*>(p); });
    return nb::ndarray<nb::numpy, std::uint8_t>(reinterpret_cast<std::uint8_t*>(owned->data()),
                                                {owned->size()}, owner);
}

class Taker {
  public:
    explicit Taker(const Arrays& arrays) : arrays_(arrays) { taken_.owners.reserve(16); }

    template <class T>
    std::span<const T> column(const char* name) {
        return view(take<In<T>>(name));
    }

    // A matrix, whose number of columns is stored too.
    std::span<const double> matrix(const char* name, std::size_t& n_columns) {
        const auto values = take<Values>(name);
        n_columns = values.shape(1);
        return {values.data(), values.size()};
    }

    std::span<const SplitKind> kinds(const char* name) {
        const auto numbers = column<std::uint8_t>(name);
        return {reinterpret_cast<const SplitKind*>(numbers.data()), numbers.size()};
    }

    TakenForest taken_;

  private:
    template <class Array>
    Array take(const char* name) {
        taken_.owners.push_back(arrays_[name]);
        return nb::cast<Array>(taken_.owners.back(), false);
    }

    const Arrays& arrays_;
};

// A forest as a dict of arrays, without a copy of them.
Arrays give_forest(Forest&& forest) {
    Arrays arrays;
    const std::size_t n_nodes = forest.n_nodes(), n_columns = forest.n_columns;
    const std::size_t n_gains = forest.importance.empty() ? 0 : forest.n_trees();
    arrays["tree_begin"] = give(std::move(forest.tree_begin));
    arrays["feature"] = give(std::move(forest.feature));
    arrays["split_kind"] = give_kinds(std::move(forest.kind));
    arrays["threshold"] = give(std::move(forest.threshold));
    arrays["first_child"] = give(std::move(forest.first_child));
    arrays["n_children"] = give(std::move(forest.n_children));
    arrays["default_child"] = give(std::move(forest.default_child));
    arrays["branch_level"] = give(std::move(forest.branch_level));
    arrays["set_begin"] = give(std::move(forest.set_begin));
    arrays["set_end"] = give(std::move(forest.set_end));
    arrays["set_levels"] = give(std::move(forest.set_levels));
    arrays["weight"] = give(std::move(forest.weight));
    arrays["value"] = give(std::move(forest.value), {n_nodes, forest.n_outputs});
    arrays["importance"] = give(std::move(forest.importance), {n_gains, n_columns});
    return arrays;
}

// Only what the arrays are is looked at here; the core checks how they fit together.
TakenForest take_forest(const Arrays& arrays) {
    Taker taker(arrays);
    ForestView& forest = taker.taken_.view;
    forest.tree_begin = taker.column<std::int64_t>("tree_begin");
    forest.feature = taker.column<std::int32_t>("feature");
    forest.kind = taker.kinds("split_kind");
    forest.threshold = taker.column<double>("threshold");
    forest.first_child = taker.column<std::int32_t>("first_child");
    forest.n_children = taker.column<std::int32_t>("n_children");
    forest.default_child = taker.column<std::int32_t>("default_child");
    forest.branch_level = taker.column<std::int32_t>("branch_level");
    forest.set_begin = taker.column<std::int32_t>("set_begin");
    forest.set_end = taker.column<std::int32_t>("set_end");
    forest.set_levels = taker.column<std::int32_t>("set_levels");
    forest.weight = taker.column<double>("weight");
    forest.value = taker.matrix("value", forest.n_outputs);
    forest.importance = taker.matrix("importance", forest.n_columns);
    return std::move(taker.taken_);
}

std::vector<Arrays> grow_forests_from(const std::vector<ColumnArrays>& columns,
                                      const std::optional<In<std::uint32_t>>& rows,
                                      const std::optional<In<std::uint32_t>>& classes, std::size_t n_classes,
                                      const std::optional<In<double>>& targets,
                                      const std::optional<In<double>>& weights, const std::string& criterion,
                                      const std::string& categorical_splits, std::int64_t max_depth,
                                      const std::vector<double>& min_leafs, double min_gain,
                                      std::size_t max_features, std::uint64_t seed, bool is_bootstrap,
                                      std::size_t n_draws, const std::optional<In<std::uint32_t>>& groups,
                                      std::uint64_t first_tree, std::size_t n_trees, std::size_t n_threads) {
    Problem problem = view_problem(columns, rows, classes, n_classes, weights);
    problem.targets = view(targets);
    problem.options.criterion = criterion_named(criterion);
    problem.options.level_splits = level_splits_named(categorical_splits);
    problem.options.max_depth = max_depth;
    problem.options.min_gain = min_gain;
    problem.options.n_threads = n_threads;
    const ForestOptions options{
        {seed, is_bootstrap, n_draws, view(groups)}, max_features, first_tree, n_trees};
    std::vector<Forest> forests;
    {
        nb::gil_scoped_release release;
        forests = grow_forests(problem, options, min_leafs);
    }
    std::vector<Arrays> given;
    for (auto& forest : forests) given.push_back(give_forest(std::move(forest)));
    return given;
}

nb::ndarray<nb::numpy, std::uint32_t> in_bag_counts(std::uint64_t seed, bool is_bootstrap,
                                                    std::size_t n_draws,
                                                    const std::optional<In<std::uint32_t>>& groups,
                                                    std::uint64_t tree, std::size_t n_rows,
                                                    const std::optional<In<double>>& weights) {
    const BagOptions options{seed, is_bootstrap, n_draws, view(groups)};
    std::vector<std::uint32_t> counts;
    {
        nb::gil_scoped_release release;
        counts = bag_of_tree(options, tree, n_rows, view(weights));
    }
    return give(std::move(counts));
}

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

FloatArray predict_with_forest(const Arrays& arrays, const Matrix<double>& numbers,
                               const In<std::int32_t>& number_of, const Matrix<std::int32_t>& levels,
                               const std::vector<std::size_t>& prefixes, bool is_vote, bool is_regression,
                               std::size_t n_threads) {
    const TakenForest forest = take_forest(arrays);
    const Rows rows = view_rows(numbers, number_of, levels);
    const std::size_t n_outputs = forest.view.n_outputs;
    std::vector<double> predictions(prefixes.size() * rows.n_rows * n_outputs);
    {
        nb::gil_scoped_release release;
        predict_forest(forest.view, rows, {prefixes, prediction_kind(is_vote, is_regression), n_threads},
                       predictions.data());
    }
    return give(std::move(predictions), {prefixes.size(), rows.n_rows, n_outputs});
}

IntArray apply_forest_to(const Arrays& arrays, const Matrix<double>& numbers,
                         const In<std::int32_t>& number_of, const Matrix<std::int32_t>& levels,
                         std::size_t n_threads) {
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
        const OutOfBagOptions options{{seed, is_bootstrap, n_draws, view(groups)},
                                      view(weights),
                                      prediction_kind(is_vote, is_regression),
                                      n_threads};
        predict_out_of_bag(forest.view, rows, options, sums.data(), n_trees.data());
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
        permuted_losses(
            forest.view, rows, {view(classes), view(targets), view(weights)},
            {{seed, is_bootstrap, n_draws, view(groups)}, view(weights), PredictionKind::kNone, n_threads},
            losses.data());
    }
    return give(std::move(losses), {n_trees, n_columns});
}

}  // namespace

void bind_forest(nb::module_& module) {
    module.def("grow_forests", &grow_forests_from, nb::arg("columns"), nb::arg("rows").none().noconvert(),
               nb::arg("classes").none().noconvert(), nb::arg("n_classes"),
               nb::arg("targets").none().noconvert(), nb::arg("weights").none().noconvert(),
               nb::arg("criterion"), nb::arg("categorical_splits"), nb::arg("max_depth"),
               nb::arg("min_leafs"), nb::arg("min_gain"), nb::arg("max_features"), nb::arg("seed"),
               nb::arg("is_bootstrap"), nb::arg("n_draws"), nb::arg("groups").none().noconvert(),
               nb::arg("first_tree"), nb::arg("n_trees"), nb::arg("n_threads"),
               "Grows a forest for each min_leaf and gives its nodes as arrays.");
    module.def("in_bag_counts", &in_bag_counts, nb::arg("seed"), nb::arg("is_bootstrap"), nb::arg("n_draws"),
               nb::arg("groups").none().noconvert(), nb::arg("tree"), nb::arg("n_rows"),
               nb::arg("weights").none(), "How often each row is in the bag of a tree.");
    module.def("cut_forest", &cut, nb::arg("forest"), nb::arg("max_depth"),
               "The forest in which every node at this depth is a leaf.");
    module.def("predict_forest", &predict_with_forest, nb::arg("forest"), nb::arg("numbers"),
               nb::arg("number_of"), nb::arg("levels"), nb::arg("prefixes"), nb::arg("is_vote"),
               nb::arg("is_regression"), nb::arg("n_threads"),
               "What the first trees predict together: prefix x row x output.");
    module.def("apply_forest", &apply_forest_to, nb::arg("forest"), nb::arg("numbers"), nb::arg("number_of"),
               nb::arg("levels"), nb::arg("n_threads"),
               "The node in which each row ends in each tree: row x tree.");
    module.def("predict_out_of_bag", &out_of_bag, nb::arg("forest"), nb::arg("numbers"), nb::arg("number_of"),
               nb::arg("levels"), nb::arg("seed"), nb::arg("is_bootstrap"), nb::arg("n_draws"),
               nb::arg("groups").none().noconvert(), nb::arg("weights").none().noconvert(),
               nb::arg("is_vote"), nb::arg("is_regression"), nb::arg("n_threads"),
               "The sums of the predictions of the trees that did not see a row, and how many these are.");
    module.def("permuted_losses", &permuted, nb::arg("forest"), nb::arg("numbers"), nb::arg("number_of"),
               nb::arg("levels"), nb::arg("classes").none().noconvert(),
               nb::arg("targets").none().noconvert(), nb::arg("seed"), nb::arg("is_bootstrap"),
               nb::arg("n_draws"), nb::arg("groups").none().noconvert(),
               nb::arg("weights").none().noconvert(), nb::arg("n_threads"),
               "Tree x column: by how much the loss out of the bag grows when a column is shuffled.");
}

}  // namespace heldout::bind
