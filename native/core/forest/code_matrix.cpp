#include "forest/code_matrix.hpp"

#include <algorithm>

namespace heldout {
namespace {

// A row of so many columns spans a few cache lines; of more, most would be fetched for nothing.
constexpr std::size_t kMostColumnsInRows = 512;
constexpr std::size_t kRowsAtOnce = 64;

std::size_t width_of(const Problem& problem) {
    std::uint32_t largest = 0;
    for (const auto& column : problem.columns) largest = std::max(largest, column.codes.missing());
    return largest <= 0xff ? 1 : largest <= 0xffff ? 2 : 4;
}

}  // namespace

CodeMatrix::CodeMatrix(const Problem& problem) : width_(width_of(problem)) {
    const std::size_t n_columns = problem.columns.size();
    const bool is_by_row = n_columns <= kMostColumnsInRows;
    row_stride_ = is_by_row ? n_columns : 1;
    column_stride_ = is_by_row ? 1 : problem.n_rows;
    bytes_.resize(problem.n_rows * n_columns * width_ + kReadAhead);
    fill(problem);
}

void CodeMatrix::fill(const Problem& problem) {
    for (std::size_t begin = 0; begin < problem.n_rows; begin += kRowsAtOnce) {
        const std::size_t end = std::min(begin + kRowsAtOnce, problem.n_rows);
        for (std::size_t column = 0; column < problem.columns.size(); ++column) {
            problem.columns[column].codes.visit([&](const auto& codes) {
                visit(column, [&](const auto* first) {
                    using Code = std::remove_const_t<std::remove_pointer_t<decltype(first)>>;
                    auto* out = const_cast<Code*>(first);
                    for (std::size_t row = begin; row < end; ++row)
                        out[row * row_stride_] = static_cast<Code>(codes[problem.table_row(row)]);
                });
            });
        }
    }
}

}  // namespace heldout
