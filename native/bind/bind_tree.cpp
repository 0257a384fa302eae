#include "arrays.hpp"
#include "tree/apply.hpp"
#include "tree/grow.hpp"
#include "tree/prune.hpp"
#include "tree/tree.hpp"
#include "tree_arrays.hpp"

namespace heldout::bind {
namespace {

GrowOptions make_options(const std::string& criterion, const std::string& categorical_splits,
                         bool average_gain, std::int64_t max_depth, double min_leaf, double min_gain,
                         std::int64_t max_leaves, const std::string& cost_rule, double cost_exponent,
                         const std::string& missing, const std::string& numeric_cuts, std::size_t n_threads) {
    GrowOptions options;
    options.criterion = criterion_named(criterion);
    options.level_splits = level_splits_named(categorical_splits);
    options.cost_rule = named<CostRule>(
        {{"none", CostRule::kNone}, {"tan_schlimmer", CostRule::kTanSchlimmer}, {"nunez", CostRule::kNunez}},
        cost_rule);
    options.missing =
        named<Missing>({{"node_mode", Missing::kNodeMode}, {"fractional", Missing::kFractional}}, missing);
    options.numeric_cuts =
        named<NumericCuts>({{"plain", NumericCuts::kPlain}, {"c45", NumericCuts::kC45}}, numeric_cuts);
    options.average_gain = average_gain;
    options.max_depth = max_depth;
    options.min_leaf = min_leaf;
    options.min_gain = min_gain;
    options.max_leaves = max_leaves;
    options.cost_exponent = cost_exponent;
    options.n_threads = n_threads;
    return options;
}

std::vector<Arrays> grow_from_arrays(const std::vector<ColumnArrays>& columns,
                                     const std::optional<In<std::uint32_t>>& rows,
                                     const std::optional<In<std::uint32_t>>& classes, std::size_t n_classes,
                                     const std::optional<In<double>>& targets,
                                     const std::optional<In<double>>& weights,
                                     const std::optional<In<double>>& costs, const GrowOptions& options,
                                     const std::vector<double>& min_leafs) {
    Problem problem = view_problem(columns, rows, classes, n_classes, weights);
    problem.targets = view(targets);
    problem.costs = view(costs);
    problem.options = options;
    std::vector<Tree> trees;
    {
        nb::gil_scoped_release release;
        trees = grow_trees(problem, min_leafs);
    }
    std::vector<Arrays> given;
    for (auto& tree : trees) given.push_back(give_tree(std::move(tree)));
    return given;
}

nb::ndarray<nb::numpy, std::int32_t> apply_to_rows(const Arrays& arrays, const Matrix<double>& numbers,
                                                   const In<std::int32_t>& number_of,
                                                   const Matrix<std::int32_t>& levels,
                                                   std::size_t n_threads) {
    const Tree tree = take_tree(arrays);
    const Rows rows = view_rows(numbers, number_of, levels);
    std::vector<std::int32_t> reached(rows.n_rows);
    {
        nb::gil_scoped_release release;
        apply_tree(tree, rows, n_threads, reached.data());
    }
    return give(std::move(reached));
}

nb::ndarray<nb::numpy, double> predict_rows(const Arrays& arrays, const Matrix<double>& numbers,
                                            const In<std::int32_t>& number_of,
                                            const Matrix<std::int32_t>& levels, bool splits_missing,
                                            bool is_regression, std::size_t n_threads) {
    const Tree tree = take_tree(arrays);
    const Rows rows = view_rows(numbers, number_of, levels);
    std::vector<double> predictions(rows.n_rows * tree.n_outputs);
    {
        nb::gil_scoped_release release;
        predict_tree(tree, rows, {splits_missing, is_regression, n_threads}, predictions.data());
    }
    return give(std::move(predictions), {rows.n_rows, tree.n_outputs});
}

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
        is_cut = reduced_error(tree, view(costs), {best_first, prune_ties});
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
                                      bool splits_missing, const std::optional<In<std::uint32_t>>& classes,
                                      const std::optional<In<double>>& targets,
                                      const std::optional<In<double>>& weights) {
    const Tree tree = take_tree(arrays);
    const Rows rows = view_rows(numbers, number_of, levels);
    std::vector<double> lost;
    {
        nb::gil_scoped_release release;
        lost = node_losses(tree, rows, {view(classes), view(targets), view(weights)}, splits_missing);
    }
    return give(std::move(lost));
}

std::vector<Arrays> pessimistic(const std::vector<ColumnArrays>& columns,
                                const std::optional<In<std::uint32_t>>& rows,
                                const std::optional<In<std::uint32_t>>& classes, std::size_t n_classes,
                                const std::optional<In<double>>& weights, const Arrays& arrays,
                                const std::string& criterion, const std::vector<double>& confidences,
                                const std::vector<double>& deviates, bool raise_subtrees,
                                bool splits_missing) {
    require(confidences.size() == deviates.size(), "confidences and deviates differ in number");
    Problem problem = view_problem(columns, rows, classes, n_classes, weights);
    problem.options.criterion = criterion_named(criterion);
    const Tree tree = take_tree(arrays);
    std::vector<PessimisticOptions> settings;
    for (std::size_t i = 0; i < confidences.size(); ++i)
        settings.push_back({confidences[i], deviates[i], raise_subtrees, splits_missing});
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

void bind_tree(nb::module_& module) {
    nb::class_<GrowOptions>(module, "GrowOptions", "Everything that decides how a tree grows.")
        .def(
            "__init__",
            [](GrowOptions* self, const std::string& criterion, const std::string& categorical_splits,
               bool average_gain, std::int64_t max_depth, double min_leaf, double min_gain,
               std::int64_t max_leaves, const std::string& cost_rule, double cost_exponent,
               const std::string& missing, const std::string& numeric_cuts, std::size_t n_threads) {
                new (self) GrowOptions(make_options(criterion, categorical_splits, average_gain, max_depth,
                                                    min_leaf, min_gain, max_leaves, cost_rule, cost_exponent,
                                                    missing, numeric_cuts, n_threads));
            },
            nb::arg("criterion"), nb::arg("categorical_splits"), nb::arg("average_gain"),
            nb::arg("max_depth"), nb::arg("min_leaf"), nb::arg("min_gain"), nb::arg("max_leaves"),
            nb::arg("cost_rule"), nb::arg("cost_exponent"), nb::arg("missing"), nb::arg("numeric_cuts"),
            nb::arg("n_threads"));
    module.def("grow_trees", &grow_from_arrays, nb::arg("columns"), nb::arg("rows").none().noconvert(),
               nb::arg("classes").none().noconvert(), nb::arg("n_classes"),
               nb::arg("targets").none().noconvert(), nb::arg("weights").none().noconvert(),
               nb::arg("costs").none().noconvert(), nb::arg("options"), nb::arg("min_leafs"),
               "Grows an exact tree for each min_leaf and gives its nodes, breadth-first, as arrays.");
    module.def("apply_tree", &apply_to_rows, nb::arg("tree"), nb::arg("numbers"), nb::arg("number_of"),
               nb::arg("levels"), nb::arg("n_threads"), "The node in which each row ends.");
    module.def("predict_tree", &predict_rows, nb::arg("tree"), nb::arg("numbers"), nb::arg("number_of"),
               nb::arg("levels"), nb::arg("splits_unknown"), nb::arg("is_regression"), nb::arg("n_threads"),
               "What the tree predicts for each row, rows with missing values in fragments.");
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
