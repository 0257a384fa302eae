#pragma once

#include <limits>
#include <vector>

#include "base/team.hpp"
#include "neighbors/box_gap.hpp"
#include "neighbors/exact_distance.hpp"

namespace heldout {

// Rows in boxes, boxes in larger boxes. The rows are put in an order in which those of a box stand together,
// and every box begins at a multiple of kLeafRows, so that the panels of a scan fit the boxes.
template <class T>
class BoxTree {
  public:
    static constexpr std::size_t kLeafRows = 32;

    // A tree of the given rows, which must be finite numbers.
    BoxTree(const RowsView<T>& rows, const SearchOptions& search, std::vector<std::uint32_t> order);

    struct Node {
        std::uint32_t begin, end;  // positions in the order
        std::uint32_t right = 0;   // the left child comes next; a leaf has no right one
        std::uint32_t column = 0;
        T cut{};  // rows of the left child are not above it
    };

    const std::vector<std::uint32_t>& order() const { return order_; }

    // Where a row would stand: the first position of the leaf that the cuts lead to.
    std::size_t position_of(const T* row) const;

    // Goes through the leaves, the nearer ones first, and leaves out those in which nothing can be as near
    // as visitor.limit() to anything in the box of some queries. Every leaf that is not left out is given to
    // visitor.visit(begin, end). `centre` decides where two boxes are equally near.
    template <class Visitor>
    void go_through(const T* low, const T* high, const T* centre, Visitor& visitor) const {
        descend(0, low, high, centre, visitor);
    }

  private:
    std::size_t grow(std::uint32_t begin, std::uint32_t end);
    std::uint32_t widest_column(std::uint32_t begin, std::uint32_t end) const;
    void bound(std::size_t node);
    const T* low_of(std::size_t node) const { return boxes_.data() + 2 * node * rows_.n_columns; }
    const T* high_of(std::size_t node) const { return low_of(node) + rows_.n_columns; }
    template <class Visitor>
    void descend(std::size_t node, const T* low, const T* high, const T* centre, Visitor& visitor) const;
    double distance_from(const T* low, const T* high, std::size_t node) const;

    RowsView<T> rows_;
    SearchOptions search_;
    GapKernel<T> gap_;
    double kept_share_ = 0.0;
    std::vector<std::uint32_t> order_;
    std::vector<Node> nodes_;
    std::vector<T> boxes_;
    std::vector<std::pair<T, std::uint32_t>> keys_;
};

// Every term of a gap is at most the term of any two rows in the boxes, and rounding keeps that order; only
// the order in which the terms are added differs, which the kept share allows for.
template <class T>
double BoxTree<T>::distance_from(const T* low, const T* high, std::size_t node) const {
    const double gap =
        gap_(rows_.n_columns, search_.column_weights.data(), low, high, low_of(node), high_of(node));
    return gap <= std::numeric_limits<double>::max() ? gap * kept_share_ : 0.0;
}

template <class T>
template <class Visitor>
void BoxTree<T>::descend(std::size_t node, const T* low, const T* high, const T* centre,
                         Visitor& visitor) const {
    if (nodes_[node].right == 0) return visitor.visit(nodes_[node].begin, nodes_[node].end);
    const std::size_t left = node + 1, right = nodes_[node].right;
    const double to_left = distance_from(low, high, left), to_right = distance_from(low, high, right);
    const bool goes_left =
        to_left == to_right ? centre[nodes_[node].column] <= nodes_[node].cut : to_left < to_right;
    const double nearer = goes_left ? to_left : to_right, farther = goes_left ? to_right : to_left;
    if (!(nearer > visitor.limit())) descend(goes_left ? left : right, low, high, centre, visitor);
    if (!(farther > visitor.limit())) descend(goes_left ? right : left, low, high, centre, visitor);
}

extern template class BoxTree<float>;
extern template class BoxTree<double>;

// Whether boxes can serve: the metric grows with every column, and all numbers are finite.
template <class T>
bool can_use_boxes(const SearchTask<T>& task);

// Whether boxes promise to be faster than a scan of everything. A few queries try it on a sample of the
// references; the same data give the same decision.
template <class T>
bool boxes_promise(const SearchTask<T>& task);

// Finds the neighbors of some queries with a tree of boxes. Queries that lie near each other go through it
// together.
template <class T>
void scan_boxes(const SearchTask<T>& task, Team& team);

}  // namespace heldout
