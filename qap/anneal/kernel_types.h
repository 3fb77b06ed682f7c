// The kernel of one instruction set for both element types. KERNELS, the name of the
// table, is the instruction set's. No product is fused, so that all round like Go.

#include "kernel.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif

// The constants of engine.go.
#define THRESHOLDS 4096
#define THRESHOLD_BITS 12
#define PARTNERS_OF_ROW 8

#define INLINE static inline __attribute__((always_inline))

// next_random is SplitMix64 (Steele, Lea, Flood, doi:10.1145/2660193.2660195).
INLINE uint64_t next_random(uint64_t *state) {
	uint64_t z = *state += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

// below returns 0..n-1 by the low half of bits; its bias, below n/2³², does not
// matter here.
INLINE int64_t below(uint64_t bits, int64_t n) { return (int64_t)((bits & 0xffffffff) * (uint64_t)n >> 32); }

#define CELL int8_t // between lists only: rows are not multiplied in it
#define SUM int32_t
#define NAME(f) f##_int8
#include "kernel_steps.h"

#define CELL int16_t
#define SUM int32_t
#define NAME(f) f##_int16
#include "kernel_steps.h"

#define CELL double
#define SUM double
#define LANES 8
#define NAME(f) f##_float64
#include "kernel_steps.h"

anneal_kernel *const KERNELS[ANNEAL_TYPES] = {
	[ANNEAL_INT8] = run_int8,
	[ANNEAL_INT16] = run_int16,
	[ANNEAL_FLOAT64] = run_float64,
};
