// The compiled kernel of the search: many trials a call. It does exactly what
// engine (engine.go) does in Go, on the same memory.

#ifndef RGM_ANNEAL_KERNEL_H
#define RGM_ANNEAL_KERNEL_H

#include <stdint.h>

// anneal_state mirrors the Go struct state (state.go), field by field.
struct anneal_state {
	int64_t n, width, terms, lists, linear;
	int64_t step, best_step, until;
	int64_t worse, taken, unsaved;
	double temperature;
	double cost, best, tolerance;
	uint64_t random;
};

enum anneal_type { ANNEAL_INT8, ANNEAL_INT16, ANNEAL_FLOAT64, ANNEAL_TYPES };
enum anneal_set { ANNEAL_BASELINE, ANNEAL_AVX2, ANNEAL_AVX512, ANNEAL_SETS };

typedef void anneal_kernel(struct anneal_state *, void *cells, int32_t *places, const double *reals);

extern anneal_kernel *const anneal_baseline[ANNEAL_TYPES];
extern anneal_kernel *const anneal_avx2[ANNEAL_TYPES];
extern anneal_kernel *const anneal_avx512[ANNEAL_TYPES];

// anneal_supported reports whether this processor has an instruction set.
int anneal_supported(enum anneal_set set);

// anneal_run makes the steps until the one in the state.
void anneal_run(enum anneal_set set, enum anneal_type type, struct anneal_state *, void *cells, int32_t *places, const double *reals);

#endif
