#include "codes/rank.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "base/require.hpp"

namespace heldout {
namespace {

constexpr std::size_t kRadixFrom = 256;
constexpr unsigned kDigitBits = 11;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;

// Maps a double to an unsigned integer of the same order; both zeros become one.
std::uint64_t ordered_bits(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number + 0.0);
    return bits >> 63 ? ~bits : bits | (std::uint64_t{1} << 63);
}

double number_of_bits(std::uint64_t ordered) {
    return std::bit_cast<double>(ordered >> 63 ? ordered & ~(std::uint64_t{1} << 63) : ~ordered);
}

// Sorts packed words (key in the upper half, row in the lower) by key, stably: rows ascend within a key.
void sort_packed(std::vector<std::uint64_t>& words, std::vector<std::uint64_t>& buffer) {
    if (words.size() < kRadixFrom) {
        std::sort(words.begin(), words.end());
        return;
    }
    buffer.resize(words.size());
    for (unsigned shift = 32; shift < 64; shift += kDigitBits) {
        std::array<std::uint32_t, kDigits> offsets{};
        for (const auto word : words) ++offsets[(word >> shift) & (kDigits - 1)];
        if (offsets[(words.front() >> shift) & (kDigits - 1)] == words.size()) continue;
        std::uint32_t start = 0;
        for (auto& offset : offsets) start += std::exchange(offset, start);
        for (const auto word : words) buffer[offsets[(word >> shift) & (kDigits - 1)]++] = word;
        words.swap(buffer);
    }
}

// Words are sorted by the upper half of their keys; puts runs that share it into order by the lower half.
void refine_runs(std::vector<std::uint64_t>& words, const std::vector<std::uint64_t>& keys,
                 std::vector<std::uint64_t>& run, std::vector<std::uint64_t>& buffer) {
    constexpr std::uint64_t kRowMask = 0xffffffffU;
    for (std::size_t begin = 0, end = 0; begin < words.size(); begin = end) {
        const auto upper = words[begin] >> 32;
        const auto lower = keys[words[begin] & kRowMask] & kRowMask;
        bool is_mixed = false;
        for (end = begin + 1; end < words.size() && words[end] >> 32 == upper; ++end)
            is_mixed |= (keys[words[end] & kRowMask] & kRowMask) != lower;
        if (!is_mixed) continue;
        run.clear();
        for (std::size_t i = begin; i < end; ++i) {
            const auto row = words[i] & kRowMask;
            run.push_back(keys[row] << 32 | row);
        }
        sort_packed(run, buffer);
        for (std::size_t i = begin; i < end; ++i) words[i] = upper << 32 | (run[i - begin] & kRowMask);
    }
}

template <class Code>
std::vector<Code> narrowed(const std::vector<std::uint32_t>& ranks) {
    std::vector<Code> codes(ranks.size());
    std::transform(ranks.begin(), ranks.end(), codes.begin(), [](auto rank) { return static_cast<Code>(rank); });
    return codes;
}

}  // namespace

RankedColumn rank_column(const double* numbers, std::ptrdiff_t stride, std::size_t n) {
    require(n < std::numeric_limits<std::uint32_t>::max(), "too many rows: at most 2^32 - 2 are supported");
    std::vector<std::uint64_t> keys(n), words, run, buffer;
    words.reserve(n);
    for (std::size_t row = 0; row < n; ++row) {
        const double number = numbers[static_cast<std::ptrdiff_t>(row) * stride];
        if (std::isnan(number)) continue;
        keys[row] = ordered_bits(number);
        words.push_back((keys[row] >> 32) << 32 | row);
    }
    sort_packed(words, buffer);
    refine_runs(words, keys, run, buffer);

    RankedColumn ranked;
    std::vector<std::uint32_t> ranks(n);
    std::uint64_t previous = 0;
    for (const auto word : words) {
        const auto row = static_cast<std::uint32_t>(word);
        if (ranked.values.empty() || keys[row] != previous) {
            previous = keys[row];
            ranked.values.push_back(number_of_bits(previous));
        }
        ranks[row] = static_cast<std::uint32_t>(ranked.values.size() - 1);
    }
    const auto missing = static_cast<std::uint32_t>(ranked.values.size());
    if (words.size() < n)
        for (std::size_t row = 0; row < n; ++row)
            if (std::isnan(numbers[static_cast<std::ptrdiff_t>(row) * stride])) ranks[row] = missing;
    ranked.values.shrink_to_fit();
    if (missing <= std::numeric_limits<std::uint8_t>::max())
        ranked.codes = narrowed<std::uint8_t>(ranks);
    else if (missing <= std::numeric_limits<std::uint16_t>::max())
        ranked.codes = narrowed<std::uint16_t>(ranks);
    else
        ranked.codes = std::move(ranks);
    return ranked;
}

}  // namespace heldout
