#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include "arrays.hpp"
#include "base/require.hpp"
#include "ranking/bootstrap_auc.hpp"
#include "ranking/labels.hpp"
#include "ranking/roc_curve.hpp"

namespace heldout::bind {
namespace {

using Scores = In<double>;
using Flags = In<std::uint8_t>;
using Weights = std::optional<In<double>>;
using Arrays = nb::typed<nb::dict, nb::str, nb::ndarray<nb::numpy>>;

// Gives the first entries of a buffer to Python, without a copy.
nb::ndarray<nb::numpy, double> give_first(AlignedBuffer<double>&& buffer, std::size_t n) {
    auto* owned = new AlignedBuffer<double>(std::move(buffer));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<AlignedBuffer<double>*>(p); });
    return nb::ndarray<nb::numpy, double>(owned->data(), {n}, owner);
}

ScoredRows rows_of(const Scores& scores, const Flags& is_positive, const Weights& weights) {
    // An array of weights without rows is as good as none: there is nothing to weigh.
    return {view(scores), view(is_positive), view(weights)};
}

std::pair<Arrays, double> steps(const Scores& scores, const Flags& is_positive, const Weights& weights,
                                std::size_t n_threads) {
    const ScoredRows rows = rows_of(scores, is_positive, weights);
    Steps curve;
    {
        nb::gil_scoped_release release;
        curve = steps_of(rows, n_threads);
    }
    Arrays arrays;
    arrays["thresholds"] = give_first(std::move(curve.thresholds), curve.n_steps);
    arrays["positives"] = give_first(std::move(curve.positives), curve.n_steps);
    arrays["negatives"] = give_first(std::move(curve.negatives), curve.n_steps);
    return {arrays, curve.area};
}

double area(const Scores& scores, const Flags& is_positive, const Weights& weights, std::size_t n_threads) {
    const ScoredRows rows = rows_of(scores, is_positive, weights);
    nb::gil_scoped_release release;
    return area_under_curve(rows, n_threads);
}

Arrays placements(const Scores& scores, const Flags& is_positive, std::size_t n_threads) {
    const ScoredRows rows = rows_of(scores, is_positive, {});
    Placements of_classes;
    {
        nb::gil_scoped_release release;
        of_classes = placements_of(rows, n_threads);
    }
    Arrays arrays;
    arrays["of_positives"] = give(std::move(of_classes.of_positives));
    arrays["of_negatives"] = give(std::move(of_classes.of_negatives));
    return arrays;
}

nb::ndarray<nb::numpy, double> bootstrap(const Scores& scores, const Flags& is_positive,
                                         std::size_t n_resamples, std::uint64_t seed, bool is_stratified,
                                         std::size_t n_threads) {
    const ScoredRows rows = rows_of(scores, is_positive, {});
    std::vector<double> areas;
    {
        nb::gil_scoped_release release;
        areas = bootstrap_auc(rows, {n_resamples, seed, is_stratified, n_threads});
    }
    return give(std::move(areas));
}

Arrays code(const In<std::uint8_t>& bytes, std::size_t bytes_per_record) {
    const auto records = view(bytes);
    RecordCodes coded;
    {
        nb::gil_scoped_release release;
        coded = code_records(records, bytes_per_record);
    }
    Arrays arrays;
    arrays["codes"] = give(std::move(coded.codes));
    arrays["first_rows"] = give(std::move(coded.first_rows));
    return arrays;
}

// An array of whole numbers, of whatever type.
using Numbers = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Calls work with the array as a span of its type.
template <class Work>
auto by_type(const Numbers& numbers, Work work) {
    const auto dtype = numbers.dtype();
    const auto is = [&](nb::dlpack::dtype_code code, int bits) {
        return dtype.code == static_cast<std::uint8_t>(code) && dtype.bits == bits && dtype.lanes == 1;
    };
    const auto as = [&]<class T>(T) {
        return work(std::span<const T>(static_cast<const T*>(numbers.data()), numbers.size()));
    };
    using Code = nb::dlpack::dtype_code;
    if (is(Code::UInt, 8) || is(Code::Bool, 8)) return as(std::uint8_t{});
    if (is(Code::UInt, 16)) return as(std::uint16_t{});
    if (is(Code::UInt, 32)) return as(std::uint32_t{});
    if (is(Code::Int, 8)) return as(std::int8_t{});
    if (is(Code::Int, 16)) return as(std::int16_t{});
    if (is(Code::Int, 32)) return as(std::int32_t{});
    require(is(Code::Int, 64), "labels must be whole numbers of at most 64 bits, with a sign");
    return as(std::int64_t{});
}

// The least label and the counts; none where the labels do not lie close together.
std::pair<std::int64_t, nb::ndarray<nb::numpy, std::int64_t>> count_close(const Numbers& rows,
                                                                          const Numbers& columns,
                                                                          std::size_t most) {
    require(rows.dtype() == columns.dtype(), "rows and columns must be of one type");
    auto close = by_type(rows, [&]<class T>(std::span<const T> given) {
        const std::span<const T> others{static_cast<const T*>(columns.data()), columns.size()};
        nb::gil_scoped_release release;
        return count_close_pairs<T>(given, others, most);
    });
    return {close.low, give(std::move(close.counts), {close.n_labels, close.n_labels})};
}

// Where the numbers of each array begin, and how many there are.
struct Shape {
    std::int64_t row_low, column_low;
    std::size_t n_rows, n_columns;
};

// Calls work with the pairs in the type that both arrays have.
template <class Work>
auto with_pairs(const Numbers& rows, const Numbers& columns, const Shape& shape, Work work) {
    require(rows.dtype() == columns.dtype(), "rows and columns must be of one type");
    return by_type(rows, [&]<class T>(std::span<const T> given) {
        const std::span<const T> others{static_cast<const T*>(columns.data()), columns.size()};
        nb::gil_scoped_release release;
        return work(Pairs<T>{given, others, static_cast<T>(shape.row_low), static_cast<T>(shape.column_low),
                             shape.n_rows, shape.n_columns});
    });
}

nb::ndarray<nb::numpy, std::int64_t> count_pairs_of(const Numbers& rows, const Numbers& columns,
                                                    std::int64_t row_low, std::int64_t column_low,
                                                    std::size_t n_rows, std::size_t n_columns) {
    auto counts = with_pairs(rows, columns, {row_low, column_low, n_rows, n_columns},
                             [](const auto& pairs) { return count_pairs(pairs); });
    return give(std::move(counts), {n_rows, n_columns});
}

nb::ndarray<nb::numpy, double> weigh(const Numbers& rows, const Numbers& columns, std::int64_t row_low,
                                     std::int64_t column_low, std::size_t n_rows, std::size_t n_columns,
                                     const In<double>& weights) {
    auto sums = with_pairs(rows, columns, {row_low, column_low, n_rows, n_columns},
                           [&](const auto& pairs) { return weigh_pairs(pairs, view(weights)); });
    return give(std::move(sums), {n_rows, n_columns});
}

}  // namespace

void bind_ranking(nb::module_& module) {
    module.def("steps", &steps, nb::arg("scores"), nb::arg("is_positive"), nb::arg("weights").none(),
               nb::arg("n_threads"),
               "The distinct scores, descending, what lies at or above each of them, and the area.");
    module.def("area_under_curve", &area, nb::arg("scores"), nb::arg("is_positive"),
               nb::arg("weights").none(), nb::arg("n_threads"), "The share of pairs in the right order.");
    module.def("placements", &placements, nb::arg("scores"), nb::arg("is_positive"), nb::arg("n_threads"),
               "Where the rows of each class lie among those of the other.");
    module.def("bootstrap_auc", &bootstrap, nb::arg("scores"), nb::arg("is_positive"), nb::arg("n_resamples"),
               nb::arg("seed"), nb::arg("is_stratified"), nb::arg("n_threads"),
               "The area under the curve of each resample of the rows.");
    module.def("code_records", &code, nb::arg("bytes"), nb::arg("bytes_per_record"),
               "Codes of records in the order in which they appear, and where each first appears.");
    module.def("count_close_pairs", &count_close, nb::arg("rows"), nb::arg("columns"), nb::arg("most"),
               "The least label and the counts of pairs, if there are not more labels than these.");
    module.def("count_pairs", &count_pairs_of, nb::arg("rows"), nb::arg("columns"), nb::arg("row_low"),
               nb::arg("column_low"), nb::arg("n_rows"), nb::arg("n_columns"),
               "How often each pair of whole numbers occurs.");
    module.def("weigh_pairs", &weigh, nb::arg("rows"), nb::arg("columns"), nb::arg("row_low"),
               nb::arg("column_low"), nb::arg("n_rows"), nb::arg("n_columns"), nb::arg("weights"),
               "The weight of each pair of whole numbers.");
}

}  // namespace heldout::bind
