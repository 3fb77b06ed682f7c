// c += alpha·a·b of one instruction set, in rows of b: each number of c gets its terms in their order, no product is
// fused with the sum, and terms whose factor of a is 0 change nothing. VECTOR_BYTES and NAME, that of the function, are the set's.

#include "kernel.h"

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#pragma GCC diagnostic ignored "-Wpsabi" // vectors are passed to nobody
#endif

#define INLINE static inline __attribute__((always_inline))
#define LANES (VECTOR_BYTES / 4)

typedef float vector __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));

enum { ROWS = 4, VECTORS = 4 }; // of c that are held in registers

// block adds to some rows and vectors of c.
INLINE void block(int rows, int vectors, int64_t k, float alpha, const float *a, int64_t row, int64_t inner, const float *b, int64_t ldb, float *c, int64_t ldc) {
	vector sum[ROWS][VECTORS];
	for (int r = 0; r < rows; r++)
		for (int v = 0; v < vectors; v++) sum[r][v] = *(const vector *)(c + r * ldc + v * LANES);
	for (int64_t l = 0; l < k; l++, a += inner, b += ldb) {
		float factor[ROWS];
		int some = 0;
		for (int r = 0; r < rows; r++) {
			factor[r] = alpha * a[r * row];
			some |= factor[r] != 0;
		}
		if (!some) continue; // as where all of these rows are behind a ReLU
		for (int v = 0; v < vectors; v++) {
			vector of = *(const vector *)(b + v * LANES);
			for (int r = 0; r < rows; r++) sum[r][v] += factor[r] * of;
		}
	}
	for (int r = 0; r < rows; r++)
		for (int v = 0; v < vectors; v++) *(vector *)(c + r * ldc + v * LANES) = sum[r][v];
}

// columns adds to all rows of some vectors of c.
INLINE void columns(int vectors, int64_t m, int64_t k, float alpha, const float *a, int64_t row, int64_t inner, const float *b, int64_t ldb, float *c, int64_t ldc) {
	int64_t i = 0;
	for (; i + ROWS <= m; i += ROWS) block(ROWS, vectors, k, alpha, a + i * row, row, inner, b, ldb, c + i * ldc, ldc);
	for (; i < m; i++) block(1, vectors, k, alpha, a + i * row, row, inner, b, ldb, c + i * ldc, ldc);
}

void NAME(int64_t m, int64_t n, int64_t k, float alpha, const float *a, int64_t row, int64_t inner, const float *b, int64_t ldb, float *c, int64_t ldc) {
	int64_t j = 0;
	for (; j + VECTORS * LANES <= n; j += VECTORS * LANES) columns(VECTORS, m, k, alpha, a, row, inner, b + j, ldb, c + j, ldc);
	for (; j + 2 * LANES <= n; j += 2 * LANES) columns(2, m, k, alpha, a, row, inner, b + j, ldb, c + j, ldc);
	for (; j + LANES <= n; j += LANES) columns(1, m, k, alpha, a, row, inner, b + j, ldb, c + j, ldc);
	for (int64_t i = 0; i < m && j < n; i++)
		for (int64_t l = 0; l < k; l++) {
			float factor = alpha * a[i * row + l * inner];
			if (factor != 0)
				for (int64_t q = j; q < n; q++) c[i * ldc + q] += factor * b[l * ldb + q];
		}
}
