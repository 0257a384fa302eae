#include "linear/rows.hpp"

#include "base/require.hpp"

namespace heldout {

void check_rows(const DenseRows& rows) {
    require(rows.n_rows == 0 || rows.n_columns == 0 || rows.values != nullptr, "rows have no values");
}

void check_rows(const SparseRows& rows) {
    require(rows.ends.size() == rows.n_rows + 1, "a sparse matrix needs an end for each row, and a begin");
    require(rows.values.size() == rows.columns.size(), "a sparse matrix needs a column for each value");
    require(rows.ends[0] == 0, "the first row of a sparse matrix begins elsewhere than at 0");
    for (std::size_t i = 0; i < rows.n_rows; ++i)
        require(rows.ends[i] <= rows.ends[i + 1], "a row of a sparse matrix ends before it begins");
    require(static_cast<std::size_t>(rows.ends[rows.n_rows]) == rows.values.size(),
            "the last row of a sparse matrix ends elsewhere than its values");
    for (const std::int32_t column : rows.columns)
        require(column >= 0 && static_cast<std::size_t>(column) < rows.n_columns,
                "a sparse matrix names a column that is not there");
}

}  // namespace heldout
