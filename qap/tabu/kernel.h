// The compiled kernel of the search: many steps a call. It does exactly what
// engine (engine.go) does in Go, on the same memory.

#ifndef RGM_TABU_KERNEL_H
#define RGM_TABU_KERNEL_H

#include <stdint.h>

// tabu_state mirrors the Go struct state (state.go), field by field.
struct tabu_state {
	int64_t n, width, terms;
	int64_t step, clock, best_step;
	int64_t until, patience;
	double target;
	int64_t early_steps, early_aspiration, late_aspiration;
	double early_scale, early_offset, late_scale;
	double cost, best, tolerance;
	uint64_t random[4];
};

enum tabu_type { TABU_FLOAT32, TABU_INT32, TABU_FLOAT64, TABU_TYPES };
enum tabu_set { TABU_BASELINE, TABU_AVX2, TABU_AVX512, TABU_SETS };

// tabu_kernel holds the calls of one element type and instruction set.
struct tabu_kernel {
	void (*start)(struct tabu_state *, void *cells, void *times);
	void (*restart)(struct tabu_state *, void *cells, void *times, const void *linear);
	void (*run)(struct tabu_state *, void *cells, void *times);
};

extern const struct tabu_kernel tabu_baseline[TABU_TYPES];
extern const struct tabu_kernel tabu_avx2[TABU_TYPES];
extern const struct tabu_kernel tabu_avx512[TABU_TYPES];

// tabu_supported tells whether this processor has an instruction set.
int tabu_supported(enum tabu_set set);

// tabu_start computes the potentials and deltas of the starting assignment.
void tabu_start(enum tabu_set set, enum tabu_type type, struct tabu_state *, void *cells, void *times);

// tabu_restart begins anew at the assignment that is in place; linear are the costs of
// facilities at locations, NULL if there are none.
void tabu_restart(enum tabu_set set, enum tabu_type type, struct tabu_state *, void *cells, void *times, const void *linear);

// tabu_run searches until a limit in the state is reached.
void tabu_run(enum tabu_set set, enum tabu_type type, struct tabu_state *, void *cells, void *times);

#endif
