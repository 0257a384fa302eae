#include "problem_arrays.hpp"
#include "rooms.hpp"
#include "tree/cut_tree.hpp"
#include "tree/fall.hpp"
#include "tree/pessimistic.hpp"
#include "tree/reduced_error.hpp"
#include "tree/weakest_links.hpp"
#include "tree_arrays.hpp"

namespace heldout::bind {
namespace {

nb::ndarray<nb::numpy, double> links(const Arrays& arrays, const In<double>& costs) {
    const Tree tree = take_tree(arrays);
    std::vector<double> alphas;
    {
        nb::gil_scoped_release release;
        alphas = weakest_links(tree, view(costs));
    }
    return give(std::move(alphas));
}

nb::ndarray<nb::numpy, std::uint8_t> by_error(const Arrays& arrays, const In<double>& costs, bool best_first,
                                              bool prune_ties) {
    const Tree tree = take_tree(arrays);
    std::vector<std::uint8_t> is_cut;
    {
        nb::gil_scoped_release release;
        is_cut = reduced_error(tree, view(costs), best_first, prune_ties);
    }
    return give(std::move(is_cut));
}

Arrays cut_branches(const Arrays& arrays, const In<std::uint8_t>& is_cut) {
    const Tree tree = take_tree(arrays);
    Tree smaller;
    {
        nb::gil_scoped_release release;
        smaller = cut_tree(tree, view(is_cut));
    }
    return give_tree(std::move(smaller));
}

nb::ndarray<nb::numpy, double> losses(const Arrays& arrays, const Matrix<double>& numbers,
                                      const In<std::int32_t>& number_of, const Matrix<std::int32_t>& levels,
                                      bool splits_unknown, const std::optional<In<std::uint32_t>>& classes,
                                      const std::optional<In<double>>& targets,
                                      const std::optional<In<double>>& weights) {
    const Tree tree = take_tree(arrays);
    const Rows rows = view_rows(numbers, number_of, levels);
    std::vector<double> lost;
    {
        nb::gil_scoped_release release;
        lost = node_losses(tree, rows, splits_unknown, view(classes), view(targets), view(weights));
    }
    return give(std::move(lost));
}

std::vector<Arrays> pessimistic(const std::vector<ColumnArrays>& columns,
                                const std::optional<In<std::uint32_t>>& rows,
                                const std::optional<In<std::uint32_t>>& classes, std::size_t n_classes,
                                const std::optional<In<double>>& weights, const Arrays& arrays,
                                const std::string& criterion, const std::vector<double>& confidences,
                                const std::vector<double>& deviates, bool raise_subtrees,
                                bool splits_unknown) {
    require(confidences.size() == deviates.size(), "confidences and deviates differ in number");
    Problem problem = view_problem(columns, rows, classes, n_classes, weights);
    problem.options.criterion = criterion_named(criterion);
    const Tree tree = take_tree(arrays);
    std::vector<PessimisticOptions> settings;
    for (std::size_t i = 0; i < confidences.size(); ++i)
        settings.push_back({confidences[i], deviates[i], raise_subtrees, splits_unknown});
    std::vector<Tree> pruned;
    {
        nb::gil_scoped_release release;
        pruned = prune_pessimistic(problem, tree, settings);
    }
    std::vector<Arrays> given;
    for (auto& one : pruned) given.push_back(give_tree(std::move(one)));
    return given;
}

}  // namespace

void bind_prune(nb::module_& module) {
    module.def("weakest_links", &links, nb::arg("tree"), nb::arg("costs"),
               "For each split the smallest alpha at which cost-complexity pruning makes it a leaf.");
    module.def("reduced_error", &by_error, nb::arg("tree"), nb::arg("costs"), nb::arg("best_first"),
               nb::arg("prune_ties"), "Which splits become leaves, given what each node loses as a leaf.");
    module.def("cut_tree", &cut_branches, nb::arg("tree"), nb::arg("is_cut"),
               "The tree in which the marked nodes are leaves.");
    module.def("node_losses", &losses, nb::arg("tree"), nb::arg("numbers"), nb::arg("number_of"),
               nb::arg("levels"), nb::arg("splits_unknown"), nb::arg("classes").none().noconvert(),
               nb::arg("targets").none().noconvert(), nb::arg("weights").none().noconvert(),
               "What each node would lose as a leaf on the rows that come to it.");
    module.def("prune_pessimistic", &pessimistic, nb::arg("columns"), nb::arg("rows").none().noconvert(),
               nb::arg("classes").none().noconvert(), nb::arg("n_classes"),
               nb::arg("weights").none().noconvert(), nb::arg("tree"), nb::arg("criterion"),
               nb::arg("confidences"), nb::arg("deviates"), nb::arg("raise_subtrees"),
               nb::arg("splits_unknown"), "C4.5's pruning: collapse, replace by a leaf, raise a branch.");
}

}  // namespace heldout::bind
