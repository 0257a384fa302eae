#include "ranking/placements.hpp"

#include <limits>

namespace heldout {
namespace {

// For each row of `own`: how many of `other` lie below it, and how many not above it, handed to `put`.
template <class Put>
void walk_up(std::span<const RowKey> own, std::span<const RowKey> other, Put put) {
    std::size_t n_below = 0, n_not_above = 0;
    for (const auto& record : own) {
        while (n_below < other.size() && other[n_below].key < record.key) ++n_below;
        n_not_above = std::max(n_not_above, n_below);
        while (n_not_above < other.size() && other[n_not_above].key == record.key) ++n_not_above;
        put(record.row, n_below + n_not_above);
    }
}

}  // namespace

Placements placements_of(const ScoredRows& rows, std::size_t n_threads) {
    check_rows(rows);
    std::uint64_t seen[2] = {0, 0};
    const auto record = [&](std::size_t row) {
        return RowKey{ordered_key(rows.scores[row]), seen[rows.is_positive[row] != 0]++};
    };
    const RankedClasses<RowKey> ranked(rows, record, [](std::size_t) { return true; }, n_threads);
    const auto high = ranked.positives(), low = ranked.negatives();
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    Placements found{std::vector<double>(high.size(), nothing), std::vector<double>(low.size(), nothing)};
    if (high.empty() || low.empty()) return found;
    const double of_low = 2 * static_cast<double>(low.size()), of_high = 2 * static_cast<double>(high.size());
    walk_up(high, low, [&](std::size_t place, std::size_t doubled) {
        found.of_positives[place] = static_cast<double>(doubled) / of_low;
    });
    walk_up(low, high, [&](std::size_t place, std::size_t doubled) {
        found.of_negatives[place] = static_cast<double>(2 * high.size() - doubled) / of_high;
    });
    return found;
}

}  // namespace heldout
