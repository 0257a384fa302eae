#include "forest/ground.hpp"

#include <algorithm>
#include <bit>

#include "base/team.hpp"

namespace heldout {
namespace {

constexpr unsigned kWordBits = 31;  // no word and no key has all its bits set

}  // namespace

ForestGround::ForestGround(const Problem& problem, const ForestOptions& options)
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

void ForestGround::look_at(std::size_t column) {
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
