// The kernel of one instruction set for every element type. VECTOR_BYTES and
// KERNELS, the name of the table, are the instruction set's.

#include <math.h>
#include "kernel.h"
#include "random.h"

// An instruction set may also define SIGNS32 and SIGNS64, the signs of all lanes as
// bits; LESSER_… of an element type, the lesser of each lane of two vectors; and
// LOOKUP32(row, p, width), the entries p[k] of a row of at most LOOKUP32_WIDTH for
// the lanes k. What is not defined is written out.

#define INLINE static inline __attribute__((always_inline))

// Float32 and int32 are used only where every value is an exact integer, so a
// fused product there changes nothing.
#define CELL float
#define CELL_BYTES 4
#define TIME int32_t
#define NAME(f) f##_float32
#ifdef LESSER_FLOAT32
#define LESSER LESSER_FLOAT32
#endif
#define LARGEST_CELL INFINITY
#define LARGEST_STAYS 1
#define LEAST_LIMIT -INFINITY
#define FOREVER INT32_MAX
#include "steps.h"

#define CELL int32_t
#define CELL_BYTES 4
#define TIME int32_t
#define NAME(f) f##_int32
#ifdef LESSER_INT32
#define LESSER LESSER_INT32
#endif
#define LARGEST_CELL INT32_MAX
#define LARGEST_STAYS 0
#define LEAST_LIMIT INT32_MIN
#define FOREVER INT32_MAX
#include "steps.h"

// Float64 serves any data: no fused products, so that it rounds like Go.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif
#define CELL double
#define CELL_BYTES 8
#define TIME int64_t
#define NAME(f) f##_float64
#ifdef LESSER_FLOAT64
#define LESSER LESSER_FLOAT64
#endif
#define LARGEST_CELL INFINITY
#define LARGEST_STAYS 1
#define LEAST_LIMIT -INFINITY
#define FOREVER INT64_MAX
#include "steps.h"

const struct tabu_kernel KERNELS[TABU_TYPES] = {
	[TABU_FLOAT32] = {prepare_float32, run_float32},
	[TABU_INT32] = {prepare_int32, run_int32},
	[TABU_FLOAT64] = {prepare_float64, run_float64},
};
