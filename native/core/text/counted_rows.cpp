#include "text/counted_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/log2.hpp"
#include "base/require.hpp"
#include "text/word_table.hpp"

namespace heldout {
namespace {

constexpr std::size_t kDigits = 256;
constexpr std::size_t kRadixFrom = 64;

// Sorts columns, none of which is negative, in the same memory row after row.
class ColumnSorter {
  public:
    void sort(std::vector<std::uint32_t>& columns) {
        if (columns.size() < kRadixFrom) {
            std::sort(columns.begin(), columns.end());
            return;
        }
        std::uint32_t all = 0;
        for (const auto column : columns) all |= column;
        buffer_.resize(columns.size());
        for (unsigned shift = 0; shift < 32 && all >> shift != 0; shift += 8) {
            std::array<std::uint32_t, kDigits> offset_of{};
            for (const auto column : columns) ++offset_of[column >> shift & (kDigits - 1)];
            std::uint32_t start = 0;
            for (auto& offset : offset_of) start += std::exchange(offset, start);
            for (const auto column : columns) buffer_[offset_of[column >> shift & (kDigits - 1)]++] = column;
            columns.swap(buffer_);
        }
    }

  private:
    std::vector<std::uint32_t> buffer_;
};

double weigh_count(std::size_t count, const Weighing& weighing) {
    if (weighing.is_binary) return 1;
    const auto number = static_cast<double>(count);
    return weighing.is_log ? log2_of(number + 1) : number;
}

// Appends each distinct column and what its count becomes.
void add_row(std::span<const std::uint32_t> sorted, const Weighing& weighing, CountedRows& rows) {
    for (std::size_t at = 0, next = 0; at < sorted.size(); at = next) {
        for (next = at + 1; next < sorted.size() && sorted[next] == sorted[at];) ++next;
        rows.columns.push_back(static_cast<std::int32_t>(sorted[at]));
        rows.values.push_back(weigh_count(next - at, weighing));
    }
}

void make_unit_length(std::span<double> row) {
    double squares = 0;
    for (const double value : row) squares += value * value;
    if (squares == 0) return;
    const double length = std::sqrt(squares);
    for (double& value : row) value /= length;
}

}  // namespace

CountedRows fill_rows(std::span<const TermColumns> lengths, std::span<const std::size_t> ends,
                      const Weighing& weighing) {
    require(!ends.empty(), "documents need an end for each, and a begin");
    for (const auto& length : lengths)
        require(length.terms.size() == ends.back(), "every stream has as many places as there are words");
    CountedRows rows;
    rows.ends.reserve(ends.size());
    // As many as there can be; what is not written takes no memory.
    rows.values.reserve(lengths.size() * ends.back());
    rows.columns.reserve(lengths.size() * ends.back());
    ColumnSorter sorter;
    std::vector<std::uint32_t> columns;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
        columns.clear();
        for (const auto& length : lengths)
            for (std::size_t at = ends[i]; at < ends[i + 1]; ++at) {
                const std::uint32_t term = length.terms[at];
                const std::int32_t column = term == kNoTerm ? -1 : length.column_of[term];
                if (column >= 0) columns.push_back(static_cast<std::uint32_t>(column));
            }
        require(columns.size() < kNoTerm, "a document is too long: at most 2^32 - 2 words");
        sorter.sort(columns);
        const std::size_t begin = rows.values.size();
        add_row(columns, weighing, rows);
        if (weighing.is_unit_length) make_unit_length(std::span(rows.values).subspan(begin));
        rows.ends.push_back(static_cast<std::int64_t>(rows.values.size()));
    }
    return rows;
}

}  // namespace heldout
