// The product of matrices of float32, a function for each set of vector instructions.

#include <stdint.h>

#define PRODUCT_ARGUMENTS \
	int64_t m, int64_t n, int64_t k, float alpha, const float *a, int64_t row, int64_t inner, const float *b, int64_t ldb, float *c, int64_t ldc

// product_set is the fastest set that this processor has: of so many floats in a vector, 0 of none, where gonum's product is as fast.
int product_set(void);

// product_add is c += alpha·a·b for m·k numbers of a, row and inner apart, k rows of n numbers of b, ldb apart, and m rows of c, ldc apart.
void product_add(int set, PRODUCT_ARGUMENTS);

void product_avx2(PRODUCT_ARGUMENTS);
void product_avx512(PRODUCT_ARGUMENTS);
