//go:build cgo

// The kernel in AVX2.

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

#define KERNELS anneal_avx2
#include "kernel_types.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
