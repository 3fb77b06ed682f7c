//go:build cgo

// The choice among instruction sets.

#include "kernel.h"

#if defined(__x86_64__)
static anneal_kernel *const *const kernels[ANNEAL_SETS] = {anneal_baseline, anneal_avx2, anneal_avx512};
#else
static anneal_kernel *const *const kernels[ANNEAL_SETS] = {anneal_baseline};
#endif

int anneal_supported(enum anneal_set set) {
	switch (set) {
	case ANNEAL_BASELINE:
		return 1;
#if defined(__x86_64__)
	case ANNEAL_AVX2:
		return __builtin_cpu_supports("avx2");
	case ANNEAL_AVX512:
		return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
		       __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#endif
	default:
		return 0;
	}
}

void anneal_run(enum anneal_set set, enum anneal_type type, struct anneal_state *s, void *cells, int32_t *places, const double *reals) {
	kernels[set][type](s, cells, places, reals);
}
