//go:build cgo

// The kernel in AVX2 with FMA.

#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif

#define VECTOR_BYTES 32
#define KERNELS tabu_avx2
#define SIGNS32(x) (unsigned)_mm256_movemask_ps((__m256)(x))
#define SIGNS64(x) (unsigned)_mm256_movemask_pd((__m256d)(x))
#define LESSER_FLOAT32(x, y) _mm256_min_ps((__m256)(x), (__m256)(y))
#define LESSER_INT32(x, y) _mm256_min_epi32((__m256i)(x), (__m256i)(y))
#define LESSER_FLOAT64(x, y) _mm256_min_pd((__m256d)(x), (__m256d)(y))
#define LOOKUP32 lookup32
#define LOOKUP32_WIDTH 32

// lookup16 is the entries of a row of 16, by the low four bits of p.
static inline __m256i lookup16(const int32_t *row, __m256i p) {
	__m256i low = _mm256_permutevar8x32_epi32(_mm256_load_si256((const __m256i *)row), p);
	__m256i high = _mm256_permutevar8x32_epi32(_mm256_load_si256((const __m256i *)(row + 8)), p);
	__m256i bit3 = _mm256_slli_epi32(p, 28); // as the sign
	return (__m256i)_mm256_blendv_ps((__m256)low, (__m256)high, (__m256)bit3);
}

static inline __m256i lookup32(const int32_t *row, const int32_t *p, int64_t width) {
	__m256i at = _mm256_load_si256((const __m256i *)p), low = lookup16(row, at);
	if (width == 16) return low;
	__m256i bit4 = _mm256_slli_epi32(at, 27);
	return (__m256i)_mm256_blendv_ps((__m256)low, (__m256)lookup16(row + 16, at), (__m256)bit4);
}

#include "types.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
