#include <stdint.h>

// The loops of steps over pairs, in the best instruction set of the processor. Package belief
// says what each does; the same in Go is in kernel_go.go.

void belief_exp(float *y, const float *x, int64_t n);
void belief_log1p(float *y, const float *x, int64_t n);
void belief_scale(float *y, const float *x, int64_t n, float factor, float least, float most);
void belief_order(float *less, float *greater, const float *x, const float *y, int64_t n, float factor, float most);
void belief_left(float *y, const float *x, int64_t n1, int64_t n2, const int32_t *start, const int32_t *to, float factor);

// spare has room for 2·16·n2 floats.
void belief_right(float *y, const float *x, int64_t n1, int64_t n2, const int32_t *start, const int32_t *to, float factor, float *spare);

// y, out×n, is w·x + b, with w out×in and x in×n, and 0 in place of what is negative where relu is not 0.
void belief_dense(float *y, const float *x, const float *w, const float *b, int64_t out, int64_t in, int64_t n, int relu);

// dw, out×in, grows by dy·xᵀ, of dy out×n and x in×n.
void belief_outer(float *dw, const float *dy, const float *x, int64_t out, int64_t in, int64_t n);
