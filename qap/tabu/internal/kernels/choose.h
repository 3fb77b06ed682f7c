// The choice of the swap of a step, a part of kernel_steps.h.

// candidates keep one swap for each column of a block: the least delta met, and where.
struct candidates {
	cells delta[PARTS];
	times place[PARTS];
};

INLINE struct candidates NAME(nothing)(void) {
	struct candidates c;
	for (int k = 0; k < PARTS; k++) c.delta[k] = SPREAD_CELL(LARGEST_CELL), c.place[k] = (times){0};
	return c;
}

// lesser is the lesser of each lane. As one instruction it makes the scan a third
// faster, whose steps wait for each other here.
INLINE cells NAME(lesser)(cells x, cells y) {
#if defined(LESSER)
	return (cells)LESSER(x, y);
#else
	return (cells)SELECT(x < y, (times)x, (times)y);
#endif
}

// consider keeps the swaps of a part of a block that are better, where admissible.
INLINE void NAME(consider)(struct candidates *c, int part, cells delta, times admissible, times place) {
	cells x = (cells)SELECT(admissible, (times)delta, (times)SPREAD_CELL(LARGEST_CELL));
	c->place[part] = SELECT(x < c->delta[part], place, c->place[part]);
	c->delta[part] = NAME(lesser)(x, c->delta[part]);
}

// pick returns the swap that is least of all as r·width+q, at random among equal
// ones, −1 if there is none.
INLINE int64_t NAME(pick)(struct tabu_state *s, const struct candidates *c) {
	CELL lanes[BLOCK] ALIGNED;
	TIME place[BLOCK] ALIGNED;
	for (int k = 0; k < PARTS; k++) {
		CELLS(lanes + k * LANES) = c->delta[k];
		TIMES(place + k * LANES) = c->place[k];
	}
	for (int half = BLOCK / 2; half > 0; half /= 2) {
		for (int k = 0; k < half; k++) lanes[k] = lanes[k + half] < lanes[k] ? lanes[k + half] : lanes[k];
	}
	if (lanes[0] == LARGEST_CELL) return -1;
	uint32_t ties = 0;
	for (int k = 0; k < PARTS; k++) ties |= NAME(signs)(c->delta[k] == lanes[0]) << k * LANES;
	int64_t several = __builtin_popcount(ties);
	for (int64_t skip = several > 1 ? random_below(s->random, several) : 0; skip > 0; skip--) ties &= ties - 1;
	int lane = __builtin_ctz(ties);
	return place[lane] + lane;
}

// scan makes the pending update of the deltas and picks among the pairs that are
// not tabu or lead below to_best, beginning at a random row.
INLINE int64_t NAME(scan)(struct tabu_state *s, const struct view *v, const int terms, CELL to_best) {
	int64_t n = v->n, width = v->width, i = random_below(s->random, n);
	cells bests = SPREAD_CELL(to_best);
	times now = SPREAD_TIME(s->clock), forever = SPREAD_TIME(FOREVER);
	struct candidates c = NAME(nothing)();
	for (int64_t visited = 0; visited < n; visited++, i = i + 1 == n ? 0 : i + 1) {
		CELL *delta = v->delta + i * width;
		const TIME *until = v->pair_until + i * width;
		cells u[2], w[2];
		for (int t = 0; t < terms; t++) u[t] = SPREAD_CELL(v->u[t][i]), w[t] = SPREAD_CELL(v->w_facility[t][i]);
		times place = SPREAD_TIME(i * width + (i & -BLOCK));
		for (int64_t block = i & -BLOCK; block < width; block += BLOCK, place += BLOCK) {
			for (int k = 0; k < PARTS; k++) {
				int64_t j = block + k * LANES;
				cells x = CELLS(delta + j);
				for (int t = 0; t < terms; t++) {
					x = x - (u[t] - CELLS(v->u[t] + j)) * (w[t] - CELLS(v->w_facility[t] + j));
				}
				CELLS(delta + j) = x;
				times improves = x < bests;
				if (!LARGEST_STAYS) improves &= TIMES(until + j) != forever;
				NAME(consider)(&c, k, x, (TIMES(until + j) < now) | improves, place);
			}
		}
	}
	return NAME(pick)(s, &c);
}

// scan_old picks among the pairs that have been free since before old, −1 if there
// are none. Only rows that may have some are looked at.
INLINE int64_t NAME(scan_old)(struct tabu_state *s, const struct view *v, TIME old) {
	int64_t n = v->n, width = v->width;
	times any = {0}, olds = SPREAD_TIME(old);
	for (int64_t k = 0; k < width; k += LANES) any |= TIMES(v->oldest + k) < olds;
	if (!NAME(signs)(any)) return -1;
	int64_t i = random_below(s->random, n);
	struct candidates c = NAME(nothing)();
	for (int64_t visited = 0; visited < n; visited++, i = i + 1 == n ? 0 : i + 1) {
		if (v->oldest[i] >= old) continue;
		times oldest = SPREAD_TIME(FOREVER);
		for (int64_t block = i & -BLOCK; block < width; block += BLOCK) {
			for (int k = 0; k < PARTS; k++) {
				int64_t j = i * width + block + k * LANES;
				times until = TIMES(v->pair_until + j);
				oldest = SELECT(until < oldest, until, oldest);
				NAME(consider)(&c, k, CELLS(v->delta + j), until < olds, SPREAD_TIME(i * width + block));
			}
		}
		v->oldest[i] = NAME(least_time)(oldest);
	}
	return NAME(pick)(s, &c);
}

// choose returns the swap of the next step by the rule in the package doc.
INLINE int64_t NAME(choose)(struct tabu_state *s, const struct view *v, const int terms) {
	double gain = s->best - s->tolerance - s->cost;
	CELL to_best = gain < LEAST_LIMIT ? LEAST_LIMIT : gain;
	int64_t choice = NAME(scan)(s, v, terms, to_best);
	if (choice >= 0 && v->delta[choice] < to_best) return choice;
	int64_t old = s->clock - (s->step < s->early_steps ? s->early_aspiration : s->late_aspiration);
	int64_t forced = NAME(scan_old)(s, v, old);
	if (forced >= 0) return forced;
	if (choice < 0) { // all tabu: any swap
		int64_t i = 1 + random_below(s->random, v->n - 1);
		choice = random_below(s->random, i) * v->width + i;
	}
	return choice;
}
