#pragma once

// The vector instructions of the processor, in one vocabulary for names of files, functions and variables:
//   plain   what every processor that the core is compiled for can run
//   avx512  AVX-512 with its parts F, DQ, BW and VL
// Every kernel has a plain form. Where another one is faster it is written too, in a file whose name ends in
// the instruction set (partition.cpp, partition_avx512.cpp), and chosen when the kernel runs. All forms of a
// kernel give the same bits, so that no result depends on the machine. A further set (avx2, neon) gets a
// function like has_avx512() here, a macro for its functions, and files of its own.

#if defined(__x86_64__) && defined(__GNUC__)
// Compiles a function for AVX-512. Call it only where has_avx512(); every such processor has popcnt as well.
// The second macro adds the parts for bytes and for shorter registers. It is not for every kernel: where GCC
// may use BW it keeps masks elsewhere, which makes the walk through a forest a sixth slower.
#define HELDOUT_AVX512 __attribute__((target("avx512f,avx512dq,popcnt")))
#define HELDOUT_AVX512_BW __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,popcnt")))
#endif

namespace heldout {

// Whether the AVX-512 forms are compiled at all. What calls them stands behind `if constexpr` on it: where
// they are missing, a call that is left over does not link, and none can return nothing in silence.
#if defined(HELDOUT_AVX512)
inline constexpr bool kCompilesAvx512 = true;
#else
inline constexpr bool kCompilesAvx512 = false;
#endif

// Whether this processor has AVX-512. HELDOUT_PLAIN=1 in the environment says no for it.
bool has_avx512();

}  // namespace heldout
