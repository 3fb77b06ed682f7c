// The kernel of one element type: CELL, TIME (an integer as wide) and NAME are
// the caller's and are undefined at the end.
//
// Rows and columns of matrices are padded to a multiple of 16. A block is 16
// columns of a row, whatever the length of a vector, so that every instruction
// set meets the same swaps in the same order.

#define BLOCK 16
#define LANES (VECTOR_BYTES / CELL_BYTES)
#define PARTS (BLOCK / LANES) // vectors a block
#define cells NAME(cells)
#define times NAME(times)
#define view NAME(view)
#define candidates NAME(candidates)

typedef CELL cells __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef TIME times __attribute__((vector_size(VECTOR_BYTES), may_alias));

#define ALIGNED __attribute__((aligned(VECTOR_BYTES)))
#define CELLS(pointer) (*(cells *)(pointer))
#define TIMES(pointer) (*(times *)(pointer))
#define SPREAD_CELL(x) ((CELL)(x) - (cells){0}) // x in every lane
#define SPREAD_TIME(x) ((TIME)(x) - (times){0})
#define SELECT(mask, x, y) (((x) & (mask)) | ((y) & ~(mask))) // by lane

// EACH is f of LANES numbers from k on, as the values of a vector.
#define EACH2(f, k) f(k), f(k + 1)
#define EACH4(f, k) EACH2(f, k), EACH2(f, k + 2)
#define EACH8(f, k) EACH4(f, k), EACH4(f, k + 4)
#define EACH16(f, k) EACH8(f, k), EACH8(f, k + 8)
#if LANES == 2
#define EACH EACH2
#elif LANES == 4
#define EACH EACH4
#elif LANES == 8
#define EACH EACH8
#else
#define EACH EACH16
#endif

// view names the parts of the memory, in the order of memory.go.
struct view {
	int64_t n, width;
	CELL *potential, *delta, *flow[2], *distance[2], *flow_sum;
	CELL *u[2], *w[2], *w_facility[2], *near[2][2], *held;
	TIME *pair_until, *until, *until_by_location, *p, *best, *oldest;
};

INLINE struct view NAME(view_of)(int64_t n, int64_t width, CELL *c, TIME *t) {
	int64_t square = width * width;
	CELL *vector = c + 7 * square;
	TIME *time_vector = t + 3 * square;
	return (struct view){
		.n = n, .width = width,
		.potential = c, .delta = c + square,
		.flow = {c + 2 * square, c + 3 * square}, .distance = {c + 4 * square, c + 5 * square},
		.flow_sum = c + 6 * square,
		.u = {vector, vector + width}, .w = {vector + 2 * width, vector + 3 * width},
		.w_facility = {vector + 4 * width, vector + 5 * width},
		.near = {{vector + 6 * width, vector + 7 * width}, {vector + 8 * width, vector + 9 * width}},
		.held = vector + 10 * width,
		.pair_until = t, .until = t + square, .until_by_location = t + 2 * square,
		.p = time_vector, .best = time_vector + width,
		.oldest = time_vector + 2 * width,
	};
}

// add_scaled is the rank-one update of one row: e += scale·x.
INLINE void NAME(add_scaled)(CELL *e, CELL scale, const CELL *x, int64_t width) {
	cells factor = SPREAD_CELL(scale);
	for (int64_t k = 0; k < width; k += LANES) CELLS(e + k) = CELLS(e + k) + factor * CELLS(x + k);
}

// signs returns the signs of all lanes as bits.
INLINE uint64_t NAME(signs)(times x) {
#if CELL_BYTES == 4 && defined(SIGNS32)
	return SIGNS32(x);
#elif CELL_BYTES == 8 && defined(SIGNS64)
	return SIGNS64(x);
#else
	uint64_t bits = 0;
	for (int k = 0; k < LANES; k++) bits |= (uint64_t)(x[k] < 0) << k;
	return bits;
#endif
}

// nonzeros says in bit i whether x[from+i] is not 0, of up to 64.
INLINE uint64_t NAME(nonzeros)(const CELL *x, int64_t from, int64_t width) {
	uint64_t bits = 0;
	int64_t count = width - from < 64 ? width - from : 64;
	for (int64_t k = 0; k < count; k += LANES) bits |= NAME(signs)(CELLS(x + from + k) != 0) << k;
	return bits;
}

// at returns the entries p[k…] of a row over locations: it is brought into the order
// of facilities.
INLINE cells NAME(at)(const CELL *row, const TIME *p, int64_t k, int64_t width) {
#if defined(LOOKUP32) && CELL_BYTES == 4
	if (width <= LOOKUP32_WIDTH) return (cells)LOOKUP32((const int32_t *)row, (const int32_t *)(p + k), width);
#endif
#define AT(k) row[p[k]]
	return (cells){EACH(AT, k)};
#undef AT
}

INLINE times NAME(times_at)(const TIME *row, const TIME *p, int64_t k, int64_t width) {
	return (times)NAME(at)((const CELL *)row, p, k, width);
}

// block_end is the end of the block of column q, or of the columns.
INLINE int64_t NAME(block_end)(const struct view *v, int64_t q) {
	int64_t end = (q & -BLOCK) + BLOCK;
	return end < v->n ? end : v->n;
}

// least_time is the least of the lanes.
INLINE TIME NAME(least_time)(times t) {
	TIME lanes[LANES] ALIGNED;
	TIMES(lanes) = t;
	for (int half = LANES / 2; half > 0; half /= 2) {
		for (int k = 0; k < half; k++) lanes[k] = lanes[k + half] < lanes[k] ? lanes[k + half] : lanes[k];
	}
	return lanes[0];
}

// set_pair_until renews the row and column of q: a pair is tabu until the lesser
// of what its two facilities are.
INLINE void NAME(set_pair_until)(const struct view *v, int64_t q) {
	int64_t width = v->width;
	TIME *pairs = v->pair_until + q * width;
	const TIME *until = v->until + q * width, *by_location = v->until_by_location + v->p[q] * width;
	for (int64_t k = 0; k < width; k += LANES) {
		times x = NAME(times_at)(until, v->p, k, width), y = TIMES(by_location + k);
		TIMES(pairs + k) = SELECT(x < y, x, y);
	}
	pairs[q] = FOREVER;
	for (int64_t k = 0, end = NAME(block_end)(v, q); k < end; k++) v->pair_until[k * width + q] = pairs[k];

	// The column is part of the rows above, the rest of the row is q's.
	for (int64_t k = 0; k < (q & -BLOCK) + BLOCK; k += LANES) {
		times x = TIMES(pairs + k), y = TIMES(v->oldest + k);
		TIMES(v->oldest + k) = SELECT(x < y, x, y);
	}
	times least = SPREAD_TIME(FOREVER);
	for (int64_t k = q & -BLOCK; k < width; k += LANES) {
		times x = TIMES(pairs + k);
		least = SELECT(x < least, x, least);
	}
	v->oldest[q] = NAME(least_time)(least);
}

// set_near sets the distances from the location of q to those of the facilities.
INLINE void NAME(set_near)(const struct view *v, const int terms, int64_t q, CELL *const near[2]) {
	for (int t = 0; t < terms; t++) {
		const CELL *row = v->distance[t] + v->p[q] * v->width;
		for (int64_t k = 0; k < v->width; k += LANES) CELLS(near[t] + k) = NAME(at)(row, v->p, k, v->width);
	}
}

// set_deltas computes deltas of q from the potentials, those of columns from … to − 1. What
// the update in the next scan will take from them is added beforehand where pending.
INLINE void NAME(set_deltas)(const struct view *v, const int terms, int64_t q, CELL *const near[2], const int pending, int64_t from, int64_t to) {
	int64_t width = v->width;
	CELL *delta = v->delta + q * width, *row = v->potential + q * width, *column = v->potential + v->p[q];
#define OF_COLUMN(k) column[(k) * width]
	for (int64_t k = from; k < to; k += LANES) {
		cells x = NAME(at)(row, v->p, k, width) - v->held[q] + (cells){EACH(OF_COLUMN, k)} - CELLS(v->held + k);
		x = x + CELLS(v->flow_sum + q * width + k) * (CELLS(near[0] + k) + CELLS(near[terms - 1] + k));
		for (int t = 0; pending && t < terms; t++) {
			x = x + (v->u[t][q] - CELLS(v->u[t] + k)) * (v->w_facility[t][q] - CELLS(v->w_facility[t] + k));
		}
		CELLS(delta + k) = x;
	}
#undef OF_COLUMN
}

// set_delta_column completes the deltas of q: its column is part of the rows above.
INLINE void NAME(set_delta_column)(const struct view *v, int64_t q) {
	CELL *delta = v->delta + q * v->width;
	delta[q] = LARGEST_CELL;
	for (int64_t k = 0, end = NAME(block_end)(v, q); k < end; k++) v->delta[k * v->width + q] = delta[k];
}

INLINE void NAME(set_delta_row)(const struct view *v, const int terms, int64_t q, CELL *const near[2]) {
	NAME(set_deltas)(v, terms, q, near, 1, 0, v->width);
	NAME(set_delta_column)(v, q);
}

#include "choose.h"

// exchange swaps the locations of r and q. The deltas of other pairs are left to
// the next scan.
INLINE void NAME(exchange)(struct tabu_state *s, const struct view *v, const int terms, int64_t r, int64_t q) {
	int64_t width = v->width, from = v->p[r], to = v->p[q];
	s->cost += v->delta[r * width + q];
	for (int t = 0; t < terms; t++) {
		const CELL *flow_r = v->flow[t] + r * width, *flow_q = v->flow[t] + q * width;
		const CELL *d_from = v->distance[t] + from * width, *d_to = v->distance[t] + to * width;
		for (int64_t k = 0; k < width; k += LANES) {
			CELLS(v->u[t] + k) = CELLS(flow_r + k) - CELLS(flow_q + k);
			CELLS(v->w[t] + k) = CELLS(d_to + k) - CELLS(d_from + k);
		}
	}
	v->p[r] = to;
	v->p[q] = from;
	NAME(set_near)(v, terms, r, v->near[0]);
	NAME(set_near)(v, terms, q, v->near[1]);
	for (int t = 0; t < terms; t++) {
		for (int64_t first = 0; first < width; first += 64) {
			for (uint64_t changed = NAME(nonzeros)(v->u[t], first, width); changed; changed &= changed - 1) {
				int64_t i = first + __builtin_ctzll(changed);
				NAME(add_scaled)(v->potential + i * width, v->u[t][i], v->w[t], width);
			}
		}
		for (int64_t k = 0; k < width; k += LANES) {
			cells w = CELLS(v->near[0][t] + k) - CELLS(v->near[1][t] + k);
			CELLS(v->w_facility[t] + k) = w;
			CELLS(v->held + k) = CELLS(v->held + k) + CELLS(v->u[t] + k) * w;
		}
	}
	v->held[r] = v->potential[r * width + to];
	v->held[q] = v->potential[q * width + from];
	NAME(set_delta_row)(v, terms, r, v->near[0]);
	NAME(set_delta_row)(v, terms, q, v->near[1]);
}

// forbid keeps i from location a for a random time.
INLINE void NAME(forbid)(struct tabu_state *s, const struct view *v, int64_t i, int64_t a) {
	double u = random_unit(s->random);
	double tenure = s->step < s->early_steps ? s->early_scale * (s->early_offset + u) : s->late_scale * u * u * u;
	TIME until = (TIME)(s->clock + 1 + (int64_t)tenure);
	v->until[i * v->width + a] = until;
	v->until_by_location[a * v->width + i] = until;
}

INLINE void NAME(search)(struct tabu_state *s, const struct view *v, const int terms) {
	while (s->step < s->until && s->best > s->target && s->step - s->best_step < s->patience) {
		int64_t choice = NAME(choose)(s, v, terms), r = choice / v->width, q = choice % v->width;
		NAME(exchange)(s, v, terms, r, q);
		NAME(forbid)(s, v, r, v->p[q]);
		NAME(forbid)(s, v, q, v->p[r]);
		NAME(set_pair_until)(v, r);
		NAME(set_pair_until)(v, q);
		s->step++;
		s->clock++;
		if (s->cost < s->best - s->tolerance) {
			s->best = s->cost;
			s->best_step = s->step;
			for (int64_t i = 0; i < v->n; i++) v->best[i] = v->p[i];
		}
	}
}

static void NAME(run)(struct tabu_state *s, void *cell_memory, void *time_memory) {
	struct view v = NAME(view_of)(s->n, s->width, cell_memory, time_memory);
	if (s->terms == 1) NAME(search)(s, &v, 1);
	else NAME(search)(s, &v, 2);
}

#include "prepare.h"

#undef BLOCK
#undef LANES
#undef PARTS
#undef cells
#undef times
#undef view
#undef candidates
#undef ALIGNED
#undef CELLS
#undef TIMES
#undef SPREAD_CELL
#undef SPREAD_TIME
#undef SELECT
#undef EACH
#undef EACH2
#undef EACH4
#undef EACH8
#undef EACH16
#undef CELL
#undef CELL_BYTES
#undef TIME
#undef NAME
#undef LARGEST_CELL
#undef LARGEST_STAYS
#undef LEAST_LIMIT
#undef FOREVER
#undef LESSER
