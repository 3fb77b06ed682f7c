package assignment

import (
	"fmt"
	"math"
)

// Unmatched is the entry of a node without a partner (qap.Unmatched).
const Unmatched = -1

// Solver solves linear assignment problems by shortest augmenting paths in
// O(min(n1,n2)²·max(n1,n2)). Its zero value is ready for use. It keeps its memory
// from call to call, so a call allocates nothing once the largest size was seen;
// it may not be shared by goroutines.
//
// Equal input gives equal output. Among equally short paths the one that ends at
// once goes first, and then the smaller index: a constant matrix gives the
// identity.
//
// Sources: Jonker, Volgenant, Computing 38 (1987), doi:10.1007/BF02278710, and, for
// rectangular matrices, Crouse, IEEE Trans. Aerospace and Electronic Systems 52
// (2016), doi:10.1109/TAES.2016.140952.
type Solver struct {
	// Over, if not nil, is asked now and then whether to stop. Where it says so, nodes that
	// have no partner yet take, in their order, the free one that is best for them; there
	// are no Duals then.
	Over func() bool

	rows, cols int       // of cost: rows ≤ cols
	cost       []float64 // minimised, row-major
	u, v       []float64 // duals: u[r]+v[c] ≤ cost[r,c], equal where r and c are matched

	column []int // of each row
	row    []int // of each column

	distance  []float64 // of each column from the row that is being matched
	from      []int     // the row before each column on its shortest path
	remaining []int     // columns whose distance is not final
	final     []int     // columns whose distance is, in the order of their distances

	gain     []float64 // of MaximizePartial
	assigned []int
}

// Maximize returns the assignment of min(n1, n2) nodes with the greatest sum of
// scores: the node of graph 2 of each node of graph 1, or Unmatched. The result
// is valid until the next call. Maximize panics if score has not n1·n2 entries
// or one of them is not finite.
func (s *Solver) Maximize(score []float64, n1, n2 int) (assigned []int) {
	s.solve(score, n1, n2, -1)
	for r := range s.u {
		s.u[r] = -s.u[r]
	}
	for c := range s.v {
		s.v[c] = -s.v[c]
	}
	return s.assigned
}

// MaximizeAgain is Maximize, beginning with the duals of the last call: faster where the scores
// are not far from those. Of equally good assignments it may return another.
func (s *Solver) MaximizeAgain(score []float64, n1, n2 int) (assigned []int) {
	if n1 != n2 || n1 != s.rows || n2 != s.cols || len(score) != n1*n2 { // an unmatched node has the dual 0
		return s.Maximize(score, n1, n2)
	}
	for r := range s.rows {
		s.column[r] = Unmatched
		s.row[r] = Unmatched
		s.v[r] = -s.v[r]
	}
	for r := range s.rows {
		cost, given := s.cost[r*s.cols:(r+1)*s.cols], score[r*s.cols:(r+1)*s.cols]
		nearest, least := 0, math.Inf(1)
		for c, x := range given {
			cost[c] = -x
			if d := -x - s.v[c]; d < least {
				nearest, least = c, d
			}
		}
		if s.u[r] = least; s.row[nearest] == Unmatched && !math.IsInf(least, 0) {
			s.row[nearest], s.column[r] = r, nearest
		}
	}
	s.augmentAll()
	copy(s.assigned, s.column)
	for r := range s.u {
		s.u[r], s.v[r] = -s.u[r], -s.v[r]
	}
	return s.assigned
}

// Minimize is Maximize for costs: it returns the assignment of the least sum.
func (s *Solver) Minimize(cost []float64, n1, n2 int) (assigned []int) {
	s.solve(cost, n1, n2, 1)
	return s.assigned
}

// Duals returns the dual values of the last call, one a node of graph 1 and one
// a node of graph 2, valid until the next call. After Minimize
//
//	row[i] + col[a] ≤ cost[i,a], equal where i is matched with a,
//
// after Maximize ≥ in place of ≤. Their sum over all nodes is the sum of the
// assignment, as an unmatched node has the dual 0.
func (s *Solver) Duals() (row, col []float64) {
	if len(s.assigned) == s.rows {
		return s.u, s.v
	}
	return s.v, s.u
}

// solve minimises the sum of sign·values. The graph with fewer nodes is that of
// the rows.
func (s *Solver) solve(values []float64, n1, n2 int, sign float64) {
	if len(values) != n1*n2 {
		panic(fmt.Sprintf("assignment: matrix has %d entries, want %d·%d", len(values), n1, n2))
	}
	s.reset(n1, n2)
	if n1 <= n2 {
		for p, x := range values {
			s.cost[p] = sign * x
		}
	} else {
		for p, x := range values {
			s.cost[p%n2*n1+p/n2] = sign * x
		}
	}
	s.augmentAll()
	if n1 <= n2 {
		copy(s.assigned, s.column)
	} else {
		copy(s.assigned, s.row)
	}
}

// manyColumns is from how many columns on to match a row takes so long that each is a reason to
// ask Over; of fewer, one in eight is.
const manyColumns = 256

// augmentAll matches the rows without a column, each along a shortest path.
func (s *Solver) augmentAll() {
	over := s.Over != nil
	for r, c := range s.column {
		if c != Unmatched {
			continue
		}
		if over && s.stops(r) {
			s.fill()
			return
		}
		s.augment(r)
	}
}

// stops asks Over, if it is time, whether to stop before row r.
func (s *Solver) stops(r int) bool {
	return (s.cols >= manyColumns || r%8 == 0) && s.Over()
}

// fill matches the rows without a column, in their order, with the free one of the least cost.
func (s *Solver) fill() {
	for r, c := range s.column {
		if c != Unmatched {
			continue
		}
		nearest := Unmatched
		for c, x := range s.cost[r*s.cols : (r+1)*s.cols] {
			if s.row[c] == Unmatched && (nearest == Unmatched || x < s.cost[r*s.cols+nearest]) {
				nearest = c
			}
		}
		s.column[r], s.row[nearest] = nearest, r
	}
}

// reset prepares an empty assignment of n1 and n2 nodes.
func (s *Solver) reset(n1, n2 int) {
	s.rows, s.cols = min(n1, n2), max(n1, n2)
	s.cost = resize(s.cost, n1*n2)
	s.u, s.v = resize(s.u, s.rows), resize(s.v, s.cols)
	s.column, s.row = resize(s.column, s.rows), resize(s.row, s.cols)
	s.distance, s.from = resize(s.distance, s.cols), resize(s.from, s.cols)
	s.remaining, s.final = resize(s.remaining, s.cols), resize(s.final, s.cols)
	s.assigned = resize(s.assigned, n1)
	clear(s.u)
	clear(s.v)
	for r := range s.column {
		s.column[r] = Unmatched
	}
	for c := range s.row {
		s.row[c] = Unmatched
	}
}

// augment matches row start along a shortest path of reduced costs to a column
// that is free, and turns the duals so that they fit.
func (s *Solver) augment(start int) {
	remaining, final := s.remaining[:s.cols], s.final[:0]
	for k := range remaining {
		remaining[k] = s.cols - 1 - k
		s.distance[k] = math.Inf(1)
	}
	length := 0.0
	for r, end := start, Unmatched; end == Unmatched; {
		nearest := s.relax(r, length, remaining)
		c := remaining[nearest]
		length = s.distance[c]
		if r = s.row[c]; r == Unmatched {
			end = c
		}
		final = append(final, c)
		last := len(remaining) - 1
		remaining[nearest] = remaining[last]
		remaining = remaining[:last]
	}
	s.turnDuals(start, length, final)
	for c := final[len(final)-1]; ; {
		r := s.from[c]
		s.row[c] = r
		c, s.column[r] = s.column[r], c
		if r == start {
			return
		}
	}
}

// relax shortens the paths to the remaining columns by way of row r, which is
// length away, and returns the place in remaining of the nearest column.
func (s *Solver) relax(r int, length float64, remaining []int) (nearest int) {
	cost := s.cost[r*s.cols : (r+1)*s.cols]
	v, distance := s.v[:len(cost)], s.distance[:len(cost)]
	length -= s.u[r]
	nearest, least := -1, math.Inf(1)
	for k, c := range remaining {
		if d := length + cost[c] - v[c]; d < distance[c] {
			distance[c] = d
			s.from[c] = r
		}
		if d := distance[c]; d < least || d == least && s.row[c] == Unmatched {
			nearest, least = k, d
		}
	}
	if nearest < 0 || math.IsInf(least, 0) {
		panic("assignment: a score is not a finite number")
	}
	return nearest
}

// turnDuals keeps reduced costs at or above 0 and makes them 0 along the path.
func (s *Solver) turnDuals(start int, length float64, final []int) {
	s.u[start] += length
	for _, c := range final[:len(final)-1] {
		slack := length - s.distance[c]
		s.u[s.row[c]] += slack
		s.v[c] -= slack
	}
}

// resize returns a slice of n entries, with the memory of old where it suffices.
func resize[T any](old []T, n int) []T {
	if cap(old) < n {
		return make([]T, n)
	}
	return old[:n]
}
