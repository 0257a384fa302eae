#pragma once

#include <cstdint>

namespace heldout {

// Mixes the bits of a number so that neighboring numbers have nothing in common (the finaliser of
// SplitMix64).
inline std::uint64_t mix_bits(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

// The key of a part of something that has a key: a tree of a seed, a child of a node.
inline std::uint64_t key_of_part(std::uint64_t key, std::uint64_t part) {
    return mix_bits(key ^ mix_bits(part));
}

// Random numbers that depend on a key alone.
class Stream {
  public:
    explicit Stream(std::uint64_t key) : state_(key) {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15U;
        return mix_bits(state_);
    }

    // A number below n, each as likely as any other but for n parts in 2^64.
    std::uint64_t below(std::uint64_t n) {
        __extension__ using UInt128 = unsigned __int128;
        return static_cast<std::uint64_t>((UInt128{next()} * n) >> 64);
    }

    // A number from 0 to below 1.
    double share() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  private:
    std::uint64_t state_;
};

}  // namespace heldout
