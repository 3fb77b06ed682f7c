//go:build cgo

// The kernel in AVX-512.

#if defined(__x86_64__)
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512")
#endif

#define GREATER(x, y) _mm512_max_ps((__m512)(x), (__m512)(y))
#define SOME(x, count) _mm512_maskz_loadu_ps((__mmask16)((1u << (count)) - 1), x)
#define VECTOR_BYTES 64
#define KERNEL gain_avx512
#include "gain.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
