#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "ranking/keyed_record.hpp"
#include "ranking/scatter.hpp"

namespace heldout {

namespace sorting {

constexpr unsigned kDigitBits = 11, kPasses = 3;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
constexpr std::size_t kMostByInsertion = 24, kMostByComparison = 400;
constexpr std::size_t kFewestByLines = std::size_t{1} << 17;

using Places = std::array<std::uint32_t, kDigits>;

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
        std::size_t place = i;
        for (; place > 0 && is_less(record, records[place - 1]); --place) records[place] = records[place - 1];
        records[place] = record;
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
void scatter(std::span<const Record> records, std::span<Record> to, unsigned shift, Places& places) {
    std::uint32_t begin = 0;
    for (auto& place : places) begin += std::exchange(place, begin);
    const auto digit = [shift](const Record& record) { return key_of(record) >> shift & (kDigits - 1); };
    if (records.size() < kFewestByLines) {
        for (const auto& record : records) to[places[digit(record)]++] = record;
        return;
    }
    LineScatter<Record> lines(to.data(), places);
    for (const auto& record : records) lines.put(digit(record), record);
    lines.finish();
}

// Sorts by the bits from `shift` upwards, as many as the passes have; digits that all keys share are skipped.
template <class Record>
std::span<Record> sort_by_digits(std::span<Record> records, std::span<Record> scratch, unsigned shift) {
    std::array<Places, kPasses> places{};
    for (const auto& record : records)
        for (unsigned pass = 0; pass < kPasses; ++pass)
            ++places[pass][key_of(record) >> (shift + pass * kDigitBits) & (kDigits - 1)];
    for (unsigned pass = 0; pass < kPasses; ++pass) {
        const unsigned lowest = shift + pass * kDigitBits;
        if (places[pass][key_of(records.front()) >> lowest & (kDigits - 1)] == records.size()) continue;
        scatter<Record>(records, scratch, lowest, places[pass]);
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
