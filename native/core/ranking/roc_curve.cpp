#include "ranking/roc_curve.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "ranking/exact_arithmetic.hpp"

namespace heldout {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

Steps empty_steps(std::size_t most) {
    return {0, AlignedBuffer<double>(most), AlignedBuffer<double>(most), AlignedBuffer<double>(most),
            kNothing};
}

// Arrays that are filled only in part are cut to what is in them.
Steps cut(Steps steps) {
    const std::size_t n = steps.n_steps;
    if (n > steps.thresholds.size() / 2) return steps;
    Steps shorter{n, AlignedBuffer<double>(n), AlignedBuffer<double>(n), AlignedBuffer<double>(n),
                  steps.area};
    std::copy_n(steps.thresholds.data(), n, shorter.thresholds.data());
    std::copy_n(steps.positives.data(), n, shorter.positives.data());
    std::copy_n(steps.negatives.data(), n, shorter.negatives.data());
    return shorter;
}

// Every row writes its step, and rows of equal score the same one: there is no branch to guess.
void walk_down(std::span<const std::uint64_t> high, std::span<const std::uint64_t> low, Steps& steps) {
    std::size_t n_high = 0, n_low = 0, step = 0;
    std::uint64_t previous = 0;  // no number has this key
    const auto put = [&](std::uint64_t key) {
        step += key != previous;
        previous = key;
        steps.thresholds.data()[step - 1] = number_of_key(key);
        steps.positives.data()[step - 1] = static_cast<double>(n_high);
        steps.negatives.data()[step - 1] = static_cast<double>(n_low);
    };
    while (n_high < high.size() && n_low < low.size()) {
        const auto a = high[high.size() - 1 - n_high], b = low[low.size() - 1 - n_low];
        const bool is_high = a >= b;
        n_high += is_high;
        n_low += !is_high;
        put(is_high ? a : b);
    }
    while (n_high < high.size()) {
        ++n_high;
        put(high[high.size() - n_high]);
    }
    while (n_low < low.size()) {
        ++n_low;
        put(low[low.size() - n_low]);
    }
    steps.n_steps = step;
}

double area_of_counts(const Steps& steps, std::size_t n_high, std::size_t n_low) {
    if (n_high == 0 || n_low == 0) return kNothing;
    std::uint64_t doubled = 0, positives = 0, negatives = 0;
    for (std::size_t step = 0; step < steps.n_steps; ++step) {
        const auto high = static_cast<std::uint64_t>(static_cast<std::int64_t>(steps.positives.data()[step]));
        const auto low = static_cast<std::uint64_t>(static_cast<std::int64_t>(steps.negatives.data()[step]));
        doubled += (low - negatives) * (high + positives);
        positives = high;
        negatives = low;
    }
    return exact_ratio(doubled, 2 * positives * negatives);
}

// Ascending, and of equal scores the negatives first.
double area_of_keys(std::span<const std::uint64_t> high, std::span<const std::uint64_t> low) {
    if (high.empty() || low.empty()) return kNothing;
    std::uint64_t doubled = 0, n_below = 0, previous = 0;
    std::size_t n_high = 0, n_low = 0;
    while (n_high < high.size() && n_low < low.size()) {
        const auto a = high[n_high], b = low[n_low];
        const bool is_high = a < b;
        const auto key = is_high ? a : b;
        n_below = key != previous ? n_low : n_below;
        previous = key;
        doubled += is_high ? n_below + n_low : 0;
        n_high += is_high;
        n_low += !is_high;
    }
    for (; n_high < high.size(); ++n_high) doubled += (high[n_high] == previous ? n_below : n_low) + n_low;
    return exact_ratio(doubled, 2 * static_cast<std::uint64_t>(high.size()) * low.size());
}

// The weights of one class, from the highest score down.
struct Descent {
    std::span<const WeightedKey> left;
    LongNumber total;
    double unit;  // weights are counted in a power of two, so that no product overflows

    LongNumber take(std::uint64_t key) {
        LongNumber taken;
        for (; !left.empty() && left.back().key == key; left = left.first(left.size() - 1))
            taken = taken + left.back().weight * unit;
        total = total + taken;
        return taken;
    }
    std::uint64_t next() const { return left.empty() ? 0 : left.back().key; }
};

// 1 unless the weights are so large or so small that products of them would not be numbers.
double unit_of(std::span<const WeightedKey> records) {
    constexpr int kModest = 300;
    double most = 0;
    for (const auto& record : records) most = std::max(most, record.weight);
    int exponent = 0;
    std::frexp(most, &exponent);
    return std::abs(exponent) <= kModest ? 1.0 : std::ldexp(1.0, -std::max(exponent, -1000));
}

// Calls `put` after each distinct score; returns the area.
template <class Put>
double walk_weights(const RankedClasses<WeightedKey>& ranked, Put put) {
    Descent high{ranked.positives(), {}, unit_of(ranked.positives())};
    Descent low{ranked.negatives(), {}, unit_of(ranked.negatives())};
    LongNumber doubled;
    while (!high.left.empty() || !low.left.empty()) {
        const auto key = std::max(high.next(), low.next());
        const LongNumber above = high.total;
        high.take(key);
        const LongNumber lost = low.take(key);
        doubled = doubled + lost * (above + high.total);
        put(key, high.total.rounded() / high.unit, low.total.rounded() / low.unit);
    }
    if (high.total.high == 0 || low.total.high == 0) return kNothing;
    const LongNumber pairs = high.total * low.total;
    return std::min(1.0, ratio(doubled, pairs + pairs));
}

}  // namespace

Steps steps_of(const ScoredRows& rows, std::size_t n_threads) {
    check_rows(rows);
    Steps steps = empty_steps(rows.scores.size());
    if (rows.weights.empty()) {
        const auto ranked = ranked_keys(rows, n_threads);
        walk_down(ranked.positives(), ranked.negatives(), steps);
        steps.area = area_of_counts(steps, ranked.positives().size(), ranked.negatives().size());
        return cut(std::move(steps));
    }
    steps.area = walk_weights(ranked_weights(rows, n_threads), [&](auto key, double high, double low) {
        steps.thresholds.data()[steps.n_steps] = number_of_key(key);
        steps.positives.data()[steps.n_steps] = high;
        steps.negatives.data()[steps.n_steps++] = low;
    });
    return cut(std::move(steps));
}

double area_under_curve(const ScoredRows& rows, std::size_t n_threads) {
    check_rows(rows);
    if (!rows.weights.empty())
        return walk_weights(ranked_weights(rows, n_threads), [](auto, double, double) {});
    const auto ranked = ranked_keys(rows, n_threads);
    return area_of_keys(ranked.positives(), ranked.negatives());
}

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
    Placements placements{std::vector<double>(high.size(), nothing),
                          std::vector<double>(low.size(), nothing)};
    if (high.empty() || low.empty()) return placements;
    const double of_low = 2 * static_cast<double>(low.size()), of_high = 2 * static_cast<double>(high.size());
    walk_up(high, low, [&](std::size_t index, std::size_t doubled) {
        placements.of_positives[index] = static_cast<double>(doubled) / of_low;
    });
    walk_up(low, high, [&](std::size_t index, std::size_t doubled) {
        placements.of_negatives[index] = static_cast<double>(2 * high.size() - doubled) / of_high;
    });
    return placements;
}

}  // namespace heldout
