#include "problem_arrays.hpp"

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
    // A column without a known value has no number to point to, and none is asked for.
    static constexpr double kNoNumber = 0;
    column.numbers = given.size() > 0 ? given.data() : &kNoNumber;
    column.stride = given.stride(0);
    column.is_by_code = !numbers;
    return column;
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

}  // namespace heldout::bind
