//go:build cgo

// The loops in several instruction sets, and the choice among them.

#include "kernel.h"

#pragma GCC diagnostic ignored "-Wpsabi" // vectors are passed to nobody

#define TARGET
#define SET plain
#define BYTES 16
#include "kernel_body.h"

#if defined(__x86_64__)
#define TARGET __attribute__((target("avx2,fma")))
#define SET avx2
#define BYTES 32
#include "kernel_body.h"

#define TARGET __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,avx2,fma")))
#define SET avx512
#define BYTES 64
#include "kernel_body.h"

static int chosen(void) {
	static int set = -1;
	if (set < 0) {
		int wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
		set = wide ? 2 : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
	}
	return set;
}

#define CALL(name, ...) \
	switch (chosen()) { \
	case 2: name##_avx512(__VA_ARGS__); break; \
	case 1: name##_avx2(__VA_ARGS__); break; \
	default: name##_plain(__VA_ARGS__); \
	}
#else
#define CALL(name, ...) name##_plain(__VA_ARGS__)
#endif

void belief_exp(float *y, const float *x, int64_t n) { CALL(exp, y, x, n); }
void belief_log1p(float *y, const float *x, int64_t n) { CALL(log1p, y, x, n); }
void belief_scale(float *y, const float *x, int64_t n, float factor, float least, float most) { CALL(scale, y, x, n, factor, least, most); }
void belief_order(float *less, float *greater, const float *x, const float *y, int64_t n, float factor, float most) {
	CALL(order, less, greater, x, y, n, factor, most);
}
void belief_left(float *y, const float *x, int64_t n1, int64_t n2, const int32_t *start, const int32_t *to, float factor) {
	CALL(left, y, x, n1, n2, start, to, factor);
}
void belief_right(float *y, const float *x, int64_t n1, int64_t n2, const int32_t *start, const int32_t *to, float factor, float *spare) {
	CALL(right, y, x, n1, n2, start, to, factor, spare);
}
void belief_dense(float *y, const float *x, const float *w, const float *b, int64_t out, int64_t in, int64_t n, int relu) {
	CALL(dense, y, x, w, b, out, in, n, relu);
}
void belief_outer(float *dw, const float *dy, const float *x, int64_t out, int64_t in, int64_t n) { CALL(outer, dw, dy, x, out, in, n); }
