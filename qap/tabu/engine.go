package tabu

import (
	"math"
	"slices"
)

// The steps in Go: the same as internal/kernels/steps.h, on the same memory, with the same
// names. Products are converted before they are added so that no compiler fuses
// them: float64 must round as it does in C.

// runGo is the search.
func (t *search[C, T]) runGo() {
	s := t.s
	for s.step < s.until && s.best > s.target && s.step-s.bestStep < s.patience {
		r, q := t.choose()
		t.exchange(r, q)
		t.forbid(r, int(t.p[q]))
		t.forbid(q, int(t.p[r]))
		t.setPairUntil(r)
		t.setPairUntil(q)
		s.step++
		s.clock++
		if s.cost < s.best-s.tolerance {
			s.best, s.bestStep = s.cost, s.step
			copy(t.bestP, t.p)
		}
	}
}

// choose returns the swap of the next step by the rule in the package doc.
func (t *search[C, T]) choose() (r, q int) {
	s, width := t.s, int(t.s.width)
	toBest := toCell[C](s.best - s.tolerance - s.cost)
	t.updateDeltas()
	choice := t.scan(toBest)
	if choice < 0 || t.delta[choice] >= toBest {
		aspiration := s.lateAspiration
		if s.step < s.earlySteps {
			aspiration = s.earlyAspiration
		}
		if forced := t.scanOld(T(s.clock - aspiration)); forced >= 0 {
			choice = forced
		}
	}
	if choice < 0 { // all tabu: any swap
		i := 1 + s.random.below(int(s.n)-1)
		return s.random.below(i), i
	}
	return choice / width, choice % width
}

// updateDeltas brings the deltas to the state after the last swap. Like the scan,
// it works on blocks from the diagonal's on: (i,j) and (j,i) are both kept where
// they share a block, else the one with the lesser row.
func (t *search[C, T]) updateDeltas() {
	n, width := int(t.s.n), int(t.s.width)
	for term := range int(t.s.terms) {
		u, w := t.u[term][:n], t.wFacility[term][:n]
		for i := range n {
			from := i &^ (blockSize - 1)
			delta := t.delta[i*width+from : i*width+n]
			ui, wi := u[i], w[i]
			u, w := u[from:][:len(delta)], w[from:][:len(delta)]
			for k, x := range delta {
				delta[k] = x - C((ui-u[k])*(wi-w[k]))
			}
		}
	}
}

// candidates keep one swap for each column of a block: the least delta met, and
// where as r·width+q.
type candidates[C cell] struct {
	delta [blockSize]C
	place [blockSize]int
}

func noCandidates[C cell]() *candidates[C] {
	c := &candidates[C]{}
	for lane := range c.delta {
		c.delta[lane] = largest[C]()
	}
	return c
}

// pick returns the swap that is least of all, at random among equal ones, −1 if
// there is none.
func (c *candidates[C]) pick(rng *random) int {
	minimum, ties := largest[C](), 0
	for _, x := range c.delta {
		if x < minimum {
			minimum, ties = x, 0
		}
		if x == minimum {
			ties++
		}
	}
	if minimum == largest[C]() {
		return -1
	}
	skip := 0
	if ties > 1 {
		skip = rng.below(ties)
	}
	for lane := 0; ; lane++ {
		if c.delta[lane] == minimum {
			if skip == 0 {
				return c.place[lane]
			}
			skip--
		}
	}
}

// scan picks among the pairs that are not tabu or lead below toBest, beginning at
// a random row.
func (t *search[C, T]) scan(toBest C) int {
	s, n, width := t.s, int(t.s.n), int(t.s.width)
	i, now := s.random.below(n), T(s.clock)
	c := noCandidates[C]()
	for range n {
		from := i*width + i&^(blockSize-1)
		delta := t.delta[from : i*width+n]
		until := t.pairUntil[from:][:len(delta)]
		for k, x := range delta {
			if lane := k & (blockSize - 1); x < c.delta[lane] && (until[k] < now || x < toBest) {
				c.delta[lane], c.place[lane] = x, from+k
			}
		}
		if i++; i == n {
			i = 0
		}
	}
	return c.pick(&s.random)
}

// scanOld picks among the pairs that have been free since before old, −1 if there
// are none. Only rows that may have some are looked at.
func (t *search[C, T]) scanOld(old T) int {
	s, n, width := t.s, int(t.s.n), int(t.s.width)
	if slices.Min(t.oldest[:n]) >= old {
		return -1
	}
	i := s.random.below(n)
	c := noCandidates[C]()
	for range n {
		if t.oldest[i] < old {
			from := i*width + i&^(blockSize-1)
			delta := t.delta[from : i*width+n]
			until := t.pairUntil[from:][:len(delta)]
			t.oldest[i] = slices.Min(until)
			for k, x := range delta {
				if lane := k & (blockSize - 1); until[k] < old && x < c.delta[lane] {
					c.delta[lane], c.place[lane] = x, from+k
				}
			}
		}
		if i++; i == n {
			i = 0
		}
	}
	return c.pick(&s.random)
}

// exchange swaps the locations of r and q. The deltas of other pairs are left to
// updateDeltas.
func (t *search[C, T]) exchange(r, q int) {
	n, width := int(t.s.n), int(t.s.width)
	from, to := int(t.p[r]), int(t.p[q])
	t.s.cost += float64(t.delta[r*width+q])
	t.p[r], t.p[q] = T(to), T(from)
	t.setNear(r, t.near[0])
	t.setNear(q, t.near[1])
	for term := range int(t.s.terms) {
		flow, distance := t.flow[term], t.distance[term]
		u, w, wFacility := t.u[term], t.w[term], t.wFacility[term]
		differences(u, flow[r*width:], flow[q*width:])
		differences(w, distance[to*width:], distance[from*width:])
		differences(wFacility, t.near[0][term], t.near[1][term])
		for i, x := range u[:n] {
			if x != 0 {
				addScaled(t.potential[i*width:(i+1)*width], x, w)
			}
			t.held[i] += C(x * wFacility[i])
		}
	}
	t.held[r] = t.potential[r*width+to]
	t.held[q] = t.potential[q*width+from]
	t.setDeltaRow(r, t.near[0], true)
	t.setDeltaRow(q, t.near[1], true)
}

// setNear sets the distances from the location of q to those of the facilities.
func (t *search[C, T]) setNear(q int, near [2][]C) {
	width, location := int(t.s.width), int(t.p[q])
	for term := range int(t.s.terms) {
		permute(near[term], t.distance[term][location*width:(location+1)*width], t.p)
	}
}

// setDeltaRow computes the deltas of q from the potentials. What updateDeltas will
// take from them is added beforehand where pending.
func (t *search[C, T]) setDeltaRow(q int, near [2][]C, pending bool) {
	n, width, terms := int(t.s.n), int(t.s.width), int(t.s.terms)
	location := int(t.p[q])
	delta := t.delta[q*width : q*width+n]
	row := t.potential[q*width : (q+1)*width]
	for k, c := range t.p[:n] {
		x := row[c] - t.held[q] + t.potential[k*width+location] - t.held[k]
		delta[k] = x + C(t.flowSum[q*width+k]*(near[0][k]+near[terms-1][k]))
	}
	for term := 0; pending && term < terms; term++ {
		u, w := t.u[term], t.wFacility[term]
		for k := range delta {
			delta[k] += C((u[q] - u[k]) * (w[q] - w[k]))
		}
	}
	delta[q] = largest[C]()
	for k := range min(n, blockEnd(q)) {
		t.delta[k*width+q] = delta[k]
	}
}

// forbid keeps i from location c for a random time.
func (t *search[C, T]) forbid(i, c int) {
	s, width := t.s, int(t.s.width)
	u := s.random.unit()
	tenure := s.lateScale * u * u * u
	if s.step < s.earlySteps {
		tenure = s.earlyScale * (s.earlyOffset + u)
	}
	until := T(s.clock + 1 + int64(tenure))
	t.until[i*width+c] = until
	t.untilByLocation[c*width+i] = until
}

// setPairUntil renews the row and column of q: a pair is tabu until the lesser of
// what its two facilities are.
func (t *search[C, T]) setPairUntil(q int) {
	n, width := int(t.s.n), int(t.s.width)
	location := int(t.p[q])
	pairs := t.pairUntil[q*width : (q+1)*width]
	permute(pairs, t.until[q*width:(q+1)*width], t.p)
	for k, other := range t.untilByLocation[location*width : (location+1)*width] {
		pairs[k] = min(pairs[k], other)
	}
	pairs[q] = forever[T]()
	for k := range min(n, blockEnd(q)) {
		t.pairUntil[k*width+q] = pairs[k]
		t.oldest[k] = min(t.oldest[k], pairs[k])
	}
	t.oldest[q] = slices.Min(pairs[q&^(blockSize-1):])
}

func blockEnd(q int) int { return q&^(blockSize-1) + blockSize }

// addScaled adds scale·x to dst.
func addScaled[C cell](dst []C, scale C, x []C) {
	x = x[:len(dst)]
	for k := range dst {
		dst[k] += C(scale * x[k])
	}
}

func differences[C cell](dst, x, y []C) {
	x, y = x[:len(dst)], y[:len(dst)]
	for k := range dst {
		dst[k] = x[k] - y[k]
	}
}

// permute brings a row over locations into the order of facilities.
func permute[E cell | tick, T tick](dst, row []E, p []T) {
	for k, c := range p[:len(dst)] {
		dst[k] = row[c]
	}
}

// largest is above every cost change.
func largest[C cell]() C {
	if half := 0.5; C(half) == 0 { // an integer type
		most := math.MaxInt32
		return C(most)
	}
	return C(math.Inf(1))
}

// toCell rounds towards zero where C holds integers, without overflow.
func toCell[C cell](x float64) C {
	if half := 0.5; C(half) == 0 {
		x = max(x, math.MinInt32)
	}
	return C(x)
}
