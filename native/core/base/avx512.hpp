#pragma once

// For the files *_avx512.cpp alone: the intrinsics, and what several kernels need of them. Such a file is
// empty where the compiler cannot make AVX-512.
#include "base/processor.hpp"

#if defined(HELDOUT_AVX512)

// GCC 12 takes the registers that its own header leaves undefined on purpose for a mistake.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>

#include <cstddef>

#define HELDOUT_AVX512_INLINE HELDOUT_AVX512 __attribute__((always_inline)) inline

namespace heldout {

// The mask of the first n of sixteen lanes; n may be more than there are.
HELDOUT_AVX512_INLINE __mmask16 first_lanes(std::size_t n) {
    return static_cast<__mmask16>(n >= 16 ? 0xffffU : (1U << n) - 1);
}

}  // namespace heldout

#endif
