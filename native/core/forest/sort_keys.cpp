#include "forest/sort_keys.hpp"

#include <algorithm>
#include <array>

#include "base/processor.hpp"

namespace heldout {
namespace {

constexpr std::size_t kMostByInsertion = 24;
constexpr std::size_t kFewestByRank = 4, kMostByRank = 48;  // a multiple of four
constexpr std::size_t kFewestByDigits = 96;

template <class Key>
void insertion_sort(Key* keys, std::size_t n) {
    for (std::size_t i = 1; i < n; ++i) {
        const Key key = keys[i];
        std::size_t position = i;
        for (; position > 0 && keys[position - 1] > key; --position) keys[position] = keys[position - 1];
        keys[position] = key;
    }
}

// From the lowest digit to the highest; a digit that all keys share is passed over.
template <class Key>
void sort_by_digits(Key* keys, std::size_t n, Key* scratch) {
    constexpr std::size_t n_digits = sizeof(Key);
    std::array<std::array<std::uint32_t, 256>, n_digits> counts{};
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t digit = 0; digit < n_digits; ++digit) ++counts[digit][keys[i] >> 8 * digit & 0xff];
    Key* from = keys;
    Key* to = scratch;
    for (std::size_t digit = 0; digit < n_digits; ++digit) {
        auto& positions = counts[digit];
        if (positions[from[0] >> 8 * digit & 0xff] == n) continue;
        std::uint32_t begin = 0;
        for (auto& position : positions) {
            const std::uint32_t count = position;
            position = begin;
            begin += count;
        }
        for (std::size_t i = 0; i < n; ++i) to[positions[from[i] >> 8 * digit & 0xff]++] = from[i];
        std::swap(from, to);
    }
    if (from != keys) std::copy_n(from, n, keys);
}

template <class Key>
void sort_plain(Key* keys, std::size_t n, Key* scratch) {
    if (n <= kMostByInsertion)
        insertion_sort(keys, n);
    else if (n < kFewestByDigits)
        std::sort(keys, keys + n);
    else
        sort_by_digits(keys, n, scratch);
}

// Each key goes to the position that is the number of smaller ones: many comparisons, and no branch to guess.
void sort_by_rank(std::uint32_t* keys, std::size_t n) {
    std::array<std::int32_t, kMostByRank> given;
    std::array<std::uint8_t, kMostByRank> n_equal{};
    constexpr std::size_t kLanes = 4;
    const std::size_t full = (n + kLanes - 1) / kLanes * kLanes;
    for (std::size_t i = 0; i < full; ++i) given[i] = i < n ? static_cast<std::int32_t>(keys[i]) : 0x7fffffff;
    for (std::size_t i = 0; i < n; ++i) {
        std::int32_t n_smaller = 0;
        for (std::size_t j = 0; j < full; j += kLanes)
            for (std::size_t lane = 0; lane < kLanes; ++lane) n_smaller += given[j + lane] < given[i];
        keys[n_smaller + n_equal[n_smaller]++] = static_cast<std::uint32_t>(given[i]);
    }
}

}  // namespace

void sort_keys(std::uint32_t* keys, std::size_t n, std::uint32_t* scratch, bool is_avx512) {
    if constexpr (kCompilesAvx512)
        if (is_avx512 && n <= kMostInRegisters) return sort_keys_avx512(keys, n);
    if (n > kFewestByRank && n <= kMostByRank)
        sort_by_rank(keys, n);
    else
        sort_plain(keys, n, scratch);
}

void sort_keys(std::uint64_t* keys, std::size_t n, std::uint64_t* scratch) {
    sort_plain(keys, n, scratch);
}

}  // namespace heldout
