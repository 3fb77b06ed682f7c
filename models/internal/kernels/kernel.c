//go:build cgo

// The choice among instruction sets.

#include "kernel.h"

#if defined(__x86_64__)
static const struct gain_kernel *const kernels[GAIN_SETS] = {&gain_baseline, &gain_avx2, &gain_avx512};
#else
static const struct gain_kernel *const kernels[GAIN_SETS] = {&gain_baseline};
#endif

int gain_supported(enum gain_set set) {
	switch (set) {
	case GAIN_BASELINE:
		return 1;
#if defined(__x86_64__)
	case GAIN_AVX2:
		return !!__builtin_cpu_supports("avx2");
	case GAIN_AVX512:
		return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
		       __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#endif
	default:
		return 0;
	}
}

#define STATE ((struct gain_state){vertices, rows, columns, state, row_means, column_means, means, row_part, column_part, h, u, dh, q, h_sum})

void gain_forward(enum gain_set set, const struct gain_weights *weights, int64_t n1, int64_t n2, GAIN_MEMORY) {
	kernels[set]->forward(weights, n1, n2, &STATE);
}

void gain_backward(enum gain_set set, const struct gain_weights *weights, int64_t n1, int64_t n2, GAIN_MEMORY, struct gain_weights *gradient) {
	kernels[set]->backward(weights, n1, n2, &STATE, gradient);
}
