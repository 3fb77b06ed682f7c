// Restarts of a trajectory at another assignment, a part of kernel_steps.h; restart.go
// has the same in Go.

// add_four adds four rows to e, each by its scale, in their order.
INLINE void NAME(add_four)(CELL *e, const CELL scale[4], const CELL *const row[4], int64_t width) {
	cells a = SPREAD_CELL(scale[0]), b = SPREAD_CELL(scale[1]), c = SPREAD_CELL(scale[2]), d = SPREAD_CELL(scale[3]);
	const CELL *w = row[0], *x = row[1], *y = row[2], *z = row[3];
	for (int64_t k = 0; k < width; k += LANES) {
		cells sum = CELLS(e + k) + a * CELLS(w + k);
		sum = sum + b * CELLS(x + k);
		sum = sum + c * CELLS(y + k);
		CELLS(e + k) = sum + d * CELLS(z + k);
	}
}

// add_products adds to the potential of i what all facilities have to do with it.
INLINE void NAME(add_products)(const struct view *v, const int terms, int64_t i) {
	int64_t width = v->width;
	CELL *potential = v->potential + i * width;
	for (int t = 0; t < terms; t++) {
		const CELL *flow = v->flow[terms - 1 - t] + i * width; // its row is the other's column
		CELL scale[4];
		const CELL *row[4];
		int some = 0;
		for (int64_t k = 0; k < v->n; k++) {
			if (flow[k] == 0) continue;
			scale[some] = flow[k];
			row[some++] = v->distance[t] + v->p[k] * width;
			if (some == 4) NAME(add_four)(potential, scale, row, width), some = 0;
		}
		for (int k = 0; k < some; k++) NAME(add_scaled)(potential, scale[k], row[k], width);
	}
}

// set_potentials computes the potentials of p anew, and returns the cost of p.
INLINE double NAME(set_potentials)(const struct view *v, const int terms, const CELL *linear) {
	int64_t width = v->width;
	double twice = 0; // every pair of facilities counts for both
	for (int64_t i = 0; i < v->n; i++) {
		CELL *potential = v->potential + i * width;
		for (int64_t k = 0; k < width; k++) potential[k] = linear ? linear[i * width + k] : 0;
		NAME(add_products)(v, terms, i);
		v->held[i] = potential[v->p[i]];
		twice += v->held[i];
		if (linear) twice += linear[i * width + v->p[i]];
	}
	return twice / 2;
}

// restart begins a search at p, with no swap tabu and the clock at 0.
static void NAME(restart)(struct tabu_state *s, void *cell_memory, void *time_memory, const void *linear) {
	struct view v = NAME(view_of)(s->n, s->width, cell_memory, time_memory);
	int64_t n = v.n, width = v.width;
	s->cost = s->terms == 1 ? NAME(set_potentials)(&v, 1, linear) : NAME(set_potentials)(&v, 2, linear);
	for (int64_t t = 0; t < s->terms; t++) {
		for (int64_t k = 0; k < width; k++) v.u[t][k] = v.w_facility[t][k] = 0; // no swap is pending
	}
	for (int64_t i = 0; i < n; i++) {
		NAME(set_near)(&v, s->terms, i, v.near[0]);
		NAME(set_delta_row)(&v, s->terms, i, v.near[0], 0);
		for (int64_t k = 0; k < n; k++) {
			v.until[i * width + k] = v.until_by_location[i * width + k] = v.pair_until[i * width + k] = -1;
		}
		v.pair_until[i * width + i] = FOREVER;
		v.oldest[i] = -1;
		v.best[i] = v.p[i];
	}
	s->clock = 0;
	s->best = s->cost;
	s->best_step = s->step;
}
