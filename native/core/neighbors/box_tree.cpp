#include "neighbors/box_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heldout {
namespace {

constexpr std::size_t kSampledRows = 48;

}  // namespace

template <class T>
BoxTree<T>::BoxTree(const RowsView<T>& rows, const Search& search, std::vector<std::uint32_t> order)
    : rows_(rows),
      search_(search),
      gap_(gap_kernel<T>(search.metric, !search.column_weights.empty())),
      order_(std::move(order)) {
    const auto d = static_cast<double>(rows.n_columns);
    kept_share_ = 1 - 2 * (d + 2) * std::numeric_limits<double>::epsilon();
    keys_.resize(order_.size());
    grow(0, static_cast<std::uint32_t>(order_.size()));
    keys_ = {};
    boxes_.resize(2 * nodes_.size() * rows_.n_columns);
    for (std::size_t node = nodes_.size(); node-- > 0;) bound(node);
}

// The column in which a sample of the rows lies farthest apart, as the metric sees it.
template <class T>
std::uint32_t BoxTree<T>::widest_column(std::uint32_t begin, std::uint32_t end) const {
    const std::size_t step = std::max<std::size_t>(1, (end - begin) / kSampledRows);
    std::vector<T> low(rows_.row(order_[begin]), rows_.row(order_[begin]) + rows_.n_columns), high(low);
    for (std::size_t i = begin; i < end; i += step) {
        const T* row = rows_.row(order_[i]);
        for (std::size_t j = 0; j < rows_.n_columns; ++j) {
            low[j] = std::min(low[j], row[j]);
            high[j] = std::max(high[j], row[j]);
        }
    }
    std::uint32_t widest = 0;
    double largest = -1.0;
    for (std::size_t j = 0; j < rows_.n_columns; ++j) {
        double width = static_cast<double>(high[j]) - static_cast<double>(low[j]);
        if (!search_.column_weights.empty())
            width *= search_.metric == Metric::kL2 ? std::sqrt(search_.column_weights[j])
                                                   : search_.column_weights[j];
        if (width > largest) {
            largest = width;
            widest = static_cast<std::uint32_t>(j);
        }
    }
    return widest;
}

template <class T>
std::size_t BoxTree<T>::grow(std::uint32_t begin, std::uint32_t end) {
    const std::size_t node = nodes_.size();
    nodes_.push_back({begin, end});
    if (end - begin <= kLeafRows || rows_.n_columns == 0) return node;
    const std::uint32_t column = widest_column(begin, end);
    for (std::uint32_t i = begin; i < end; ++i) keys_[i] = {rows_.row(order_[i])[column], order_[i]};
    constexpr auto kRows = static_cast<std::uint32_t>(kLeafRows);
    const std::uint32_t n_leaves = (end - begin + kRows - 1) / kRows;
    const std::uint32_t middle = begin + (n_leaves + 1) / 2 * kRows;
    const auto at = [&](std::uint32_t i) { return keys_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(begin), at(middle - 1), at(end));
    for (std::uint32_t i = begin; i < end; ++i) order_[i] = keys_[i].second;
    nodes_[node].column = column;
    nodes_[node].cut = keys_[middle - 1].first;
    grow(begin, middle);
    const std::size_t right = grow(middle, end);
    nodes_[node].right = static_cast<std::uint32_t>(right);
    return node;
}

template <class T>
void BoxTree<T>::bound(std::size_t node) {
    T* low = boxes_.data() + 2 * node * rows_.n_columns;
    T* high = low + rows_.n_columns;
    if (nodes_[node].right != 0) {
        for (std::size_t j = 0; j < rows_.n_columns; ++j) {
            low[j] = std::min(low_of(node + 1)[j], low_of(nodes_[node].right)[j]);
            high[j] = std::max(high_of(node + 1)[j], high_of(nodes_[node].right)[j]);
        }
        return;
    }
    for (std::size_t i = nodes_[node].begin; i < nodes_[node].end; ++i) {
        const T* row = rows_.row(order_[i]);
        for (std::size_t j = 0; j < rows_.n_columns; ++j) {
            low[j] = i == nodes_[node].begin ? row[j] : std::min(low[j], row[j]);
            high[j] = i == nodes_[node].begin ? row[j] : std::max(high[j], row[j]);
        }
    }
}

template <class T>
std::size_t BoxTree<T>::place_of(const T* row) const {
    std::size_t node = 0;
    while (nodes_[node].right != 0)
        node = row[nodes_[node].column] <= nodes_[node].cut ? node + 1 : nodes_[node].right;
    return nodes_[node].begin;
}

template class BoxTree<float>;
template class BoxTree<double>;

}  // namespace heldout
