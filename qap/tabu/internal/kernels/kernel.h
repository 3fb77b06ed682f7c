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

// Parts that tabu_prepare computes, as bits: potentials, all of which deltas need; and either
// which pairs are tabu by the times that are in place, or that none is.
enum { TABU_POTENTIALS = 1, TABU_DELTAS = 2, TABU_PAIRS = 4, TABU_FREE = 8 };

// tabu_kernel holds the calls of one element type and instruction set.
struct tabu_kernel {
	void (*prepare)(struct tabu_state *, void *cells, void *times, const void *linear, int parts, int64_t from, int64_t to);
	void (*run)(struct tabu_state *, void *cells, void *times);
};

extern const struct tabu_kernel tabu_baseline[TABU_TYPES];
extern const struct tabu_kernel tabu_avx2[TABU_TYPES];
extern const struct tabu_kernel tabu_avx512[TABU_TYPES];

// tabu_supported reports whether this processor has an instruction set.
int tabu_supported(enum tabu_set set);

// tabu_prepare computes parts of the memory for the assignment that is in place, rows from …
// to − 1. With the potentials twice the cost is added up in the state. linear are the costs
// of facilities at locations, NULL if there are none.
void tabu_prepare(enum tabu_set set, enum tabu_type type, struct tabu_state *, void *cells, void *times, const void *linear,
	int parts, int64_t from, int64_t to);

// tabu_run searches until a limit in the state is reached.
void tabu_run(enum tabu_set set, enum tabu_type type, struct tabu_state *, void *cells, void *times);

#endif
