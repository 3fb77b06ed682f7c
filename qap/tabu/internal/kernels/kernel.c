//go:build cgo

// The choice among instruction sets.

#include "kernel.h"

#if defined(__x86_64__)
static const struct tabu_kernel *const kernels[TABU_SETS] = {tabu_baseline, tabu_avx2, tabu_avx512};
#else
static const struct tabu_kernel *const kernels[TABU_SETS] = {tabu_baseline};
#endif

int tabu_supported(enum tabu_set set) {
	switch (set) {
	case TABU_BASELINE:
		return 1;
#if defined(__x86_64__)
	case TABU_AVX2:
		return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
	case TABU_AVX512:
		return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
		       __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#endif
	default:
		return 0;
	}
}

void tabu_prepare(enum tabu_set set, enum tabu_type type, struct tabu_state *s, void *cells, void *times, const void *linear,
	int parts, int64_t from, int64_t to) {
	kernels[set][type].prepare(s, cells, times, linear, parts, from, to);
}

void tabu_run(enum tabu_set set, enum tabu_type type, struct tabu_state *s, void *cells, void *times) {
	kernels[set][type].run(s, cells, times);
}
