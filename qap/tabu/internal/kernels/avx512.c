//go:build cgo

// The kernel in AVX-512.

#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,fma"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl,fma,prefer-vector-width=512")
#endif

#define VECTOR_BYTES 64
#define KERNELS tabu_avx512
#define SIGNS32(x) _mm512_movepi32_mask((__m512i)(x))
#define SIGNS64(x) _mm512_movepi64_mask((__m512i)(x))
#define LESSER_FLOAT32(x, y) _mm512_min_ps((__m512)(x), (__m512)(y))
#define LESSER_INT32(x, y) _mm512_min_epi32((__m512i)(x), (__m512i)(y))
#define LESSER_FLOAT64(x, y) _mm512_min_pd((__m512d)(x), (__m512d)(y))
#define LOOKUP32 lookup32
#define LOOKUP32_WIDTH INT64_MAX

static inline __m512i lookup32(const int32_t *row, const int32_t *p, int64_t width) {
	__m512i at = _mm512_load_si512(p), first = _mm512_load_si512(row);
	if (width == 16) return _mm512_permutexvar_epi32(at, first);
	if (width == 32) return _mm512_permutex2var_epi32(first, at, _mm512_load_si512(row + 16));
	return _mm512_i32gather_epi32(at, row, 4);
}

#include "types.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
