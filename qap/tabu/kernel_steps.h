// The kernel of one element type: CELL, TIME (an integer as wide) and NAME are
// the caller's and are undefined at the end.
//
// Rows and columns of matrices are padded to a multiple of 16. A block is 16
// columns of a row, whatever the length of a vector, so that every instruction
// set meets the same swaps in the same order.

#define BLOCK 16
#define LANES (VECTOR_BYTES / (int)sizeof(CELL))
#define PARTS (BLOCK / LANES) // vectors a block
#define cells NAME(cells)
#define times NAME(times)
#define view NAME(view)

typedef CELL cells __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef TIME times __attribute__((vector_size(VECTOR_BYTES), may_alias));

#define ALIGNED __attribute__((aligned(VECTOR_BYTES)))
#define CELLS(pointer) (*(cells *)(pointer))
#define TIMES(pointer) (*(times *)(pointer))
#define SPREAD_CELL(x) ((CELL)(x) - (cells){0}) // x in every lane
#define SPREAD_TIME(x) ((TIME)(x) - (times){0})

// view names the parts of the memory, in the order of memory.go.
struct view {
	int64_t n, width;
	CELL *potential, *delta, *flow[2], *distance[2], *flow_sum;
	CELL *u[2], *w[2], *w_facility[2], *near[2][2], *held, *row, *column;
	TIME *pair_until, *until, *until_by_location, *p, *best;
};

static struct view NAME(view_of)(const struct tabu_state *s, CELL *c, TIME *t) {
	struct view v = {.n = s->n, .width = s->width};
	int64_t square = v.width * v.width;
	CELL **matrices[] = {&v.potential, &v.delta, &v.flow[0], &v.flow[1],
		&v.distance[0], &v.distance[1], &v.flow_sum};
	for (unsigned k = 0; k < sizeof matrices / sizeof *matrices; k++, c += square) *matrices[k] = c;
	CELL **vectors[] = {&v.u[0], &v.u[1], &v.w[0], &v.w[1], &v.w_facility[0], &v.w_facility[1],
		&v.near[0][0], &v.near[0][1],
		&v.near[1][0], &v.near[1][1], &v.held, &v.row, &v.column};
	for (unsigned k = 0; k < sizeof vectors / sizeof *vectors; k++, c += v.width) *vectors[k] = c;
	TIME **time_matrices[] = {&v.pair_until, &v.until, &v.until_by_location};
	for (unsigned k = 0; k < sizeof time_matrices / sizeof *time_matrices; k++, t += square) *time_matrices[k] = t;
	TIME **time_vectors[] = {&v.p, &v.best};
	for (unsigned k = 0; k < sizeof time_vectors / sizeof *time_vectors; k++, t += v.width) *time_vectors[k] = t;
	return v;
}

// add_scaled is the rank-one update of one row: e += scale·x.
INLINE void NAME(add_scaled)(CELL *e, CELL scale, const CELL *x, int64_t width) {
	cells factor = SPREAD_CELL(scale);
	for (int64_t k = 0; k < width; k += LANES) CELLS(e + k) = CELLS(e + k) + factor * CELLS(x + k);
}

// permute brings a row over locations into the order of facilities.
INLINE void NAME(permute)(CELL *restrict out, const CELL *restrict row, const TIME *restrict p, int64_t width) {
	for (int64_t k = 0; k < width; k++) out[k] = row[p[k]];
}

// set_pair_until renews the row and column of q: a pair is tabu until the lesser
// of what its two facilities are.
INLINE void NAME(set_pair_until)(const struct view *v, int64_t q) {
	int64_t width = v->width;
	TIME *pairs = v->pair_until + q * width;
	const TIME *until = v->until + q * width, *by_location = v->until_by_location + v->p[q] * width;
	for (int64_t k = 0; k < width; k++) {
		TIME x = until[v->p[k]], y = by_location[k];
		pairs[k] = x < y ? x : y;
	}
	pairs[q] = FOREVER;
	int64_t end = (q & -BLOCK) + BLOCK < v->n ? (q & -BLOCK) + BLOCK : v->n;
	for (int64_t k = 0; k < end; k++) v->pair_until[k * width + q] = pairs[k];
}

// set_near sets the distances from the location of q to those of the facilities.
INLINE void NAME(set_near)(const struct view *v, const int terms, int64_t q, CELL *const near[2]) {
	for (int t = 0; t < terms; t++) {
		NAME(permute)(near[t], v->distance[t] + v->p[q] * v->width, v->p, v->width);
	}
}

// set_delta_row computes the deltas of q from the potentials. What the update in
// the next scan will take from them is added beforehand where pending.
INLINE void NAME(set_delta_row)(const struct view *v, const int terms, int64_t q, CELL *const near[2], const int pending) {
	int64_t width = v->width;
	CELL *delta = v->delta + q * width;
	for (int64_t k = 0; k < v->n; k++) v->column[k] = v->potential[k * width + v->p[q]];
	NAME(permute)(v->row, v->potential + q * width, v->p, width);
	for (int64_t k = 0; k < width; k += LANES) {
		cells x = CELLS(v->row + k) - v->held[q] + CELLS(v->column + k) - CELLS(v->held + k);
		x = x + CELLS(v->flow_sum + q * width + k) * (CELLS(near[0] + k) + CELLS(near[terms - 1] + k));
		for (int t = 0; pending && t < terms; t++) {
			x = x + (v->u[t][q] - CELLS(v->u[t] + k)) * (v->w_facility[t][q] - CELLS(v->w_facility[t] + k));
		}
		CELLS(delta + k) = x;
	}
	delta[q] = LARGEST_CELL;
	int64_t end = (q & -BLOCK) + BLOCK < v->n ? (q & -BLOCK) + BLOCK : v->n;
	for (int64_t k = 0; k < end; k++) v->delta[k * width + q] = delta[k];
}

static void NAME(start)(struct tabu_state *s, void *cell_memory, void *time_memory) {
	struct view v = NAME(view_of)(s, cell_memory, time_memory);
	for (int64_t i = 0; i < v.n; i++) {
		CELL *potential = v.potential + i * v.width;
		for (int64_t t = 0; t < s->terms; t++) {
			for (int64_t k = 0; k < v.n; k++) {
				CELL flow = v.flow[t][k * v.width + i];
				if (flow != 0) NAME(add_scaled)(potential, flow, v.distance[t] + v.p[k] * v.width, v.width);
			}
		}
		v.held[i] = potential[v.p[i]];
	}
	for (int64_t i = 0; i < v.n; i++) {
		NAME(set_near)(&v, s->terms, i, v.near[0]);
		NAME(set_delta_row)(&v, s->terms, i, v.near[0], 0);
		NAME(set_pair_until)(&v, i);
	}
}

// scan makes the pending update of the deltas and returns the least delta of pairs
// free before time open as r·width+q, −1 if there is none. Equal ones are chosen
// among at random: the scan begins at a random row, and keeps one swap for each
// column of a block. *overrides becomes whether any pair leads to a new best or has
// been free since before old; where overriding, only such pairs count.
INLINE int64_t NAME(scan)(struct tabu_state *s, const struct view *v, const int terms, const int overriding, TIME old, int *overrides) {
	int64_t n = v->n, width = v->width, i = random_below(s->random, n);
	double gain = s->best - s->tolerance - s->cost;
	cells to_best = SPREAD_CELL(gain < LEAST_LIMIT ? LEAST_LIMIT : gain);
	times now = SPREAD_TIME(s->clock), olds = SPREAD_TIME(old), forever = SPREAD_TIME(FOREVER);
	cells least[PARTS];
	times where[PARTS], any = {0};
	for (int k = 0; k < PARTS; k++) least[k] = SPREAD_CELL(LARGEST_CELL), where[k] = (times){0};
	for (int64_t visited = 0; visited < n; visited++, i = i + 1 == n ? 0 : i + 1) {
		CELL *delta = v->delta + i * width;
		const TIME *until = v->pair_until + i * width;
		cells u[2], w[2];
		for (int t = 0; t < terms; t++) u[t] = SPREAD_CELL(v->u[t][i]), w[t] = SPREAD_CELL(v->w_facility[t][i]);
		for (int64_t block = i & -BLOCK; block < width; block += BLOCK) {
			for (int k = 0; k < PARTS; k++) {
				int64_t j = block + k * LANES;
				cells x = CELLS(delta + j);
				for (int t = 0; t < terms; t++) {
					x = x - (u[t] - CELLS(v->u[t] + j)) * (w[t] - CELLS(v->w_facility[t] + j));
				}
				if (terms > 0) CELLS(delta + j) = x;
				times tabu = TIMES(until + j);
				times override = (tabu < olds) | ((x < to_best) & (tabu != forever));
				times better = x < least[k];
				if (overriding) better &= override;
				else better &= tabu < now, any |= override;
				least[k] = (cells)(((times)x & better) | ((times)least[k] & ~better));
				where[k] = (SPREAD_TIME(i * width + block) & better) | (where[k] & ~better);
			}
		}
	}
	TIME seen = 0;
	for (int k = 0; k < LANES; k++) seen |= any[k];
	*overrides = seen != 0;

	CELL lanes[BLOCK] ALIGNED, minimum = LARGEST_CELL;
	TIME place[BLOCK] ALIGNED;
	int64_t ties = 0, lane = 0;
	for (int k = 0; k < PARTS; k++) {
		CELLS(lanes + k * LANES) = least[k];
		TIMES(place + k * LANES) = where[k];
	}
	for (int k = 0; k < BLOCK; k++) minimum = lanes[k] < minimum ? lanes[k] : minimum;
	if (minimum == LARGEST_CELL) return -1;
	for (int k = 0; k < BLOCK; k++) ties += lanes[k] == minimum;
	int64_t skip = ties > 1 ? random_below(s->random, ties) : 0;
	for (;; lane++) {
		if (lanes[lane] == minimum && skip-- == 0) return place[lane] + lane;
	}
}

// choose returns the swap of the next step by the rule in the package doc.
INLINE int64_t NAME(choose)(struct tabu_state *s, const struct view *v, const int terms) {
	int64_t old = s->clock - (s->step < s->early_steps ? s->early_aspiration : s->late_aspiration);
	int overrides;
	int64_t choice = NAME(scan)(s, v, terms, 0, old, &overrides);
	if (overrides) choice = NAME(scan)(s, v, 0, 1, old, &overrides);
	if (choice < 0) { // all tabu: any swap
		int64_t i = 1 + random_below(s->random, v->n - 1);
		choice = random_below(s->random, i) * v->width + i;
	}
	return choice;
}

// exchange swaps the locations of r and q. The deltas of other pairs are left to
// the next scan.
INLINE void NAME(exchange)(struct tabu_state *s, const struct view *v, const int terms, int64_t r, int64_t q) {
	int64_t n = v->n, width = v->width, from = v->p[r], to = v->p[q];
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
		for (int64_t i = 0; i < n; i++) {
			if (v->u[t][i] != 0) NAME(add_scaled)(v->potential + i * width, v->u[t][i], v->w[t], width);
		}
		for (int64_t k = 0; k < width; k += LANES) {
			cells w = CELLS(v->near[0][t] + k) - CELLS(v->near[1][t] + k);
			CELLS(v->w_facility[t] + k) = w;
			CELLS(v->held + k) = CELLS(v->held + k) + CELLS(v->u[t] + k) * w;
		}
	}
	v->held[r] = v->potential[r * width + to];
	v->held[q] = v->potential[q * width + from];
	NAME(set_delta_row)(v, terms, r, v->near[0], 1);
	NAME(set_delta_row)(v, terms, q, v->near[1], 1);
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
	struct view v = NAME(view_of)(s, cell_memory, time_memory);
	if (s->terms == 1) NAME(search)(s, &v, 1);
	else NAME(search)(s, &v, 2);
}

#undef BLOCK
#undef LANES
#undef PARTS
#undef cells
#undef times
#undef view
#undef ALIGNED
#undef CELLS
#undef TIMES
#undef SPREAD_CELL
#undef SPREAD_TIME
#undef CELL
#undef TIME
#undef NAME
#undef LARGEST_CELL
#undef LEAST_LIMIT
#undef FOREVER
