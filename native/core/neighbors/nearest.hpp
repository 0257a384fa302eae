#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heldout {

// Within these no product of the exact distance overflows, and none that is lost matters.
inline constexpr double kLargestNumber = 0x1p300;
inline constexpr double kSmallestNumber = 0x1p-300;
inline constexpr double kLargestWeight = 0x1p100;

enum class Metric { kL1, kL2, kLinf, kHamming, kCosine };
enum class Method { kAuto, kScan, kTree };

// Rows one after the other, each with its columns together.
template <class T>
struct RowsView {
    const T* numbers;
    std::size_t n_rows;
    std::size_t n_columns;

    const T* row(std::size_t i) const { return numbers + i * n_columns; }
};

// How the nearest references of queries are searched.
struct SearchOptions {
    Metric metric = Metric::kL2;
    std::size_t k = 1;                       // how many neighbors each query gets
    bool leaves_own_out = false;             // the queries are the references, and no row is its own neighbor
    std::span<const double> column_weights;  // empty: every column counts once
    Method method = Method::kAuto;           // changes the time that it takes, never the neighbors
    std::size_t n_threads = 1;
};

// Where the neighbors go: k entries for each query, by distance, equal ones by index.
struct NeighborArrays {
    std::int32_t* indices;
    double* distances;
};

constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

// What every search requires of its shapes.
void require_search(std::size_t n_references, std::size_t n_queries, std::size_t k, bool leaves_own_out);

// The k nearest references of every query, as ExactDistance measures. The method changes the time that it
// takes, never the neighbors.
template <class T>
void find_nearest(const RowsView<T>& references, const RowsView<T>& queries, const SearchOptions& search,
                  const NeighborArrays& out);

extern template void find_nearest(const RowsView<float>&, const RowsView<float>&, const SearchOptions&,
                                  const NeighborArrays&);
extern template void find_nearest(const RowsView<double>&, const RowsView<double>&, const SearchOptions&,
                                  const NeighborArrays&);

}  // namespace heldout
