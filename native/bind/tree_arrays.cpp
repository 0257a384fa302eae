#include "tree_arrays.hpp"

#include "base/require.hpp"

namespace heldout::bind {
namespace {

CodeView view_codes(const AnyCodes& codes, std::uint32_t n_codes) {
    const auto n = codes.size();
    if (codes.dtype() == nb::dtype<std::uint8_t>())
        return {std::span(static_cast<const std::uint8_t*>(codes.data()), n), n_codes};
    if (codes.dtype() == nb::dtype<std::uint16_t>())
        return {std::span(static_cast<const std::uint16_t*>(codes.data()), n), n_codes};
    require(codes.dtype() == nb::dtype<std::uint32_t>(), "codes must be uint8, uint16 or uint32");
    return {std::span(static_cast<const std::uint32_t*>(codes.data()), n), n_codes};
}

TreeColumn view_column(const ColumnArrays& arrays) {
    const auto& [codes, n_codes, numbers, distinct] = arrays;
    TreeColumn column{view_codes(codes, n_codes)};
    if (!numbers && !distinct) return column;
    require(!numbers || !distinct, "a column has either its numbers or the distinct ones");
    const Strided& given = numbers ? *numbers : *distinct;
    require(given.size() == (numbers ? codes.size() : n_codes),
            "a column's numbers and codes differ in length");
    // A column without a known value has no number to point to, and none is read.
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

template <class T>
In<T> array_named(const Arrays& arrays, const char* name) {
    return nb::cast<In<T>>(arrays[name], false);
}

template <class T, class Member>
void take_member(const Arrays& arrays, const char* name, Tree& tree, Member member) {
    const auto column = array_named<T>(arrays, name);
    require(column.size() == tree.nodes.size(), "the arrays of a tree differ in length");
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
        tree.nodes[i].*member =
            static_cast<std::remove_reference_t<decltype(tree.nodes[i].*member)>>(column.data()[i]);
}

}  // namespace

Criterion criterion_named(const std::string& name) {
    return named<Criterion>({{"gain_ratio", Criterion::kGainRatio},
                             {"entropy", Criterion::kEntropy},
                             {"gini", Criterion::kGini},
                             {"error", Criterion::kError},
                             {"squared_error", Criterion::kSquaredError}},
                            name);
}

LevelSplits level_splits_named(const std::string& name) {
    return named<LevelSplits>({{"multiway", LevelSplits::kMultiway},
                               {"subset", LevelSplits::kSubset},
                               {"one_vs_rest", LevelSplits::kOneVsRest}},
                              name);
}

Problem view_problem(const std::vector<ColumnArrays>& columns, const std::optional<In<std::uint32_t>>& rows,
                     const std::optional<In<std::uint32_t>>& classes, std::size_t n_classes,
                     const std::optional<In<double>>& weights) {
    require(!rows || rows->size() > 0, "at least one row is needed");
    Problem problem;
    for (const auto& column : columns) problem.columns.push_back(view_column(column));
    problem.rows = view(rows);
    problem.classes = view(classes);
    problem.n_classes = n_classes;
    problem.weights = view(weights);
    problem.n_rows = rows ? rows->size() : (columns.empty() ? 0 : std::get<0>(columns.front()).size());
    return problem;
}

Rows view_rows(const Matrix<double>& numbers, const In<std::int32_t>& number_of,
               const Matrix<std::int32_t>& levels) {
    require(numbers.shape(0) == levels.shape(0), "numbers and levels differ in rows");
    return {numbers.data(),   numbers.stride(0), numbers.stride(1), numbers.shape(1), levels.data(),
            levels.stride(0), levels.stride(1),  levels.shape(1),   numbers.shape(0), view(number_of)};
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

Tree take_tree(const Arrays& arrays) {
    Tree tree;
    tree.nodes.resize(array_named<std::int32_t>(arrays, "feature").size());
    take_member<std::int32_t>(arrays, "feature", tree, &Node::feature);
    take_member<std::uint8_t>(arrays, "split_kind", tree, &Node::kind);
    take_member<double>(arrays, "threshold", tree, &Node::threshold);
    take_member<double>(arrays, "gap_below", tree, &Node::gap_below);
    take_member<double>(arrays, "gap_above", tree, &Node::gap_above);
    take_member<std::int32_t>(arrays, "first_child", tree, &Node::first_child);
    take_member<std::int32_t>(arrays, "n_children", tree, &Node::n_children);
    take_member<std::int32_t>(arrays, "default_child", tree, &Node::default_child);
    take_member<std::int32_t>(arrays, "branch_level", tree, &Node::branch_level);
    take_member<std::int32_t>(arrays, "set_begin", tree, &Node::set_begin);
    take_member<std::int32_t>(arrays, "set_end", tree, &Node::set_end);
    take_member<std::int32_t>(arrays, "parent", tree, &Node::parent);
    take_member<std::int64_t>(arrays, "n_rows", tree, &Node::n_rows);
    take_member<double>(arrays, "weight", tree, &Node::weight);
    take_member<double>(arrays, "impurity", tree, &Node::impurity);
    take_member<double>(arrays, "gain", tree, &Node::gain);
    const auto set_levels = array_named<std::int32_t>(arrays, "set_levels");
    tree.set_levels.assign(set_levels.data(), set_levels.data() + set_levels.size());
    const auto values = nb::cast<nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>>(
        arrays["value"], false);
    require(values.shape(0) == tree.nodes.size(), "values and nodes differ in number");
    tree.n_outputs = values.shape(1);
    tree.values.assign(values.data(), values.data() + values.size());
    return tree;
}

}  // namespace heldout::bind
