#include "ranking/labels.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "base/processor.hpp"
#include "base/require.hpp"
#include "base/stream.hpp"
#include "ranking/exact_arithmetic.hpp"

namespace heldout {
namespace {

std::uint64_t hash_of(const std::uint8_t* record, std::size_t n_bytes) {
    constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15U;
    std::uint64_t hash = n_bytes;
    for (; n_bytes >= sizeof hash; n_bytes -= sizeof hash, record += sizeof hash) {
        std::uint64_t word;
        std::memcpy(&word, record, sizeof word);
        hash = (hash ^ word) * kSpread;
        hash ^= hash >> 32;
    }
    std::uint64_t rest = 0;
    std::memcpy(&rest, record, n_bytes);
    return mix_bits(hash ^ rest);
}

// A table of slots that are at most half full; a slot has a code and one, or nothing.
class RecordTable {
  public:
    RecordTable(const std::uint8_t* records, std::size_t n_bytes)
        : records_(records), n_bytes_(n_bytes), slots_(kFirstSlots) {}

    std::uint32_t code(std::uint32_t row) {
        const std::uint64_t hash = hash_of(record(row), n_bytes_);
        std::size_t offset = hash & (slots_.size() - 1);
        for (; slots_[offset].code_and_one != 0; offset = (offset + 1) & (slots_.size() - 1))
            if (slots_[offset].hash == hash && is_same(slots_[offset].code_and_one - 1, row))
                return slots_[offset].code_and_one - 1;
        first_rows_.push_back(row);
        slots_[offset] = {hash, static_cast<std::uint32_t>(first_rows_.size())};
        if (first_rows_.size() * 2 > slots_.size()) grow();
        return static_cast<std::uint32_t>(first_rows_.size() - 1);
    }

    std::vector<std::uint32_t> first_rows() && { return std::move(first_rows_); }

  private:
    static constexpr std::size_t kFirstSlots = 64;
    struct Slot {
        std::uint64_t hash = 0;
        std::uint32_t code_and_one = 0;
    };

    const std::uint8_t* record(std::uint32_t row) const { return records_ + row * n_bytes_; }
    bool is_same(std::uint32_t code, std::uint32_t row) const {
        return std::memcmp(record(first_rows_[code]), record(row), n_bytes_) == 0;
    }
    void grow() {
        std::vector<Slot> larger(slots_.size() * 4);
        for (const auto& given : slots_) {
            if (given.code_and_one == 0) continue;
            std::size_t offset = given.hash & (larger.size() - 1);
            while (larger[offset].code_and_one != 0) offset = (offset + 1) & (larger.size() - 1);
            larger[offset] = given;
        }
        slots_ = std::move(larger);
    }

    const std::uint8_t* records_;
    std::size_t n_bytes_;
    std::vector<Slot> slots_;
    std::vector<std::uint32_t> first_rows_;
};

}  // namespace

RecordCodes code_records(std::span<const std::uint8_t> bytes, std::size_t bytes_per_record) {
    require(bytes_per_record > 0, "a record has at least one byte");
    require(bytes.size() % bytes_per_record == 0, "the last record is not complete");
    const std::size_t n_records = bytes.size() / bytes_per_record;
    require(n_records < std::numeric_limits<std::uint32_t>::max(), "too many records: at most 2^32 - 2");
    RecordTable table(bytes.data(), bytes_per_record);
    RecordCodes coded{std::vector<std::uint32_t>(n_records), {}};
    for (std::size_t row = 0; row < n_records; ++row)
        coded.codes[row] = table.code(static_cast<std::uint32_t>(row));
    coded.first_rows = std::move(table).first_rows();
    return coded;
}

namespace {

// Rows are checked and turned into cells in pieces that stay in the nearest cache.
constexpr std::size_t kPiece = 2048;
constexpr std::size_t kTables = 4, kMostCellsInTables = 4096;
constexpr std::size_t kMostClose = 4096;
constexpr std::size_t kMostCells = std::size_t{1} << 26;

// How far a number lies from the least of its range; far outside it, a huge number.
template <class T>
std::uint64_t offset(T number, T low) {
    return static_cast<std::uint64_t>(number) - static_cast<std::uint64_t>(low);
}

template <class T>
void check_pairs(const Pairs<T>& pairs) {
    require(pairs.rows.size() == pairs.columns.size(), "rows and columns must be pairs");
    require(pairs.rows.size() <= std::numeric_limits<std::uint32_t>::max(),
            "too many pairs: at most 2^32 - 1");
    require(pairs.n_rows <= kMostCells && pairs.n_columns <= kMostCells &&
                pairs.n_rows * pairs.n_columns <= kMostCells,
            "the matrix has too many cells");
}

// Calls put(first pair, cells) for piece after piece; false, and no further call, if a label lies outside.
template <class T, class Put>
bool each_piece(const Pairs<T>& pairs, Put put) {
    std::uint32_t cells[kPiece];
    const auto n_columns = static_cast<std::uint32_t>(pairs.n_columns);
    for (std::size_t first = 0; first < pairs.rows.size(); first += kPiece) {
        const std::size_t n = std::min(kPiece, pairs.rows.size() - first);
        bool is_outside = false;
        for (std::size_t i = 0; i < n; ++i) {
            const auto row = offset(pairs.rows[first + i], pairs.row_low);
            const auto column = offset(pairs.columns[first + i], pairs.column_low);
            is_outside |= (row >= pairs.n_rows) | (column >= pairs.n_columns);
            cells[i] = static_cast<std::uint32_t>(row) * n_columns + static_cast<std::uint32_t>(column);
        }
        if (is_outside) return false;
        put(first, std::span<const std::uint32_t>(cells, n));
    }
    return true;
}

// Neighbors go to different tables: a counter that was just written cannot be read at once. Empty if a label
// lies outside.
template <class T>
std::optional<std::vector<std::int64_t>> counted(const Pairs<T>& pairs) {
    const std::size_t n_cells = pairs.n_rows * pairs.n_columns;
    if constexpr (kCompilesAvx512)
        if (n_cells <= kMostFewCells && has_avx512()) {
            std::vector<std::int64_t> few(n_cells);
            if (!count_few_avx512(pairs, few)) return {};
            return few;
        }
    const std::size_t n_tables = n_cells <= kMostCellsInTables ? kTables : 1;
    std::vector<std::uint32_t> tables(n_cells * n_tables);
    const std::size_t step = n_tables == 1 ? 0 : n_cells;
    const bool is_inside = each_piece(pairs, [&](std::size_t, std::span<const std::uint32_t> cells) {
        std::size_t i = 0;
        for (; i + kTables <= cells.size(); i += kTables)
            for (std::size_t table = 0; table < kTables; ++table) ++tables[table * step + cells[i + table]];
        for (; i < cells.size(); ++i) ++tables[cells[i]];
    });
    if (!is_inside) return {};
    std::vector<std::int64_t> counts(n_cells);
    for (std::size_t i = 0; i < tables.size(); ++i) counts[i % n_cells] += tables[i];
    return counts;
}

// Both arrays from the least label of `some` on, as far as its greatest; no rows if they are too many.
template <class T>
Pairs<T> within_range(const Pairs<T>& pairs, std::size_t n_some, std::uint64_t most) {
    const auto [row_low, row_high] = range_of(pairs.rows.first(n_some));
    const auto [column_low, column_high] = range_of(pairs.columns.first(n_some));
    const T low = std::min(row_low, column_low), high = std::max(row_high, column_high);
    const std::uint64_t width = offset(high, low);
    const std::size_t n_labels = width < most ? width + 1 : 0;
    return {pairs.rows, pairs.columns, low, low, n_labels, n_labels};
}

}  // namespace

template <Whole T>
std::pair<T, T> range_of(std::span<const T> numbers) {
    require(!numbers.empty(), "nothing has no range");
    T low = numbers.front(), high = numbers.front();
    for (const T number : numbers) {
        low = std::min(low, number);
        high = std::max(high, number);
    }
    return {low, high};
}

template <Whole T>
std::vector<std::int64_t> count_pairs(const Pairs<T>& pairs) {
    check_pairs(pairs);
    auto counts = counted(pairs);
    require(counts.has_value(), "a label lies outside the matrix");
    return *std::move(counts);
}

// The first labels tell the range as a rule: then the arrays are read only once.
template <Whole T>
CloseCounts count_close_pairs(std::span<const T> rows, std::span<const T> columns, std::size_t most) {
    Pairs<T> pairs{rows, columns, 0, 0, 0, 0};
    check_pairs(pairs);
    require(most <= kMostClose, "close labels are at most 4,096");
    for (const std::size_t n_some : {std::min(kPiece, rows.size()), rows.size()}) {
        if (n_some == 0) break;
        pairs = within_range(pairs, n_some, most);
        if (pairs.n_rows == 0) break;
        if (auto counts = counted(pairs)) return {pairs.row_low, pairs.n_rows, *std::move(counts)};
    }
    return {};
}

template <Whole T>
std::vector<double> weigh_pairs(const Pairs<T>& pairs, std::span<const double> weights) {
    check_pairs(pairs);
    require(weights.size() == pairs.rows.size(), "each pair needs a weight");
    std::vector<LongNumber> sums(pairs.n_rows * pairs.n_columns);
    const bool is_inside = each_piece(pairs, [&](std::size_t first, std::span<const std::uint32_t> cells) {
        for (std::size_t i = 0; i < cells.size(); ++i) sums[cells[i]] = sums[cells[i]] + weights[first + i];
    });
    require(is_inside, "a label lies outside the matrix");
    std::vector<double> weighed(sums.size());
    std::transform(sums.begin(), sums.end(), weighed.begin(),
                   [](const LongNumber& sum) { return sum.rounded(); });
    return weighed;
}

#define HELDOUT_COUNTS(T)                                                                           \
    template std::pair<T, T> range_of<T>(std::span<const T>);                                       \
    template std::vector<std::int64_t> count_pairs<T>(const Pairs<T>&);                             \
    template CloseCounts count_close_pairs<T>(std::span<const T>, std::span<const T>, std::size_t); \
    template std::vector<double> weigh_pairs<T>(const Pairs<T>&, std::span<const double>);

HELDOUT_COUNTS(std::uint8_t)
HELDOUT_COUNTS(std::uint16_t)
HELDOUT_COUNTS(std::uint32_t)
HELDOUT_COUNTS(std::int8_t)
HELDOUT_COUNTS(std::int16_t)
HELDOUT_COUNTS(std::int32_t)
HELDOUT_COUNTS(std::int64_t)

#undef HELDOUT_COUNTS

}  // namespace heldout
