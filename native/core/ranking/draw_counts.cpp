#include "ranking/draw_counts.hpp"

#include <bit>

#include "base/processor.hpp"

namespace heldout {
namespace {

template <class Count>
std::uint64_t heads(Stream& stream, std::uint64_t n_coins, Count count) {
    std::uint64_t n_heads = 0;
    for (; n_coins >= 64; n_coins -= 64) n_heads += count(stream.next());
    if (n_coins > 0) n_heads += count(stream.next() >> (64 - n_coins));
    return n_heads;
}

std::uint64_t heads_plain(Stream& stream, std::uint64_t n_coins) {
    return heads(stream, n_coins, [](std::uint64_t word) { return std::popcount(word); });
}

#if defined(HELDOUT_AVX512)
// The same with the processor's own instruction for it, which every processor with AVX-512 has.
__attribute__((target("popcnt"))) std::uint64_t heads_popcnt(Stream& stream, std::uint64_t n_coins) {
    Stream own = stream;
    std::uint64_t n_heads = 0;
    for (; n_coins >= 64; n_coins -= 64) n_heads += __builtin_popcountll(own.next());
    if (n_coins > 0) n_heads += __builtin_popcountll(own.next() >> (64 - n_coins));
    stream = own;
    return n_heads;
}
#else
std::uint64_t heads_popcnt(Stream& stream, std::uint64_t n_coins) {
    return heads_plain(stream, n_coins);
}
#endif

}  // namespace

std::uint64_t binomial(Stream& stream, std::uint64_t n, Share share) {
    if (share.part == share.whole) return n;
    const bool has_popcnt = has_avx512();
    std::uint64_t n_successes = 0, left = share.part;
    while (n > 0 && left > 0) {
        left *= 2;
        const bool digit = left >= share.whole;
        if (digit) left -= share.whole;
        // Draws whose bit is the digit stay undecided; the others lie below the share if the digit is 1.
        const std::uint64_t n_open = has_popcnt ? heads_popcnt(stream, n) : heads_plain(stream, n);
        if (digit) n_successes += n - n_open;
        n = n_open;
    }
    return n_successes;
}

}  // namespace heldout
