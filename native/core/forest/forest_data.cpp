#include "forest/forest_data.hpp"

#include <algorithm>
#include <bit>

#include "base/team.hpp"

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

namespace {

constexpr std::size_t kMostBins = 256;

std::vector<std::uint32_t> count_codes(const Problem& problem, std::size_t column) {
    const auto& view = problem.columns[column].codes;
    std::vector<std::uint32_t> counts(view.n_codes(), 0);
    view.visit([&](const auto& codes) {
        for (std::size_t row = 0; row < problem.n_rows; ++row) ++counts[codes[problem.table_row(row)]];
    });
    return counts;
}

// A bin ends where it has its part of the rows that are left, or where the next code alone would fill one.
std::vector<std::uint32_t> ends_of_bins(const std::vector<std::uint32_t>& counts, std::size_t n_rows) {
    std::vector<std::uint32_t> ends;
    std::size_t n_left = n_rows, n_open = 0;
    for (std::uint32_t code = 0; code < counts.size(); ++code) {
        const std::size_t n_bins_left = kMostBins - ends.size();
        const std::size_t part = n_left / n_bins_left + 1;
        n_open += counts[code];
        const bool is_last = code + 1 == counts.size();
        const bool is_next_frequent = !is_last && counts[code + 1] >= part && n_open > 0;
        if (!is_last && (n_bins_left == 1 || (n_open < part && !is_next_frequent))) continue;
        ends.push_back(code);
        n_left -= n_open;
        n_open = 0;
    }
    return ends;
}

}  // namespace

Bins bins_of_column(const Problem& problem, std::size_t column) {
    const auto& view = problem.columns[column].codes;
    Bins bins;
    if (view.n_codes() <= kMostBins) {
        for (std::uint32_t code = 0; code < view.n_codes(); ++code) bins.last_code.push_back(code);
    } else {
        bins.last_code = ends_of_bins(count_codes(problem, column), problem.n_rows);
    }
    std::vector<std::uint8_t> bin_of_code(view.n_codes());
    std::size_t bin = 0;
    for (std::uint32_t code = 0; code < view.n_codes(); ++code) {
        bin_of_code[code] = static_cast<std::uint8_t>(bin);
        bin += code == bins.last_code[bin];
    }
    bins.of_row.resize(problem.n_rows);
    view.visit([&](const auto& codes) {
        for (std::size_t row = 0; row < problem.n_rows; ++row)
            bins.of_row[row] = bin_of_code[codes[problem.table_row(row)]];
    });
    return bins;
}

namespace {

constexpr unsigned kWordBits = 31;  // no word and no key has all its bits set

}  // namespace

ForestData::ForestData(const Problem& problem, const ForestOptions& options)
    : problem_(problem),
      options_(options),
      codes_(problem),
      bins_(problem.columns.size()),
      has_missing_(problem.columns.size(), 0),
      number_of_code_(problem.columns.size()) {
    std::uint32_t most_codes = 1;
    for (const auto& column : problem.columns) most_codes = std::max(most_codes, column.codes.n_codes());
    if (!problem.is_regression()) {
        bits_.class_bits = std::max(1U, static_cast<unsigned>(std::bit_width(problem.n_classes - 1)));
        bits_.stat_bits = bits_.class_bits + WordBits::kTimesBits;
        const auto row_bits = static_cast<unsigned>(std::bit_width(problem.n_rows));
        const auto code_bits = static_cast<unsigned>(std::bit_width(most_codes));
        can_count_ = problem.weights.empty() && row_bits + bits_.stat_bits <= kWordBits &&
                     code_bits + bits_.stat_bits <= kWordBits;
    }
    Team team(problem.options.n_threads);
    team.run(problem.columns.size(), [&](std::size_t column, std::size_t) { look_at(column); });
}

void ForestData::look_at(std::size_t column) {
    const auto& source = problem_.columns[column];
    auto& number_of_code = number_of_code_[column];
    if (!source.is_category()) number_of_code.resize(source.codes.n_codes());
    const std::uint32_t missing = source.codes.missing();
    bool has_missing = false;
    source.codes.visit([&](const auto& codes) {
        for (std::size_t row = 0; row < problem_.n_rows; ++row) {
            const std::size_t table_row = problem_.table_row(row);
            const std::uint32_t code = codes[table_row];
            has_missing |= code == missing;
            if (code != missing && !source.is_category()) number_of_code[code] = source.number(table_row);
        }
    });
    has_missing_[column] = has_missing;
    if (can_count_ && !has_missing && !source.is_category()) bins_[column] = bins_of_column(problem_, column);
}

}  // namespace heldout
