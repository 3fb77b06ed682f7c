// What precedes the first step from an assignment, a part of steps.h; tabu's prepare.go has
// the same in Go. It is called for some rows at a time.

// Of potentials, TOGETHER rows are summed up at once, PANEL vectors of each, which fit into
// the registers.
#define TOGETHER 4
#define PANEL (VECTOR_BYTES == 64 ? 4 : 2)

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

// add_some adds to the potential of i what the facilities that have flow with it have to do
// with it, by one term.
INLINE void NAME(add_some)(const struct view *v, const CELL *flow, const CELL *distance, int64_t i) {
	int64_t width = v->width;
	CELL *potential = v->potential + i * width;
	CELL scale[4];
	const CELL *row[4];
	int some = 0;
	for (int64_t k = 0; k < v->n; k++) {
		if (flow[k] == 0) continue;
		scale[some] = flow[k];
		row[some++] = distance + v->p[k] * width;
		if (some == 4) NAME(add_four)(potential, scale, row, width), some = 0;
	}
	for (int k = 0; k < some; k++) NAME(add_scaled)(potential, scale[k], row[k], width);
}

// add_panel adds to TOGETHER potentials, some vectors from column on, what all facilities
// have to do with them; panel has their distances.
INLINE void NAME(add_panel)(const struct view *v, const CELL *flow, const CELL *panel, CELL *potential, const int vectors) {
	int64_t width = v->width;
	cells sum[TOGETHER][PANEL];
	for (int i = 0; i < TOGETHER; i++) {
		for (int k = 0; k < vectors; k++) sum[i][k] = CELLS(potential + i * width + k * LANES);
	}
	for (int64_t j = 0; j < v->n; j++, panel += vectors * LANES) {
		for (int i = 0; i < TOGETHER; i++) {
			cells scale = SPREAD_CELL(flow[i * width + j]);
			for (int k = 0; k < vectors; k++) sum[i][k] = sum[i][k] + scale * CELLS(panel + k * LANES);
		}
	}
	for (int i = 0; i < TOGETHER; i++) {
		for (int k = 0; k < vectors; k++) CELLS(potential + i * width + k * LANES) = sum[i][k];
	}
}

// add_columns does so for all rows from … to − 1, a multiple of TOGETHER. The panel takes the
// place of deltas, which are not known yet.
INLINE void NAME(add_columns)(const struct view *v, const CELL *flow, const CELL *distance, int64_t from, int64_t to, int64_t column, const int vectors) {
	CELL *panel = v->delta;
	for (int64_t j = 0; j < v->n; j++, panel += vectors * LANES) {
		const CELL *row = distance + v->p[j] * v->width + column;
		for (int k = 0; k < vectors; k++) CELLS(panel + k * LANES) = CELLS(row + k * LANES);
	}
	for (int64_t i = from; i < to; i += TOGETHER) {
		NAME(add_panel)(v, flow + i * v->width, v->delta, v->potential + i * v->width + column, vectors);
	}
}

// dense reports whether most of the flows of rows from … to − 1 are not 0.
INLINE int NAME(dense)(const struct view *v, const CELL *flow, int64_t from, int64_t to) {
	int64_t count = 0;
	for (int64_t i = from; i < to; i++) {
		for (int64_t k = 0; k < v->width; k += 64) count += __builtin_popcountll(NAME(nonzeros)(flow + i * v->width, k, v->width));
	}
	return 5 * count > 2 * (to - from) * v->n;
}

// add_products adds to the potentials of rows from … to − 1 what all facilities have to do
// with them. Each sum has the order of the facilities, whichever way.
INLINE void NAME(add_products)(const struct view *v, const int terms, int64_t from, int64_t to) {
	for (int t = 0; t < terms; t++) {
		const CELL *flow = v->flow[terms - 1 - t], *distance = v->distance[t]; // its row is the other's column
		int64_t i = from;
		if (NAME(dense)(v, flow, from, to)) {
			i = to - (to - from) % TOGETHER;
			int64_t column = 0;
			for (; column + PANEL * LANES <= v->width; column += PANEL * LANES) NAME(add_columns)(v, flow, distance, from, i, column, PANEL);
			for (; column < v->width; column += LANES) NAME(add_columns)(v, flow, distance, from, i, column, 1);
		}
		for (; i < to; i++) NAME(add_some)(v, flow + i * v->width, distance, i);
	}
}

// set_potentials computes rows of potentials anew, and adds to the cost what facilities have
// to do with each other, twice, and with their locations.
INLINE void NAME(set_potentials)(struct tabu_state *s, const struct view *v, const CELL *linear, int64_t from, int64_t to) {
	int64_t width = v->width;
	for (int64_t i = from; i < to; i++) {
		for (int64_t k = 0; k < width; k++) v->potential[i * width + k] = linear ? linear[i * width + k] : 0;
	}
	if (s->terms == 1) NAME(add_products)(v, 1, from, to);
	else NAME(add_products)(v, 2, from, to);
	for (int64_t i = from; i < to; i++) {
		v->held[i] = v->potential[i * width + v->p[i]];
		s->cost += v->held[i];
		if (linear) s->cost += linear[i * width + v->p[i]];
	}
}

// set_delta_rows computes rows of deltas anew. What is beyond the block of the diagonal
// comes from the rows below, but for what is no pair.
INLINE void NAME(set_delta_rows)(const struct view *v, const int terms, int64_t from, int64_t to) {
	int64_t last = v->width - BLOCK;
	for (int64_t i = from; i < to; i++) {
		int64_t end = (i & -BLOCK) + BLOCK;
		NAME(set_near)(v, terms, i, v->near[0]);
		NAME(set_deltas)(v, terms, i, v->near[0], 0, 0, end);
		if (end <= last) NAME(set_deltas)(v, terms, i, v->near[0], 0, last, v->width);
		NAME(set_delta_column)(v, i);
	}
}

// free_pairs has no swap of the rows be tabu.
INLINE void NAME(free_pairs)(const struct view *v, int64_t from, int64_t to) {
	int64_t n = v->n, width = v->width;
	for (int64_t i = from; i < to; i++) {
		for (int64_t k = 0; k < n; k++) {
			v->until[i * width + k] = v->until_by_location[i * width + k] = v->pair_until[i * width + k] = -1;
		}
		v->pair_until[i * width + i] = FOREVER;
		v->oldest[i] = -1;
	}
}

static void NAME(prepare)(struct tabu_state *s, void *cell_memory, void *time_memory, const void *linear, int parts, int64_t from, int64_t to) {
	struct view v = NAME(view_of)(s->n, s->width, cell_memory, time_memory);
	if (parts & TABU_POTENTIALS) NAME(set_potentials)(s, &v, linear, from, to);
	if (parts & TABU_DELTAS) {
		if (s->terms == 1) NAME(set_delta_rows)(&v, 1, from, to);
		else NAME(set_delta_rows)(&v, 2, from, to);
	}
	if (parts & TABU_PAIRS) {
		for (int64_t i = from; i < to; i++) NAME(set_pair_until)(&v, i);
	}
	if (parts & TABU_FREE) NAME(free_pairs)(&v, from, to);
}

#undef TOGETHER
#undef PANEL
