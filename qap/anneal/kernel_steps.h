// The kernel of one element type: CELL, SUM, LANES (where the order of sums matters)
// and NAME are the caller's and are undefined at the end. Rows are padded with zeros.

#define view NAME(view)

// view names the parts of the memory, in the order of memory.go.
struct view {
	CELL *distance[2];
	const CELL *flow[2], *weight;
	int32_t *p, *best;
	const int32_t *first, *partner;
	const double *threshold, *linear;
};

INLINE struct view NAME(view_of)(const struct anneal_state *s, CELL *cells, int32_t *places, const double *reals) {
	int64_t n = s->n, square = n * s->width;
	struct view v = {
		.distance = {cells, cells + square},
		.p = places, .best = places + n, .first = places + 2 * n, .partner = places + 3 * n + 1,
		.threshold = reals, .linear = reals + THRESHOLDS,
	};
	cells += s->terms * square;
	v.weight = v.flow[0] = cells, v.flow[1] = cells + square;
	return v;
}

// product is Σ (a−b)·(c−d) over a row.
INLINE SUM NAME(product)(const CELL *a, const CELL *b, const CELL *c, const CELL *d, int64_t width) {
#ifdef LANES
	SUM lanes[LANES] = {0};
	for (int64_t k = 0; k < width; k += LANES) {
		for (int l = 0; l < LANES; l++) lanes[l] += (a[k + l] - b[k + l]) * (c[k + l] - d[k + l]);
	}
	for (int half = LANES / 2; half > 0; half /= 2) {
		for (int l = 0; l < half; l++) lanes[l] += lanes[l + half];
	}
	return lanes[0];
#else
	SUM sum = 0; // exact in any order
	for (int64_t k = 0; k < (width & -32); k++) {
		CELL u = a[k] - b[k], w = c[k] - d[k];
		sum += (SUM)u * w;
	}
	return sum;
#endif
}

// dense_delta is the change of cost by swapping i and j, but for the linear term.
INLINE double NAME(dense_delta)(const struct anneal_state *s, const struct view *v, int64_t i, int64_t j) {
	int64_t width = s->width, c = v->p[i] * width, d = v->p[j] * width;
	SUM sum = 0, both = 0, between = 0;
	for (int64_t t = 0; t < s->terms; t++) {
		const CELL *flow_i = v->flow[t] + i * width, *flow_j = v->flow[t] + j * width;
		const CELL *from_c = v->distance[t] + c, *from_d = v->distance[t] + d;
		sum += NAME(product)(flow_i, flow_j, from_d, from_c, width);
		both += flow_i[j];
		between += from_c[j];
	}
	if (s->terms == 1) between += between;
	return (double)(sum + both * between); // the products of i and j with each other do not change
}

// moved is the change of cost if i goes from where distances are from to where they are
// to, but for its flow with other.
INLINE SUM NAME(moved)(const struct view *v, int64_t i, int64_t other, const CELL *from, const CELL *to) {
	SUM sum = 0;
	for (int64_t e = v->first[i]; e < v->first[i + 1]; e++) {
		int64_t k = v->partner[e], l = v->p[k];
		SUM change = (SUM)v->weight[e] * (SUM)(to[l] - from[l]);
		sum += k == other ? 0 : change;
	}
	return sum;
}

// sparse_delta is dense_delta where flows are lists.
INLINE double NAME(sparse_delta)(const struct anneal_state *s, const struct view *v, int64_t i, int64_t j) {
	const CELL *from_c = v->distance[0] + v->p[i] * s->width, *from_d = v->distance[0] + v->p[j] * s->width;
	return (double)(NAME(moved)(v, i, j, from_c, from_d) + NAME(moved)(v, j, i, from_d, from_c));
}

INLINE double NAME(linear_delta)(const struct anneal_state *s, const struct view *v, int64_t i, int64_t j) {
	const double *of_i = v->linear + i * s->n, *of_j = v->linear + j * s->n;
	int64_t c = v->p[i], d = v->p[j];
	return (of_i[d] - of_i[c]) + (of_j[c] - of_j[d]);
}

INLINE void NAME(save)(struct anneal_state *s, const struct view *v) {
	s->unsaved = 0;
	for (int64_t i = 0; i < s->n; i++) v->best[i] = v->p[i];
}

// exchange swaps the locations of i and j.
INLINE void NAME(exchange)(struct anneal_state *s, const struct view *v, int64_t i, int64_t j) {
	int32_t c = v->p[i], d = v->p[j];
	v->p[i] = d, v->p[j] = c;
	if (s->lists) return;
	for (int64_t t = 0; t < s->terms; t++) {
		CELL *x = v->distance[t] + i, *y = v->distance[t] + j;
		for (int64_t k = 0; k < s->n * s->width; k += s->width) {
			CELL z = x[k];
			x[k] = y[k];
			y[k] = z;
		}
	}
}

static void NAME(run)(struct anneal_state *s, void *cells, int32_t *places, const double *reals) {
	struct view v = NAME(view_of)(s, cells, places, reals);
	for (; s->step < s->until; s->step++) {
		int64_t i = 0;
		for (int64_t trial = 0; trial < s->n; trial++) {
			if (trial % PARTNERS_OF_ROW == 0) i = below(next_random(&s->random), s->n);
			int64_t j = below(next_random(&s->random), s->n - 1);
			j += j >= i;
			double delta = s->lists ? NAME(sparse_delta)(s, &v, i, j) : NAME(dense_delta)(s, &v, i, j);
			if (s->linear) delta += NAME(linear_delta)(s, &v, i, j);
			if (delta > 0) {
				s->worse++;
				if (delta >= s->temperature * v.threshold[next_random(&s->random) >> (64 - THRESHOLD_BITS)]) continue;
				s->taken++;
			}
			// Before it goes on at the same cost too, so that where a call ends changes nothing.
			if (s->unsaved && s->cost + delta >= s->best - s->tolerance) NAME(save)(s, &v);
			NAME(exchange)(s, &v, i, j);
			s->cost += delta;
			if (s->cost < s->best - s->tolerance) {
				s->best = s->cost;
				s->best_step = s->step + 1;
				s->unsaved = 1;
			}
		}
	}
	if (s->unsaved) NAME(save)(s, &v);
}

#undef view
#undef CELL
#undef SUM
#undef LANES
#undef NAME
