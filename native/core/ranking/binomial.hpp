#pragma once

#include <cstdint>

#include "base/stream.hpp"

namespace heldout {

// A share of a whole, as a fraction of whole numbers: part <= whole < 2^63, whole > 0.
struct Share {
    std::uint64_t part, whole;
};

// How many of n draws succeed, each with the chance `share`: exact, by comparing random bits with the digits
// of the share. It takes about n / 32 words of the stream, n / 64 for a half, and no arithmetic but that of
// whole numbers, so that every processor finds the same.
std::uint64_t binomial(Stream& stream, std::uint64_t n, Share share);

}  // namespace heldout
