// The kernel of one instruction set. VECTOR_BYTES and KERNEL, the name of the table, are the
// set's. An instruction set may also define GREATER(x, y), the greater of each lane of two
// vectors, y where one is no number, and SOME(x, count), a vector of the first count numbers and zeros.

#include <string.h>
#include "kernel.h"

// No fused products, so that it rounds like Go.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#pragma GCC diagnostic ignored "-Wpsabi" // vectors are passed to nobody
#endif

#define INLINE static inline __attribute__((always_inline))
#define PARTS (GAIN_WIDTH * 4 / VECTOR_BYTES) // vectors that hold the channels of a vertex
#define LANES (VECTOR_BYTES / 4)
#define CHANNELS GAIN_CHANNELS
#define WIDTH GAIN_WIDTH

typedef float vector __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));
typedef int32_t mask __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));

// lanes are 16 numbers.
typedef struct {
	vector part[PARTS];
} lanes;

#define EACH_PART _Pragma("GCC unroll 4") for (int c = 0; c < PARTS; c++)

INLINE lanes load(const float *x) {
	lanes l;
	EACH_PART l.part[c] = *(const vector *)(x + c * LANES);
	return l;
}

INLINE void store(float *x, lanes l) {
	EACH_PART *(vector *)(x + c * LANES) = l.part[c];
}

INLINE lanes zeros(void) {
	lanes l;
	EACH_PART l.part[c] = (vector){0};
	return l;
}

INLINE lanes plus(lanes x, lanes y) {
	EACH_PART x.part[c] = x.part[c] + y.part[c];
	return x;
}

// add_product is sum + scale·x.
INLINE lanes add_product(lanes sum, float scale, lanes x) {
	EACH_PART sum.part[c] = sum.part[c] + scale * x.part[c];
	return sum;
}

INLINE lanes times(lanes x, lanes y) {
	EACH_PART x.part[c] = x.part[c] * y.part[c];
	return x;
}

// positive is 0 for what is negative: the ReLU. What is no number stays so.
INLINE lanes positive(lanes x) {
#if defined(GREATER)
	EACH_PART x.part[c] = (vector)GREATER((vector){0}, x.part[c]);
#else
	EACH_PART x.part[c] = (vector)((mask)x.part[c] & ~(x.part[c] < (vector){0}));
#endif
	return x;
}

// where_some is x where y is not 0, else 0: the gradient of the ReLU that made y.
INLINE lanes where_some(lanes x, lanes y) {
	EACH_PART x.part[c] = (vector)((mask)x.part[c] & (y.part[c] != (vector){0}));
	return x;
}

// total is the sum of 16 numbers: of those 8 apart first, then 4, 2, 1.
INLINE float total(lanes l) {
	float x[WIDTH] __attribute__((aligned(64)));
	store(x, l);
	typedef float four __attribute__((vector_size(16)));
	const four *f = (const four *)x;
	four sum = (f[0] + f[2]) + (f[1] + f[3]);
	return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

// tail is the rest of fewer than 16 numbers, and zeros.
INLINE lanes tail(const float *x, int64_t count) {
	lanes l;
#if defined(SOME)
	EACH_PART l.part[c] = (vector)SOME(x + c * LANES, count - c * LANES);
#else
	float padded[WIDTH] = {0};
	memcpy(padded, x, count * sizeof *x);
	l = load(padded);
#endif
	return l;
}

// sum is that of n numbers: of those 16 apart first, then total.
INLINE float sum(const float *x, int64_t n) {
	lanes s = zeros();
	int64_t k = 0;
	for (; k + WIDTH <= n; k += WIDTH) s = plus(s, load(x + k));
	if (k < n) s = plus(s, tail(x + k, n - k));
	return total(s);
}

// dot is the sum of n products, in the order of sum.
INLINE float dot(const float *x, const float *y, int64_t n) {
	lanes s = zeros();
	int64_t k = 0;
	for (; k + WIDTH <= n; k += WIDTH) s = plus(s, times(load(x + k), load(y + k)));
	if (k < n) s = plus(s, times(tail(x + k, n - k), tail(y + k, n - k)));
	return total(s);
}

// sums writes those of the rows and of the columns of x, n1×n2.
INLINE void sums(const float *x, int64_t n1, int64_t n2, float *rows, float *columns) {
	memset(columns, 0, n2 * sizeof *columns);
	for (int64_t i = 0; i < n1; i++, x += n2) {
		rows[i] = sum(x, n2);
		for (int64_t a = 0; a < n2; a++) columns[a] = columns[a] + x[a];
	}
}

// set_means fills in the means of all channels.
INLINE void set_means(int64_t n1, int64_t n2, const struct gain_state *s) {
	const float by_row = 1 / (float)n2, by_column = 1 / (float)n1;
	float *rows = s->row_means, *columns = s->column_means, *all = s->means;
	int j = 0;
	for (int k = 0; k < GAIN_VERTEX; k++, j++) {
		// The parts serve as memory here.
		float *row = s->row_part, *column = s->column_part;
		sums(s->vertices + k * n1 * n2, n1, n2, row, column);
		all[j] = sum(row, n1) * by_row * by_column;
		for (int64_t i = 0; i < n1; i++) rows[i * CHANNELS + j] = row[i] * by_row;
		for (int64_t a = 0; a < n2; a++) columns[a * CHANNELS + j] = column[a] * by_column;
	}
	for (int k = 0; k < GAIN_ROW; k++, j++) {
		const float *x = s->rows + k * n1;
		all[j] = sum(x, n1) * by_column;
		for (int64_t i = 0; i < n1; i++) rows[i * CHANNELS + j] = x[i];
		for (int64_t a = 0; a < n2; a++) columns[a * CHANNELS + j] = all[j];
	}
	for (int k = 0; k < GAIN_COLUMN; k++, j++) {
		const float *x = s->columns + k * n2;
		all[j] = sum(x, n2) * by_row;
		for (int64_t i = 0; i < n1; i++) rows[i * CHANNELS + j] = all[j];
		for (int64_t a = 0; a < n2; a++) columns[a * CHANNELS + j] = x[a];
	}
	for (int k = 0; k < GAIN_STATE; k++, j++) {
		all[j] = s->state[k];
		for (int64_t i = 0; i < n1; i++) rows[i * CHANNELS + j] = all[j];
		for (int64_t a = 0; a < n2; a++) columns[a * CHANNELS + j] = all[j];
	}
}

// projected is begin plus the channels x times their weights.
INLINE lanes projected(lanes begin, const float *x, const float (*weights)[WIDTH]) {
	for (int j = 0; j < CHANNELS; j++) begin = add_product(begin, x[j], load(weights[j]));
	return begin;
}

// set_parts fills in what rows, with the state, and columns add to the first hidden layer.
INLINE void set_parts(const struct gain_weights *w, int64_t n1, int64_t n2, const struct gain_state *s) {
	lanes all = projected(load(w->b), s->means, w->all);
	for (int64_t i = 0; i < n1; i++) store(s->row_part + i * WIDTH, projected(all, s->row_means + i * CHANNELS, w->rows));
	for (int64_t a = 0; a < n2; a++) store(s->column_part + a * WIDTH, projected(zeros(), s->column_means + a * CHANNELS, w->columns));
}

// TOGETHER vertices are computed side by side.
#define TOGETHER 4

// first_layer sets h of count vertices from v on in the row of part row, and adds it to a sum.
INLINE lanes first_layer(const lanes *weights, const float *x, int64_t vertices, lanes row, const float *column, float *h, const int count, lanes all) {
	lanes z[TOGETHER];
	for (int t = 0; t < count; t++) z[t] = plus(row, load(column + t * WIDTH));
#pragma GCC unroll 9
	for (int k = 0; k < GAIN_VERTEX; k++) {
		for (int t = 0; t < count; t++) z[t] = add_product(z[t], x[k * vertices + t], weights[k]);
	}
	for (int t = 0; t < count; t++) {
		z[t] = positive(z[t]);
		store(h + t * WIDTH, z[t]);
		all = plus(all, z[t]);
	}
	return all;
}

INLINE void set_hidden(const struct gain_weights *w, int64_t n1, int64_t n2, const struct gain_state *s) {
	lanes weights[GAIN_VERTEX], all = zeros();
	for (int k = 0; k < GAIN_VERTEX; k++) weights[k] = load(w->vertices[k]);
	for (int64_t i = 0; i < n1; i++) {
		lanes row = load(s->row_part + i * WIDTH);
		int64_t a = 0;
		for (; a + TOGETHER <= n2; a += TOGETHER) {
			int64_t v = i * n2 + a;
			all = first_layer(weights, s->vertices + v, n1 * n2, row, s->column_part + a * WIDTH, s->h + v * WIDTH, TOGETHER, all);
		}
		for (; a + 2 <= n2; a += 2) {
			int64_t v = i * n2 + a;
			all = first_layer(weights, s->vertices + v, n1 * n2, row, s->column_part + a * WIDTH, s->h + v * WIDTH, 2, all);
		}
		for (; a < n2; a++) {
			int64_t v = i * n2 + a;
			all = first_layer(weights, s->vertices + v, n1 * n2, row, s->column_part + a * WIDTH, s->h + v * WIDTH, 1, all);
		}
	}
	store(s->h_sum, all);
}

// second_layer sets u and q of count vertices.
INLINE void second_layer(const lanes *weights, lanes bias, lanes output, const float *h, float *u, float *q, const int count) {
	lanes z[TOGETHER];
	for (int t = 0; t < count; t++) z[t] = bias;
#pragma GCC unroll 16
	for (int k = 0; k < WIDTH; k++) {
		for (int t = 0; t < count; t++) z[t] = add_product(z[t], h[t * WIDTH + k], weights[k]);
	}
	for (int t = 0; t < count; t++) {
		z[t] = positive(z[t]);
		store(u + t * WIDTH, z[t]);
		q[t] = total(times(z[t], output));
	}
}

INLINE void set_advantages(const struct gain_weights *w, int64_t vertices, const struct gain_state *s) {
	lanes weights[WIDTH], bias = load(w->b1), output = load(w->w2);
	for (int k = 0; k < WIDTH; k++) weights[k] = load(w->w1[k]);
	int64_t v = 0;
	for (; v + TOGETHER <= vertices; v += TOGETHER) second_layer(weights, bias, output, s->h + v * WIDTH, s->u + v * WIDTH, s->q + v, TOGETHER);
	for (; v < vertices; v++) second_layer(weights, bias, output, s->h + v * WIDTH, s->u + v * WIDTH, s->q + v, 1);
}

// add_skip adds the skip connection of all but the state's channels, which all vertices have alike.
INLINE void add_skip(const struct gain_weights *w, int64_t n1, int64_t n2, const struct gain_state *s) {
	const float *row_skip = w->skip + GAIN_VERTEX, *column_skip = row_skip + GAIN_ROW;
	float *columns = s->column_part; // needed no more
	for (int64_t a = 0; a < n2; a++) {
		columns[a] = 0;
		for (int k = 0; k < GAIN_COLUMN; k++) columns[a] = columns[a] + column_skip[k] * s->columns[k * n2 + a];
	}
	for (int k = 0; k < GAIN_VERTEX; k++) {
		const float *x = s->vertices + k * n1 * n2, scale = w->skip[k];
		for (int64_t v = 0; v < n1 * n2; v++) s->q[v] = s->q[v] + scale * x[v];
	}
	for (int64_t i = 0; i < n1; i++) {
		float row = 0;
		for (int k = 0; k < GAIN_ROW; k++) row = row + row_skip[k] * s->rows[k * n1 + i];
		float *q = s->q + i * n2;
		for (int64_t a = 0; a < n2; a++) q[a] = q[a] + (row + columns[a]);
	}
}

static void forward(const struct gain_weights *w, int64_t n1, int64_t n2, const struct gain_state *s) {
	set_means(n1, n2, s);
	set_parts(w, n1, n2, s);
	set_hidden(w, n1, n2, s);
	set_advantages(w, n1 * n2, s);
	add_skip(w, n1, n2, s);
}

// add_skip_gradient adds that of the skip connection.
INLINE void add_skip_gradient(int64_t n1, int64_t n2, const struct gain_state *s, struct gain_weights *g) {
	int j = 0;
	for (; j < GAIN_VERTEX; j++) g->skip[j] = g->skip[j] + dot(s->vertices + j * n1 * n2, s->q, n1 * n2);
	float *rows = s->row_part, *columns = s->column_part;
	sums(s->q, n1, n2, rows, columns);
	for (int k = 0; k < GAIN_ROW; k++, j++) g->skip[j] = g->skip[j] + dot(s->rows + k * n1, rows, n1);
	for (int k = 0; k < GAIN_COLUMN; k++, j++) g->skip[j] = g->skip[j] + dot(s->columns + k * n2, columns, n2);
}

// second_back adds the gradients of the second layer's weights, and puts those of its sums in dh.
INLINE void second_back(const struct gain_weights *w, int64_t vertices, const struct gain_state *s, struct gain_weights *g) {
	lanes by_h[WIDTH], bias = load(g->b1), output = load(g->w2), weights = load(w->w2);
	for (int k = 0; k < WIDTH; k++) by_h[k] = load(g->w1[k]);
	for (int64_t v = 0; v < vertices; v++) {
		lanes u = load(s->u + v * WIDTH), du = zeros();
		float dq = s->q[v];
		output = add_product(output, dq, u);
		EACH_PART du.part[c] = dq * weights.part[c];
		du = where_some(du, u);
		bias = plus(bias, du);
		store(s->dh + v * WIDTH, du);
		const float *h = s->h + v * WIDTH;
#pragma GCC unroll 16
		for (int k = 0; k < WIDTH; k++) by_h[k] = add_product(by_h[k], h[k], du);
	}
	for (int k = 0; k < WIDTH; k++) store(g->w1[k], by_h[k]);
	store(g->b1, bias);
	store(g->w2, output);
}

// hidden_back puts in the place of the gradient of the second layer's sums, of count vertices, that
// of the first's.
INLINE void hidden_back(const lanes *transposed, lanes mean, const float *h, float *d, const int count) {
	lanes z[TOGETHER];
	for (int t = 0; t < count; t++) z[t] = mean;
#pragma GCC unroll 16
	for (int k = 0; k < WIDTH; k++) {
		for (int t = 0; t < count; t++) z[t] = add_product(z[t], d[t * WIDTH + k], transposed[k]);
	}
	for (int t = 0; t < count; t++) store(d + t * WIDTH, where_some(z[t], load(h + t * WIDTH)));
}

INLINE void set_hidden_back(const struct gain_weights *w, int64_t vertices, const struct gain_state *s) {
	lanes transposed[WIDTH], mean = load(s->h_sum);
	for (int k = 0; k < WIDTH; k++) {
		float column[WIDTH];
		for (int j = 0; j < WIDTH; j++) column[j] = w->w1[j][k];
		transposed[k] = load(column);
	}
	int64_t v = 0;
	for (; v + TOGETHER <= vertices; v += TOGETHER) hidden_back(transposed, mean, s->h + v * WIDTH, s->dh + v * WIDTH, TOGETHER);
	for (; v < vertices; v++) hidden_back(transposed, mean, s->h + v * WIDTH, s->dh + v * WIDTH, 1);
}

// first_back adds the gradients of the weights of vertices, and puts the sums over rows and
// columns in the parts.
INLINE void first_back(int64_t n1, int64_t n2, const struct gain_state *s, struct gain_weights *g) {
	lanes by_x[GAIN_VERTEX];
	for (int k = 0; k < GAIN_VERTEX; k++) by_x[k] = load(g->vertices[k]);
	memset(s->column_part, 0, n2 * WIDTH * sizeof(float));
	for (int64_t i = 0; i < n1; i++) {
		lanes row = zeros();
		for (int64_t a = 0; a < n2; a++) {
			int64_t v = i * n2 + a;
			lanes d = load(s->dh + v * WIDTH);
			row = plus(row, d);
			store(s->column_part + a * WIDTH, plus(load(s->column_part + a * WIDTH), d));
#pragma GCC unroll 9
			for (int k = 0; k < GAIN_VERTEX; k++) by_x[k] = add_product(by_x[k], s->vertices[k * n1 * n2 + v], d);
		}
		store(s->row_part + i * WIDTH, row);
	}
	for (int k = 0; k < GAIN_VERTEX; k++) store(g->vertices[k], by_x[k]);
}

// add_projection adds the gradient of projected for count nodes.
INLINE void add_projection(float (*gradient)[WIDTH], const float *means, const float *d, int64_t count) {
	for (int j = 0; j < CHANNELS; j++) {
		lanes sum = load(gradient[j]);
		for (int64_t i = 0; i < count; i++) sum = add_product(sum, means[i * CHANNELS + j], load(d + i * WIDTH));
		store(gradient[j], sum);
	}
}

static void backward(const struct gain_weights *w, int64_t n1, int64_t n2, const struct gain_state *s, struct gain_weights *g) {
	add_skip_gradient(n1, n2, s, g);
	second_back(w, n1 * n2, s, g);
	set_hidden_back(w, n1 * n2, s);
	first_back(n1, n2, s, g);
	add_projection(g->rows, s->row_means, s->row_part, n1);
	add_projection(g->columns, s->column_means, s->column_part, n2);
	lanes all = zeros();
	for (int64_t i = 0; i < n1; i++) all = plus(all, load(s->row_part + i * WIDTH));
	store(s->h_sum, all);
	add_projection(g->all, s->means, s->h_sum, 1);
	store(g->b, plus(load(g->b), all));
}

const struct gain_kernel KERNEL = {forward, backward};
