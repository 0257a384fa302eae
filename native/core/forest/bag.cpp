#include "forest/bag.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/require.hpp"
#include "base/stream.hpp"

namespace heldout {
namespace {

constexpr std::uint64_t kBag = 1, kNodes = 2;

using Counts = std::vector<std::uint32_t>;

Counts with_replacement(Stream stream, std::size_t n_draws, std::size_t n_rows) {
    Counts counts(n_rows, 0);
    for (std::size_t i = 0; i < n_draws; ++i) ++counts[stream.below(n_rows)];
    return counts;
}

Counts by_weight(Stream stream, std::size_t n_draws, std::span<const double> weights) {
    std::vector<double> ends(weights.size());
    std::partial_sum(weights.begin(), weights.end(), ends.begin());
    Counts counts(weights.size(), 0);
    // The last row with a weight takes what rounding would push past the end.
    const auto last = std::ranges::lower_bound(ends, ends.back()) - ends.begin();
    for (std::size_t i = 0; i < n_draws; ++i) {
        const double position = stream.share() * ends.back();
        const auto row = std::ranges::upper_bound(ends, position) - ends.begin();
        ++counts[static_cast<std::size_t>(std::min(row, last))];
    }
    return counts;
}

Counts without_replacement(Stream stream, std::size_t n_draws, std::size_t n_rows) {
    if (n_draws >= n_rows) return Counts(n_rows, 1);
    std::vector<std::uint32_t> order(n_rows);
    std::iota(order.begin(), order.end(), 0U);
    Counts counts(n_rows, 0);
    for (std::size_t i = 0; i < n_draws; ++i) {
        std::swap(order[i], order[i + stream.below(n_rows - i)]);
        counts[order[i]] = 1;
    }
    return counts;
}

Counts uniform(const BagOptions& options, Stream stream, std::size_t n) {
    return options.is_bootstrap ? with_replacement(stream, options.n_draws, n)
                                : without_replacement(stream, options.n_draws, n);
}

Counts by_group(const BagOptions& options, Stream stream) {
    const Counts of_group = uniform(options, stream, std::size_t{std::ranges::max(options.groups)} + 1);
    Counts counts;
    for (const auto group : options.groups) counts.push_back(of_group[group]);
    return counts;
}

}  // namespace

void check_groups(const BagOptions& options, std::size_t n_rows) {
    if (options.groups.empty()) return;
    require(options.groups.size() == n_rows, "groups and rows differ in number");
    const std::size_t n_groups = std::size_t{std::ranges::max(options.groups)} + 1;
    require(n_groups <= n_rows, "groups must be numbered from 0");
    std::vector<std::uint8_t> has_row(n_groups, 0);
    for (const auto group : options.groups) has_row[group] = 1;
    require(std::ranges::count(has_row, 1) == static_cast<std::ptrdiff_t>(n_groups), "a group has no row");
}

std::vector<std::uint32_t> bag_of_tree(const BagOptions& options, std::uint64_t tree, std::size_t n_rows,
                                       std::span<const double> weights) {
    require(n_rows > 0 && options.n_draws > 0, "a bag needs a row");
    require(options.n_draws < std::size_t{1} << 32, "a bag has fewer than 2^32 rows");
    require(weights.empty() || weights.size() == n_rows, "weights and rows differ in number");
    check_groups(options, n_rows);
    require(std::ranges::all_of(weights, [](double w) { return std::isfinite(w) && w >= 0; }),
            "weights must be finite and not negative");
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    require(weights.empty() || (std::isfinite(total) && total > 0), "the weights need a finite sum above 0");
    const Stream stream(key_of_part(key_of_part(options.seed, tree), kBag));
    if (!options.groups.empty()) return by_group(options, stream);
    if (options.draws_by_weight() && !weights.empty()) return by_weight(stream, options.n_draws, weights);
    return uniform(options, stream, n_rows);
}

std::uint64_t key_of_tree(const BagOptions& options, std::uint64_t tree) {
    return key_of_part(key_of_part(options.seed, tree), kNodes);
}

}  // namespace heldout
