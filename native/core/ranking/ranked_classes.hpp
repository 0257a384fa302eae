#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "base/aligned_buffer.hpp"
#include "base/require.hpp"
#include "base/team.hpp"
#include "ranking/sort_by_key.hpp"

namespace heldout {

// Maps a number that is not NaN to an unsigned integer of the same order; both zeros become one.
inline std::uint64_t ordered_key(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number + 0.0);
    const auto flipped = static_cast<std::uint64_t>(static_cast<std::int64_t>(bits) >> 63);
    return bits ^ (flipped | std::uint64_t{1} << 63);
}

inline double number_of_key(std::uint64_t key) {
    const auto flipped = static_cast<std::uint64_t>(static_cast<std::int64_t>(~key) >> 63);
    return std::bit_cast<double>(key ^ (flipped | std::uint64_t{1} << 63));
}

// Scores with the class and the weight of each row. Without weights every row counts 1.
struct ScoredRows {
    std::span<const double> scores;
    std::span<const std::uint8_t> is_positive;
    std::span<const double> weights;
};

inline void check_rows(const ScoredRows& rows) {
    require(rows.scores.size() < std::numeric_limits<std::uint32_t>::max(),
            "too many rows: at most 2^32 - 2");
    require(rows.is_positive.size() == rows.scores.size(), "each score needs a class");
    require(rows.weights.empty() || rows.weights.size() == rows.scores.size(), "each score needs a weight");
    bool has_nan = false;
    for (const double score : rows.scores) has_nan |= std::isnan(score);
    require(!has_nan, "scores must not be NaN");
    bool is_fit = true;
    for (const double weight : rows.weights) is_fit &= weight >= 0 && std::isfinite(weight);
    require(is_fit, "weights must be finite and not negative");
}

// The rows of each class by themselves, ascending by score: two short sorts of bare keys are cheaper than
// a long one in which each key carries its class.
template <class Record>
class RankedClasses {
  public:
    // `record` makes a record of a row; rows that `is_kept` does not want are left out.
    template <class Make, class Keep>
    RankedClasses(const ScoredRows& rows, Make record, Keep is_kept, std::size_t n_threads);

    std::span<const Record> positives() const { return sorted_[1]; }
    std::span<const Record> negatives() const { return sorted_[0]; }

  private:
    AlignedBuffer<Record> given_[2], scratch_[2];
    std::span<Record> sorted_[2];
};

template <class Record>
template <class Make, class Keep>
RankedClasses<Record>::RankedClasses(const ScoredRows& rows, Make record, Keep is_kept,
                                     std::size_t n_threads) {
    std::size_t n_of[2] = {0, 0};
    for (const auto flag : rows.is_positive) n_of[1] += flag != 0;
    n_of[0] = rows.is_positive.size() - n_of[1];
    // One entry more than needed: a row is written even if it is not kept.
    for (int side = 0; side < 2; ++side) given_[side] = AlignedBuffer<Record>(n_of[side] + 1);
    Record* next[2] = {given_[0].data(), given_[1].data()};
    for (std::size_t row = 0; row < rows.scores.size(); ++row) {
        Record*& position = next[rows.is_positive[row] != 0];
        *position = record(row);
        position += is_kept(row);
    }
    Team team(n_threads > 1 ? 2 : 1);
    team.run(2, [&](std::size_t side, std::size_t) {
        const std::span<Record> given{given_[side].data(), next[side]};
        scratch_[side] = AlignedBuffer<Record>(given.size());
        sorted_[side] = sort_by_key(given, {scratch_[side].data(), given.size()});
    });
}

inline RankedClasses<std::uint64_t> ranked_keys(const ScoredRows& rows, std::size_t n_threads) {
    return {rows, [&](std::size_t row) { return ordered_key(rows.scores[row]); },
            [](std::size_t) { return true; }, n_threads};
}

// Rows of weight 0 are left out.
inline RankedClasses<WeightedKey> ranked_weights(const ScoredRows& rows, std::size_t n_threads) {
    return {rows,
            [&](std::size_t row) { return WeightedKey{ordered_key(rows.scores[row]), rows.weights[row]}; },
            [&](std::size_t row) { return rows.weights[row] > 0; }, n_threads};
}

}  // namespace heldout
