#include "tree/presort.hpp"

#include <algorithm>
#include <utility>

namespace heldout {

template <class Word>
Orders<Word>::Orders(const Problem& problem, Team& team)
    : layout_(problem.n_rows),
      n_rows_(problem.n_rows),
      index_of_column_(problem.columns.size()),
      has_missing_(problem.columns.size()) {
    bool has_categories = false;
    for (std::size_t column = 0; column < problem.columns.size(); ++column) {
        if (problem.columns[column].is_category())
            has_categories = true;
        else
            index_of_column_[column] = n_orders_++;
    }
    const std::size_t row_list = n_orders_;
    if (has_categories) ++n_orders_;
    words_.resize(n_orders_ * n_rows_);
    for (std::size_t column = 0; column < problem.columns.size(); ++column)
        if (problem.columns[column].is_category()) index_of_column_[column] = row_list;
    if (has_categories) list_rows(problem);
    team.run(problem.columns.size(), [&](std::size_t column, std::size_t) { sort_column(problem, column); });
}

template <class Word>
void Orders<Word>::list_rows(const Problem& problem) {
    Word* words = order(n_orders_ - 1);
    for (std::size_t row = 0; row < n_rows_; ++row)
        words[row] = layout_.pack(row, problem.is_regression() ? 0 : problem.classes[row]);
}

// A counting sort by code: rows of one value stay in their own order, the missing code comes last.
template <class Word>
void Orders<Word>::sort_column(const Problem& problem, std::size_t column) {
    const TreeColumn& source = problem.columns[column];
    source.codes.visit([&](const auto& codes) {
        std::vector<std::uint32_t> ends(source.codes.n_codes() + std::size_t{1});
        for (std::size_t row = 0; row < n_rows_; ++row) ++ends[codes[problem.table_row(row)]];
        has_missing_[column] = ends[source.codes.missing()] > 0;
        if (source.is_category()) return;
        const bool is_permutation = ends.size() == n_rows_ + 1 &&
                                    std::all_of(ends.begin(), ends.end() - 1, [](auto n) { return n == 1; });
        std::uint32_t start = 0;
        for (auto& end : ends) start += std::exchange(end, start);
        Word* words = order(index_of_column_[column]);
        if (problem.rows.empty() && is_permutation) {
            for (std::size_t row = 0; row < n_rows_; ++row)
                words[codes[row]] = layout_.pack(row, problem.is_regression() ? 0 : problem.classes[row]) |
                                    WordLayout<Word>::kStartsValue;
            return;
        }
        for (std::size_t row = 0; row < n_rows_; ++row)
            words[ends[codes[problem.table_row(row)]]++] =
                layout_.pack(row, problem.is_regression() ? 0 : problem.classes[row]);
        start = 0;
        for (const auto end : ends) {
            if (end > start) words[start] |= WordLayout<Word>::kStartsValue;
            start = end;
        }
    });
}

template class Orders<std::uint32_t>;
template class Orders<std::uint64_t>;

}  // namespace heldout
