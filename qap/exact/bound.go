package exact

import "math"

// bounder computes lower bounds of nodes.
//
// The first pass is the bound of Gilmore, SIAM J. Applied Mathematics 10 (1962),
// doi:10.1137/0110022, and Lawler, Management Science 9 (1963),
// doi:10.1287/mnsc.9.4.586: vertex p costs linear[p] and at least the best
// assignment of its row of quad, and the assignment of these costs bounds the
// whole. Further passes raise it by dual ascent, after Hahn, Grant, Operations
// Research 46 (1998), doi:10.1287/opre.46.6.912: what a row's assignment leaves of
// quad[p,q] is not needed there and moves to quad[q,p], and what the last
// assignment leaves of a vertex's own cost moves along, in equal shares.
//
// In partial problems every assignment may leave nodes unmatched at cost 0. There
// the duals are at most 0, which keeps all of this valid.
type bounder struct {
	inner, outer *assignment
	cost         []float64 // of the vertices
	large        float64   // cost of dead vertices, above all others
	stop         func() bool
}

func newBounder(m1, m2 int, large float64, stop func() bool) *bounder {
	return &bounder{
		inner: newAssignment(m1, m2), outer: newAssignment(m1, m2),
		cost: make([]float64, m1*m2), large: large, stop: stop,
	}
}

// pass raises t.bound by one pass over the vertices and marks vertices that no
// completion cheaper than cutoff uses.
func (s *bounder) pass(t *node, cutoff float64) {
	m1, m2 := t.size()
	for p := range m1 * m2 {
		if t.dead[p] {
			s.cost[p] = s.large
			continue
		}
		s.cost[p] = s.vertexCost(t, p)
		if p%m2 == m2-1 && s.stop() {
			return
		}
	}
	copy(s.outer.cost, s.cost[:m1*m2])
	bound := t.fixed + s.outer.solve(m1, m2, t.rowMayRest())
	t.last, t.bound = bound, max(t.bound, bound)
	copy(t.guess, s.outer.ofRow[:m1])
	for i, u := range s.outer.u[:m1] {
		t.rowSlack[i] = -u
		for a, v := range s.outer.v[:m2] {
			p := i*m2 + a
			t.slack[p] = max(0, s.cost[p]-u-v)
			if bound+t.slack[p] >= cutoff {
				t.dead[p] = true
			}
		}
	}
	for a, v := range s.outer.v[:m2] {
		t.colSlack[a] = -v
	}
}

// vertexCost returns the least that vertex p costs with its row of quad, and
// moves what it does not need of that to the other vertices.
func (s *bounder) vertexCost(t *node, p int) float64 {
	m1, m2 := t.size()
	m := m1 * m2
	i, a := p/m2, p%m2
	row := t.quad[p*m : (p+1)*m]
	k1, k2 := m1-1, m2-1
	w := s.inner.cost
	k := 0
	for j := range m1 {
		if j == i {
			continue
		}
		for b, c := range row[j*m2 : (j+1)*m2] {
			if b == a {
				continue
			}
			if t.dead[j*m2+b] {
				c = s.large
			}
			w[k] = c
			k++
		}
	}
	value := s.inner.solve(k1, k2, t.rowMayRest())
	least := t.linear[p] + value
	if least > s.large/2 {
		t.dead[p] = true
		return s.large
	}
	return least - s.share(t, p, value)
}

// share moves the reduced costs of p's row, and returns how much of p's own cost
// it moved along.
func (s *bounder) share(t *node, p int, value float64) (own float64) {
	m1, m2 := t.size()
	m := m1 * m2
	i, a := p/m2, p%m2
	if m1 > 1 {
		own = t.slack[p]
	}
	portion := own / float64(m1-1)
	reduce := t.square() // every other row is matched: the row's constant may join linear
	if reduce {
		t.linear[p] += value - own
	}
	k, ju := 0, 0
	for j := range m1 {
		if j == i {
			continue
		}
		u := s.inner.u[ju]
		ju++
		bv := 0
		for b := range m2 {
			if b == a {
				continue
			}
			v := s.inner.v[bv]
			bv++
			q := j*m2 + b
			if !t.dead[q] {
				move := max(0, s.inner.cost[k]-u-v)
				t.quad[q*m+p] += move + portion
				if reduce {
					t.quad[p*m+q] = 0
				} else {
					t.quad[p*m+q] -= move + portion
				}
			}
			k++
		}
	}
	return own
}

// improve passes over t while that may lift its bound to cutoff, or at most
// passes times.
func (s *bounder) improve(t *node, cutoff float64, passes int) {
	clear(t.slack[:len(t.rows)*len(t.cols)])
	last := math.Inf(-1)
	for k := range passes {
		if s.pass(t, cutoff); s.stop() {
			return
		}
		gain := t.last - last
		last = t.last
		if t.bound >= cutoff || k > 0 && t.last+gain*float64(passes-k-1) < cutoff {
			return
		}
	}
}
