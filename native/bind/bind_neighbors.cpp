#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "arrays.hpp"
#include "base/require.hpp"
#include "neighbors/mixed.hpp"
#include "neighbors/nearest.hpp"
#include "neighbors/neighbor_lists.hpp"
#include "neighbors/sparse.hpp"
#include "tree_arrays.hpp"

namespace heldout::bind {
namespace {

template <class T>
using RowMajor = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Neighbors = std::pair<nb::ndarray<nb::numpy, std::int32_t>, nb::ndarray<nb::numpy, double>>;

template <class T>
RowsView<T> view_matrix(const RowMajor<T>& rows) {
    return {rows.data(), rows.shape(0), rows.shape(1)};
}

Metric metric_named(const std::string& name) {
    return named<Metric>({{"l1", Metric::kL1},
                          {"l2", Metric::kL2},
                          {"linf", Metric::kLinf},
                          {"hamming", Metric::kHamming},
                          {"cosine", Metric::kCosine}},
                         name);
}

// Makes room for k neighbors of each query and lets `find` fill it without the GIL. The k is checked first:
// what is allocated must not be larger than the input allows.
template <class Find>
Neighbors fill_neighbors(std::size_t n_references, std::size_t n_queries, std::size_t k, bool leaves_own_out,
                         const Find& find) {
    require_search(n_references, n_queries, k, leaves_own_out);
    std::vector<std::int32_t> indices(n_queries * k);
    std::vector<double> distances(n_queries * k);
    {
        nb::gil_scoped_release release;
        find(NeighborArrays{indices.data(), distances.data()});
    }
    return {give(std::move(indices), {n_queries, k}), give(std::move(distances), {n_queries, k})};
}

template <class T>
Neighbors nearest(const RowMajor<T>& references, const RowMajor<T>& queries, std::size_t k,
                  const std::string& metric, bool leaves_own_out,
                  const std::optional<In<double>>& column_weights, const std::string& method,
                  std::size_t n_threads) {
    SearchOptions search;
    search.metric = metric_named(metric);
    search.k = k;
    search.leaves_own_out = leaves_own_out;
    search.column_weights = view(column_weights);
    search.method =
        named<Method>({{"auto", Method::kAuto}, {"scan", Method::kScan}, {"tree", Method::kTree}}, method);
    search.n_threads = n_threads;
    return fill_neighbors(references.shape(0), queries.shape(0), k, leaves_own_out,
                          [&](const NeighborArrays& out) {
                              find_nearest(view_matrix(references), view_matrix(queries), search, out);
                          });
}

Neighbors nearest_mixed(const RowMajor<double>& reference_numbers,
                        const RowMajor<std::int32_t>& reference_levels, const RowMajor<double>& query_numbers,
                        const RowMajor<std::int32_t>& query_levels, const In<double>& ranges,
                        const In<double>& number_weights, const In<double>& level_weights, std::size_t k,
                        bool leaves_own_out, std::size_t n_threads) {
    const MixedRows references{view_matrix(reference_numbers), view_matrix(reference_levels)};
    const MixedRows queries{view_matrix(query_numbers), view_matrix(query_levels)};
    const MixedOptions search{view(ranges), view(number_weights), view(level_weights), k, leaves_own_out,
                              n_threads};
    return fill_neighbors(
        references.numbers.n_rows, queries.numbers.n_rows, k, leaves_own_out,
        [&](const NeighborArrays& out) { find_nearest_mixed(references, queries, search, out); });
}

Neighbors nearest_sparse(const In<std::int64_t>& reference_begin, const In<std::int32_t>& reference_columns,
                         const In<double>& reference_numbers, const In<std::int64_t>& query_begin,
                         const In<std::int32_t>& query_columns, const In<double>& query_numbers,
                         std::size_t n_columns, std::size_t k, const std::string& metric, bool leaves_own_out,
                         const std::optional<In<double>>& column_weights, std::size_t n_threads) {
    require(reference_begin.size() >= 1 && query_begin.size() >= 1, "the first row must begin at 0");
    const SparseRowsView references{view(reference_begin), view(reference_columns), view(reference_numbers),
                                    n_columns};
    const SparseRowsView queries{view(query_begin), view(query_columns), view(query_numbers), n_columns};
    SearchOptions search;
    search.metric = metric_named(metric);
    search.k = k;
    search.leaves_own_out = leaves_own_out;
    search.column_weights = view(column_weights);
    search.n_threads = n_threads;
    return fill_neighbors(
        references.n_rows(), queries.n_rows(), k, leaves_own_out,
        [&](const NeighborArrays& out) { find_nearest_sparse(references, queries, search, out); });
}

using Listed = std::tuple<nb::ndarray<nb::numpy, std::int32_t>, nb::ndarray<nb::numpy, double>,
                          nb::ndarray<nb::numpy, std::uint8_t>>;

Listed nearest_listed(const RowMajor<std::int32_t>& positions, const RowMajor<double>& distances,
                      const In<std::int32_t>& index_of, const In<std::int64_t>& queries, std::size_t k) {
    const NeighborTable table{
        {positions.data(), positions.size()}, {distances.data(), distances.size()}, positions.shape(1)};
    require(k <= table.depth, "k must not exceed the length of the lists");
    const std::size_t n_queries = queries.size();
    std::vector<std::int32_t> indices(n_queries * k);
    std::vector<double> lengths(n_queries * k);
    std::vector<std::uint8_t> is_short(n_queries);
    {
        nb::gil_scoped_release release;
        find_listed(table, view(index_of), view(queries), k, NeighborArrays{indices.data(), lengths.data()},
                    is_short);
    }
    return {give(std::move(indices), {n_queries, k}), give(std::move(lengths), {n_queries, k}),
            give(std::move(is_short))};
}

template <class T>
void bind_nearest(nb::module_& module, const char* name) {
    module.def(name, &nearest<T>, nb::arg("references").noconvert(), nb::arg("queries").noconvert(),
               nb::arg("k"), nb::arg("metric"), nb::arg("leaves_own_out"),
               nb::arg("column_weights").none().noconvert(), nb::arg("method"), nb::arg("n_threads"),
               "The k nearest references of every query, and how far they are.");
}

}  // namespace

void bind_neighbors(nb::module_& module) {
    bind_nearest<float>(module, "nearest_single");
    bind_nearest<double>(module, "nearest_double");
    module.def("nearest_mixed", &nearest_mixed, nb::arg("reference_numbers").noconvert(),
               nb::arg("reference_levels").noconvert(), nb::arg("query_numbers").noconvert(),
               nb::arg("query_levels").noconvert(), nb::arg("ranges").noconvert(),
               nb::arg("number_weights").noconvert(), nb::arg("level_weights").noconvert(), nb::arg("k"),
               nb::arg("leaves_own_out"), nb::arg("n_threads"),
               "The k nearest references of every query by Gower's distance.");
    module.def("nearest_sparse", &nearest_sparse, nb::arg("reference_begin").noconvert(),
               nb::arg("reference_columns").noconvert(), nb::arg("reference_numbers").noconvert(),
               nb::arg("query_begin").noconvert(), nb::arg("query_columns").noconvert(),
               nb::arg("query_numbers").noconvert(), nb::arg("n_columns"), nb::arg("k"), nb::arg("metric"),
               nb::arg("leaves_own_out"), nb::arg("column_weights").none().noconvert(), nb::arg("n_threads"),
               "The k nearest references of every query, of rows with few columns stored.");
    module.def("nearest_listed", &nearest_listed, nb::arg("positions").noconvert(),
               nb::arg("distances").noconvert(), nb::arg("index_of").noconvert(),
               nb::arg("queries").noconvert(), nb::arg("k"),
               "The k nearest members of every query, by lists of the neighbors of all rows.");
}

}  // namespace heldout::bind
