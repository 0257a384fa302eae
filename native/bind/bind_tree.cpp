#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <optional>
#include <string>

#include "arrays.hpp"
#include "base/require.hpp"
#include "rooms.hpp"
#include "tree/apply.hpp"
#include "tree/grow.hpp"

namespace heldout::bind {
namespace {

using Arrays = nb::typed<nb::dict, nb::str, nb::ndarray<nb::numpy>>;
using Strided = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;
using AnyCodes = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Choice>
Choice named(const std::map<std::string, Choice>& choices, const std::string& name) {
    const auto found = choices.find(name);
    require(found != choices.end(), "an option has a value that the core does not know");
    return found->second;
}

GrowOptions make_options(const std::string& criterion, const std::string& categorical_splits,
                         bool average_gain, std::int64_t max_depth, double min_leaf, double min_gain,
                         std::int64_t max_leaves, const std::string& cost_rule, double cost_exponent,
                         std::size_t n_threads) {
    GrowOptions options;
    options.criterion = named<Criterion>({{"gain_ratio", Criterion::kGainRatio},
                                          {"entropy", Criterion::kEntropy},
                                          {"gini", Criterion::kGini},
                                          {"error", Criterion::kError},
                                          {"squared_error", Criterion::kSquaredError}},
                                         criterion);
    options.level_splits = named<LevelSplits>({{"multiway", LevelSplits::kMultiway},
                                               {"subset", LevelSplits::kSubset},
                                               {"one_vs_rest", LevelSplits::kOneVsRest}},
                                              categorical_splits);
    options.cost_rule = named<CostRule>(
        {{"none", CostRule::kNone}, {"tan_schlimmer", CostRule::kTanSchlimmer}, {"nunez", CostRule::kNunez}},
        cost_rule);
    options.average_gain = average_gain;
    options.max_depth = max_depth;
    options.min_leaf = min_leaf;
    options.min_gain = min_gain;
    options.max_leaves = max_leaves;
    options.cost_exponent = cost_exponent;
    options.n_threads = n_threads;
    return options;
}

CodeView view_codes(const AnyCodes& codes, std::uint32_t n_codes) {
    const auto n = codes.size();
    if (codes.dtype() == nb::dtype<std::uint8_t>())
        return {std::span(static_cast<const std::uint8_t*>(codes.data()), n), n_codes};
    if (codes.dtype() == nb::dtype<std::uint16_t>())
        return {std::span(static_cast<const std::uint16_t*>(codes.data()), n), n_codes};
    require(codes.dtype() == nb::dtype<std::uint32_t>(), "codes must be uint8, uint16 or uint32");
    return {std::span(static_cast<const std::uint32_t*>(codes.data()), n), n_codes};
}

TreeColumn view_column(const AnyCodes& codes, std::uint32_t n_codes, const std::optional<Strided>& numbers,
                       const std::optional<Strided>& distinct) {
    TreeColumn column{view_codes(codes, n_codes)};
    if (!numbers && !distinct) return column;
    require(!numbers || !distinct, "a column has either its numbers or the distinct ones");
    const Strided& given = numbers ? *numbers : *distinct;
    require(given.size() == (numbers ? codes.size() : n_codes),
            "a column's numbers and codes differ in length");
    // A column without a known value has no number to point to, and none is asked for.
    static constexpr double kNoNumber = 0;
    column.numbers = given.size() > 0 ? given.data() : &kNoNumber;
    column.stride = given.stride(0);
    column.is_by_code = !numbers;
    return column;
}

template <class T, class Member>
nb::ndarray<nb::numpy, T> give_member(const Tree& tree, Member member) {
    std::vector<T> column(tree.nodes.size());
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = static_cast<T>(tree.nodes[i].*member);
    return give(std::move(column));
}

Arrays give_tree(Tree&& tree) {
    Arrays arrays;
    arrays["feature"] = give_member<std::int32_t>(tree, &Node::feature);
    arrays["split_kind"] = give_member<std::uint8_t>(tree, &Node::kind);
    arrays["threshold"] = give_member<double>(tree, &Node::threshold);
    arrays["gap_below"] = give_member<double>(tree, &Node::gap_below);
    arrays["gap_above"] = give_member<double>(tree, &Node::gap_above);
    arrays["first_child"] = give_member<std::int32_t>(tree, &Node::first_child);
    arrays["n_children"] = give_member<std::int32_t>(tree, &Node::n_children);
    arrays["default_child"] = give_member<std::int32_t>(tree, &Node::default_child);
    arrays["branch_level"] = give_member<std::int32_t>(tree, &Node::branch_level);
    arrays["set_begin"] = give_member<std::int32_t>(tree, &Node::set_begin);
    arrays["set_end"] = give_member<std::int32_t>(tree, &Node::set_end);
    arrays["parent"] = give_member<std::int32_t>(tree, &Node::parent);
    arrays["n_rows"] = give_member<std::int64_t>(tree, &Node::n_rows);
    arrays["weight"] = give_member<double>(tree, &Node::weight);
    arrays["impurity"] = give_member<double>(tree, &Node::impurity);
    arrays["gain"] = give_member<double>(tree, &Node::gain);
    const std::size_t n_nodes = tree.nodes.size(), n_outputs = tree.n_outputs;
    arrays["set_levels"] = give(std::move(tree.set_levels));
    arrays["value"] = give(std::move(tree.values), {n_nodes, n_outputs});
    return arrays;
}

Arrays grow(const std::vector<AnyCodes>& codes, const std::vector<std::uint32_t>& n_codes,
            const std::vector<std::optional<Strided>>& numbers,
            const std::vector<std::optional<Strided>>& distinct, const std::optional<In<std::uint32_t>>& rows,
            const std::optional<In<std::uint32_t>>& classes, std::size_t n_classes,
            const std::optional<In<double>>& targets, const std::optional<In<double>>& weights,
            const std::optional<In<double>>& costs, const GrowOptions& options) {
    require(
        codes.size() == n_codes.size() && codes.size() == numbers.size() && codes.size() == distinct.size(),
        "codes, n_codes, numbers and distinct differ in number");
    require(!rows || rows->size() > 0, "at least one row is needed");
    Problem problem;
    for (std::size_t i = 0; i < codes.size(); ++i)
        problem.columns.push_back(view_column(codes[i], n_codes[i], numbers[i], distinct[i]));
    problem.rows = view(rows);
    problem.classes = view(classes);
    problem.n_classes = n_classes;
    problem.targets = view(targets);
    problem.weights = view(weights);
    problem.costs = view(costs);
    problem.options = options;
    problem.n_rows = rows ? rows->size() : (codes.empty() ? 0 : codes.front().size());
    Tree tree;
    {
        nb::gil_scoped_release release;
        tree = grow_tree(problem);
    }
    return give_tree(std::move(tree));
}

std::vector<Node> view_nodes(const In<std::int32_t>& feature, const In<std::uint8_t>& split_kind,
                             const In<double>& threshold, const In<std::int32_t>& first_child,
                             const In<std::int32_t>& n_children, const In<std::int32_t>& default_child,
                             const In<std::int32_t>& branch_level, const In<std::int32_t>& set_begin,
                             const In<std::int32_t>& set_end) {
    const std::size_t n = feature.size();
    for (const std::size_t size :
         {split_kind.size(), threshold.size(), first_child.size(), n_children.size(), default_child.size(),
          branch_level.size(), set_begin.size(), set_end.size()})
        require(size == n, "the arrays of a tree differ in length");
    std::vector<Node> nodes(n);
    for (std::size_t i = 0; i < n; ++i) {
        nodes[i].feature = feature.data()[i];
        nodes[i].kind = static_cast<SplitKind>(split_kind.data()[i]);
        nodes[i].threshold = threshold.data()[i];
        nodes[i].first_child = first_child.data()[i];
        nodes[i].n_children = n_children.data()[i];
        nodes[i].default_child = default_child.data()[i];
        nodes[i].branch_level = branch_level.data()[i];
        nodes[i].set_begin = set_begin.data()[i];
        nodes[i].set_end = set_end.data()[i];
    }
    return nodes;
}

nb::ndarray<nb::numpy, std::int32_t> apply(
    const In<std::int32_t>& feature, const In<std::uint8_t>& split_kind, const In<double>& threshold,
    const In<std::int32_t>& first_child, const In<std::int32_t>& n_children,
    const In<std::int32_t>& default_child, const In<std::int32_t>& branch_level,
    const In<std::int32_t>& set_begin, const In<std::int32_t>& set_end, const In<std::int32_t>& set_levels,
    const Matrix<double>& numbers, const In<std::int32_t>& number_of, const Matrix<std::int32_t>& levels,
    std::size_t n_threads) {
    require(numbers.shape(0) == levels.shape(0), "numbers and levels differ in rows");
    const auto nodes = view_nodes(feature, split_kind, threshold, first_child, n_children, default_child,
                                  branch_level, set_begin, set_end);
    const Rows rows{numbers.data(),   numbers.stride(0), numbers.stride(1), numbers.shape(1),
                    levels.data(),    levels.stride(0),  levels.stride(1),  levels.shape(1),
                    numbers.shape(0), view(number_of)};
    std::vector<std::int32_t> reached(rows.n_rows);
    {
        nb::gil_scoped_release release;
        apply_tree(nodes, view(set_levels), rows, n_threads, reached.data());
    }
    return give(std::move(reached));
}

}  // namespace

void bind_tree(nb::module_& module) {
    nb::class_<GrowOptions>(module, "GrowOptions", "Everything that decides how a tree grows.")
        .def(
            "__init__",
            [](GrowOptions* self, const std::string& criterion, const std::string& categorical_splits,
               bool average_gain, std::int64_t max_depth, double min_leaf, double min_gain,
               std::int64_t max_leaves, const std::string& cost_rule, double cost_exponent,
               std::size_t n_threads) {
                new (self)
                    GrowOptions(make_options(criterion, categorical_splits, average_gain, max_depth, min_leaf,
                                             min_gain, max_leaves, cost_rule, cost_exponent, n_threads));
            },
            nb::arg("criterion"), nb::arg("categorical_splits"), nb::arg("average_gain"),
            nb::arg("max_depth"), nb::arg("min_leaf"), nb::arg("min_gain"), nb::arg("max_leaves"),
            nb::arg("cost_rule"), nb::arg("cost_exponent"), nb::arg("n_threads"));
    module.def("grow_tree", &grow, nb::arg("codes"), nb::arg("n_codes"), nb::arg("numbers"),
               nb::arg("distinct"), nb::arg("rows").none().noconvert(), nb::arg("classes").none().noconvert(),
               nb::arg("n_classes"), nb::arg("targets").none().noconvert(),
               nb::arg("weights").none().noconvert(), nb::arg("costs").none().noconvert(), nb::arg("options"),
               "Grows one exact tree and gives its nodes, breadth-first, as arrays.");
    module.def("apply_tree", &apply, nb::arg("feature"), nb::arg("split_kind"), nb::arg("threshold"),
               nb::arg("first_child"), nb::arg("n_children"), nb::arg("default_child"),
               nb::arg("branch_level"), nb::arg("set_begin"), nb::arg("set_end"), nb::arg("set_levels"),
               nb::arg("numbers"), nb::arg("number_of"), nb::arg("levels"), nb::arg("n_threads"),
               "The node in which each row ends.");
}

}  // namespace heldout::bind
