#include "forest/bins.hpp"

namespace heldout {
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

}  // namespace heldout
