#pragma once

#include "base/aligned_buffer.hpp"
#include "base/team.hpp"
#include "neighbors/best_list.hpp"
#include "neighbors/direct_panel.hpp"
#include "neighbors/exact_distance.hpp"

namespace heldout {

// Some references side by side in panels, in a given order, to be measured exactly.
template <class T>
class DirectPanels {
  public:
    DirectPanels(const RowsView<T>& rows, std::vector<std::uint32_t> order, Team& team);

    std::size_t n_rows() const { return order_.size(); }
    std::size_t row_of(std::size_t position) const { return order_[position]; }
    const T* panel_at(std::size_t position) const { return numbers_.data() + position * n_columns_; }

  private:
    std::size_t n_columns_;
    std::vector<std::uint32_t> order_;
    AlignedBuffer<T> numbers_;
};

// The work of one thread: four queries at a time, against panels, by any metric but the cosine.
template <class T>
class DirectScan {
  public:
    // `is_ascending`: the positions are visited in the order of the rows.
    DirectScan(const SearchTask<T>& task, const DirectPanels<T>& panels, bool is_ascending);

    static constexpr std::size_t kQueries = kDirectQueries;

    void begin(std::span<const std::size_t> queries);

    // Measures the references at some positions; the first must be that of a panel.
    void visit(std::size_t begin, std::size_t end);

    // What is farther than this from every query is of no interest; NaN while everything is.
    double limit() const { return limit_; }

    void finish();

  private:
    void offer_panel(std::size_t first, std::size_t n);
    void offer(BestList& best, double distance, std::size_t row) const;
    double bound(double limit) const;

    const SearchTask<T>& task_;
    const DirectPanels<T>& panels_;
    bool is_ascending_;
    DirectKernel<T> kernel_;
    std::vector<BestList> lists_;
    std::vector<std::size_t> queries_;
    DirectQueries<T> at_once_{};
    double sums_[kDirectQueries][kDirectRows] = {};
    double limit_ = 0.0;
};

// Finds the neighbors of some queries by measuring every reference.
template <class T>
void scan_directly(const SearchTask<T>& task, const std::vector<std::size_t>& queries, Team& team);

}  // namespace heldout
