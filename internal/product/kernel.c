//go:build cgo && !openblas

// The choice among instruction sets.

#include "kernel.h"

int product_set(void) {
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
		return 16;
	if (__builtin_cpu_supports("avx2")) return 8;
#endif
	return 0;
}

void product_add(int set, PRODUCT_ARGUMENTS) {
#if defined(__x86_64__)
	(set == 16 ? product_avx512 : product_avx2)(m, n, k, alpha, a, row, inner, b, ldb, c, ldc);
#endif
}
