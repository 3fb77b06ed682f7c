//go:build cgo && !openblas

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512")
#endif

#define VECTOR_BYTES 64
#define NAME product_avx512
#include "product.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
