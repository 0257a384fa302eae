#include "codes/rank.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "base/require.hpp"
#include "base/team.hpp"

namespace heldout {
namespace {

constexpr std::size_t kRadixFrom = 256;
constexpr std::size_t kColumnsPerTask = 8;
constexpr unsigned kDigitBits = 11;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
constexpr unsigned kPasses = 3;
constexpr std::uint64_t kRowMask = 0xffffffffU;

std::size_t digit(std::uint64_t word, unsigned pass) {
    return (word >> (32 + pass * kDigitBits)) & (kDigits - 1);
}

// Maps a double to an unsigned integer of the same order; both zeros become one.
std::uint64_t ordered_bits(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number + 0.0);
    return bits >> 63 ? ~bits : bits | (std::uint64_t{1} << 63);
}

// Sorts packed words (key in the upper half, row in the lower) by key, stably: rows ascend within a key.
void sort_packed(std::vector<std::uint64_t>& words, std::vector<std::uint64_t>& buffer) {
    if (words.size() < kRadixFrom) {
        std::sort(words.begin(), words.end());
        return;
    }
    std::array<std::array<std::uint32_t, kDigits>, kPasses> offsets{};
    for (const auto word : words)
        for (unsigned pass = 0; pass < kPasses; ++pass) ++offsets[pass][digit(word, pass)];
    buffer.resize(words.size());
    for (unsigned pass = 0; pass < kPasses; ++pass) {
        auto& offset_of = offsets[pass];
        if (offset_of[digit(words.front(), pass)] == words.size()) continue;
        std::uint32_t start = 0;
        for (auto& offset : offset_of) start += std::exchange(offset, start);
        for (const auto word : words) buffer[offset_of[digit(word, pass)]++] = word;
        words.swap(buffer);
    }
}

// Words are sorted by the upper half of their keys; puts runs that share it into order by the lower half.
void refine_runs(std::vector<std::uint64_t>& words, const std::vector<std::uint64_t>& keys,
                 std::vector<std::uint64_t>& run, std::vector<std::uint64_t>& buffer) {
    for (std::size_t begin = 0, end = 0; begin < words.size(); begin = end) {
        const auto upper = words[begin] >> 32;
        for (end = begin + 1; end < words.size() && words[end] >> 32 == upper;) ++end;
        if (end == begin + 1) continue;
        const auto key = keys[words[begin] & kRowMask];
        const auto is_same = [&](auto word) { return keys[word & kRowMask] == key; };
        const auto at = [&](std::size_t i) { return words.begin() + static_cast<std::ptrdiff_t>(i); };
        if (std::all_of(at(begin), at(end), is_same)) continue;
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
std::vector<Code> narrow_codes(const std::vector<std::uint32_t>& ranks) {
    std::vector<Code> codes(ranks.size());
    std::transform(ranks.begin(), ranks.end(), codes.begin(),
                   [](auto rank) { return static_cast<Code>(rank); });
    return codes;
}

// Ranks one column after the other in the same memory.
class Ranker {
  public:
    RankedColumn rank(std::span<const double> numbers);

  private:
    void sort(std::span<const double> numbers);

    std::vector<std::uint64_t> keys_, words_, run_, buffer_;
    std::vector<std::uint32_t> ranks_;
};

void Ranker::sort(std::span<const double> numbers) {
    keys_.resize(numbers.size());
    words_.clear();
    words_.reserve(numbers.size());
    for (std::size_t row = 0; row < numbers.size(); ++row) {
        if (std::isnan(numbers[row])) continue;
        keys_[row] = ordered_bits(numbers[row]);
        words_.push_back((keys_[row] & ~kRowMask) | row);
    }
    sort_packed(words_, buffer_);
    refine_runs(words_, keys_, run_, buffer_);
}

RankedColumn Ranker::rank(std::span<const double> numbers) {
    sort(numbers);
    ranks_.resize(numbers.size());
    std::uint32_t n_codes = 0;
    std::uint64_t previous = 0;
    for (const auto word : words_) {
        const auto row = static_cast<std::uint32_t>(word);
        const bool may_be_same = n_codes > 0 && (word ^ previous) >> 32 == 0;
        if (!may_be_same || keys_[row] != keys_[previous & kRowMask]) ++n_codes;
        previous = word;
        ranks_[row] = n_codes - 1;
    }
    if (words_.size() < numbers.size())
        for (std::size_t row = 0; row < numbers.size(); ++row)
            if (std::isnan(numbers[row])) ranks_[row] = n_codes;
    RankedColumn ranked{n_codes, {}};
    if (n_codes <= std::numeric_limits<std::uint8_t>::max())
        ranked.codes = narrow_codes<std::uint8_t>(ranks_);
    else if (n_codes <= std::numeric_limits<std::uint16_t>::max())
        ranked.codes = narrow_codes<std::uint16_t>(ranks_);
    else
        ranked.codes = ranks_;
    return ranked;
}

}  // namespace

std::vector<RankedColumn> rank_columns(const MatrixView& matrix, std::size_t n_threads) {
    require(matrix.n_rows < std::numeric_limits<std::uint32_t>::max(), "too many rows: at most 2^32 - 2");
    std::vector<RankedColumn> ranked(matrix.n_columns);

    // Columns are copied a cache line at a time: in a row-major matrix neighbors come for free.
    const std::size_t n_tasks = (matrix.n_columns + kColumnsPerTask - 1) / kColumnsPerTask;
    Team team(std::min(n_threads, n_tasks));
    std::vector<Ranker> rankers(team.size());
    team.run(n_tasks, [&](std::size_t task, std::size_t member) {
        const std::size_t first = task * kColumnsPerTask;
        const std::size_t n_columns = std::min(kColumnsPerTask, matrix.n_columns - first);
        std::vector<double> columns(n_columns * matrix.n_rows);
        for (std::size_t row = 0; row < matrix.n_rows; ++row)
            for (std::size_t column = 0; column < n_columns; ++column)
                columns[column * matrix.n_rows + row] =
                    matrix.numbers[static_cast<std::ptrdiff_t>(row) * matrix.row_stride +
                                   static_cast<std::ptrdiff_t>(first + column) * matrix.column_stride];
        for (std::size_t column = 0; column < n_columns; ++column)
            ranked[first + column] =
                rankers[member].rank({columns.data() + column * matrix.n_rows, matrix.n_rows});
    });
    return ranked;
}

}  // namespace heldout
