//go:build cgo && !openblas

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

#define VECTOR_BYTES 32
#define NAME product_avx2
#include "product.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
