//go:build cgo

// The kernel in AVX2.

#if defined(__x86_64__)
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

static inline __m256 some(const float *x, int count) {
	__m256i place = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
	return _mm256_maskload_ps(x, _mm256_cmpgt_epi32(_mm256_set1_epi32(count), place));
}

#define GREATER(x, y) _mm256_max_ps((__m256)(x), (__m256)(y))
#define SOME(x, count) some(x, count)
#define VECTOR_BYTES 32
#define KERNEL gain_avx2
#include "gain.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
