#include "forest/bag.hpp"
#include "forest/grow.hpp"
#include "forest_arrays.hpp"
#include "problem_arrays.hpp"
#include "rooms.hpp"

namespace heldout::bind {
namespace {

std::vector<Arrays> grow(const std::vector<ColumnArrays>& columns,
                         const std::optional<In<std::uint32_t>>& rows,
                         const std::optional<In<std::uint32_t>>& classes, std::size_t n_classes,
                         const std::optional<In<double>>& targets, const std::optional<In<double>>& weights,
                         const std::string& criterion, const std::string& categorical_splits,
                         std::int64_t max_depth, const std::vector<double>& min_leafs, double min_gain,
                         std::size_t max_features, std::uint64_t seed, bool is_bootstrap, std::size_t n_draws,
                         const std::optional<In<std::uint32_t>>& groups, std::uint64_t first_tree,
                         std::size_t n_trees, std::size_t n_threads) {
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

}  // namespace

void bind_forest(nb::module_& module) {
    module.def("grow_forests", &grow, nb::arg("columns"), nb::arg("rows").none().noconvert(),
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
}

}  // namespace heldout::bind
