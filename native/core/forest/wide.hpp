#pragma once

// What the kernels for wide vectors share. Such a file is empty where the compiler does not know them.
#if defined(__x86_64__) && defined(__GNUC__)
#define HELDOUT_HAS_WIDE 1

// GCC 12 takes the registers that its own header leaves undefined on purpose for a mistake.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>

#define HELDOUT_WIDE __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl")))
#define HELDOUT_WIDE_INLINE HELDOUT_WIDE __attribute__((always_inline)) inline
#endif
