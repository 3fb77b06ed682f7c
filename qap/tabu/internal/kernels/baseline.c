//go:build cgo

// The kernel in what every processor of the architecture has: SSE2 on amd64,
// NEON on arm64.

#if defined(__SSE2__)
#include <emmintrin.h>
#define SIGNS32(x) (unsigned)_mm_movemask_ps((__m128)(x))
#define SIGNS64(x) (unsigned)_mm_movemask_pd((__m128d)(x))
#define LESSER_FLOAT32(x, y) _mm_min_ps((__m128)(x), (__m128)(y))
#define LESSER_FLOAT64(x, y) _mm_min_pd((__m128d)(x), (__m128d)(y))
#endif

#define VECTOR_BYTES 16
#define KERNELS tabu_baseline
#include "types.h"
