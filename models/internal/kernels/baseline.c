//go:build cgo

// The kernel in what every processor of the architecture has: SSE2 on amd64, NEON on arm64.

#if defined(__SSE2__)
#include <emmintrin.h>
#define GREATER(x, y) _mm_max_ps((__m128)(x), (__m128)(y))
#endif

#define VECTOR_BYTES 16
#define KERNEL gain_baseline
#include "gain.h"
