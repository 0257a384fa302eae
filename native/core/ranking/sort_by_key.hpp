#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "base/aligned_buffer.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace heldout {

// A key and what travels with it. A bare key is its own record.
struct WeightedKey {
    std::uint64_t key;
    double weight;
};
struct RowKey {
    std::uint64_t key;
    std::uint64_t row;
};

inline std::uint64_t key_of(std::uint64_t key) {
    return key;
}
template <class Record>
std::uint64_t key_of(const Record& record) {
    return record.key;
}

// Writes a full cache line past the caches, which have no use for it.
inline void stream_line(void* to, const void* line) {
#if defined(__SSE2__)
    for (std::size_t part = 0; part < AlignedBuffer<char>::kLine / sizeof(__m128i); ++part)
        _mm_stream_si128(static_cast<__m128i*>(to) + part,
                         _mm_load_si128(static_cast<const __m128i*>(line) + part));
#else
    std::memcpy(to, line, AlignedBuffer<char>::kLine);
#endif
}

inline void finish_streams() {
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

// Puts each record to the next position of its digit. The positions of a digit lie together, and those of
// many digits are too many for the caches: each digit collects a line of records, which is then written at
// once.
template <class Record>
class LineScatter {
  public:
    LineScatter(Record* to, std::span<std::uint32_t> positions)
        : positions_(positions),
          first_(positions.begin(), positions.end()),
          offset_(reinterpret_cast<std::uintptr_t>(to) % kLine / sizeof(Record)),
          base_(to - offset_),
          lines_(positions.size() * kPerLine) {}

    void put(std::size_t digit, const Record& record) {
        const std::size_t position = positions_[digit]++ + offset_;
        Record* const line = lines_.data() + digit * kPerLine;
        line[position % kPerLine] = record;
        if (position % kPerLine == kPerLine - 1) flush(digit, position + 1 - kPerLine, line);
    }

    void finish() {
        for (std::size_t digit = 0; digit < positions_.size(); ++digit) {
            const std::size_t end = positions_[digit] + offset_;
            copy(digit, end / kPerLine * kPerLine, end, lines_.data() + digit * kPerLine);
        }
        finish_streams();
    }

  private:
    static constexpr std::size_t kLine = AlignedBuffer<Record>::kLine, kPerLine = kLine / sizeof(Record);

    void flush(std::size_t digit, std::size_t begin, const Record* line) {
        if (begin >= first_[digit] + offset_)
            stream_line(base_ + begin, line);
        else
            copy(digit, begin, begin + kPerLine, line);
    }

    // The part of a line that belongs to the digit.
    void copy(std::size_t digit, std::size_t begin, std::size_t end, const Record* line) {
        for (std::size_t position = std::max(begin, first_[digit] + offset_); position < end; ++position)
            base_[position] = line[position % kPerLine];
    }

    std::span<std::uint32_t> positions_;
    std::vector<std::uint32_t> first_;
    std::size_t offset_;  // of the first position from the beginning of its line
    Record* base_;
    AlignedBuffer<Record> lines_;
};

namespace sorting {

constexpr unsigned kDigitBits = 11, kPasses = 3;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
constexpr std::size_t kMostByInsertion = 24, kMostByComparison = 400;
constexpr std::size_t kFewestByLines = std::size_t{1} << 17;

using Positions = std::array<std::uint32_t, kDigits>;

template <class Record>
bool is_less(const Record& a, const Record& b) {
    return key_of(a) < key_of(b);
}

template <class Record>
void sort_few(std::span<Record> records) {
    if (records.size() > kMostByInsertion) {
        std::sort(records.begin(), records.end(), is_less<Record>);
        return;
    }
    for (std::size_t i = 1; i < records.size(); ++i) {
        const Record record = records[i];
        std::size_t position = i;
        for (; position > 0 && is_less(record, records[position - 1]); --position)
            records[position] = records[position - 1];
        records[position] = record;
    }
}

// The bits in which any two keys differ.
template <class Record>
std::uint64_t varying_bits(std::span<const Record> records) {
    std::uint64_t all = ~std::uint64_t{0}, any = 0;
    for (const auto& record : records) {
        all &= key_of(record);
        any |= key_of(record);
    }
    return any & ~all;
}

template <class Record>
void scatter(std::span<const Record> records, std::span<Record> to, unsigned shift, Positions& positions) {
    std::uint32_t begin = 0;
    for (auto& position : positions) begin += std::exchange(position, begin);
    const auto digit = [shift](const Record& record) { return key_of(record) >> shift & (kDigits - 1); };
    if (records.size() < kFewestByLines) {
        for (const auto& record : records) to[positions[digit(record)]++] = record;
        return;
    }
    LineScatter<Record> lines(to.data(), positions);
    for (const auto& record : records) lines.put(digit(record), record);
    lines.finish();
}

// Sorts by the bits from `shift` upwards, as many as the passes have; digits that all keys share are skipped.
template <class Record>
std::span<Record> sort_by_digits(std::span<Record> records, std::span<Record> scratch, unsigned shift) {
    std::array<Positions, kPasses> positions{};
    for (const auto& record : records)
        for (unsigned pass = 0; pass < kPasses; ++pass)
            ++positions[pass][key_of(record) >> (shift + pass * kDigitBits) & (kDigits - 1)];
    for (unsigned pass = 0; pass < kPasses; ++pass) {
        const unsigned lowest = shift + pass * kDigitBits;
        if (positions[pass][key_of(records.front()) >> lowest & (kDigits - 1)] == records.size()) continue;
        scatter<Record>(records, scratch, lowest, positions[pass]);
        std::swap(records, scratch);
    }
    return records;
}

}  // namespace sorting

// Sorts records by their keys and returns which of the two spans holds them in the end. Three passes over
// the uppermost digits that differ leave only short runs unsorted, unless the keys are made to defy it: then
// each run is sorted in the same way by the digits below. The order of equal keys is not promised.
template <class Record>
std::span<Record> sort_by_key(std::span<Record> records, std::span<Record> scratch) {
    if (records.size() <= sorting::kMostByComparison) {
        sorting::sort_few(records);
        return records;
    }
    constexpr unsigned n_sorted = sorting::kDigitBits * sorting::kPasses;
    const auto n_bits = static_cast<unsigned>(std::bit_width(sorting::varying_bits<Record>(records)));
    if (n_bits == 0) return records;
    const unsigned shift = n_bits > n_sorted ? n_bits - n_sorted : 0;
    const auto given = records;
    records = sorting::sort_by_digits(records, scratch, shift);
    if (records.data() != given.data()) scratch = given;
    if (shift == 0) return records;
    for (std::size_t begin = 0, end = 0; begin < records.size(); begin = end) {
        const auto upper = key_of(records[begin]) >> shift;
        for (end = begin + 1; end < records.size() && key_of(records[end]) >> shift == upper;) ++end;
        if (end == begin + 1) continue;
        const auto run = records.subspan(begin, end - begin);
        const auto sorted = sort_by_key(run, scratch.subspan(begin, end - begin));
        if (sorted.data() != run.data()) std::copy(sorted.begin(), sorted.end(), run.begin());
    }
    return records;
}

}  // namespace heldout
