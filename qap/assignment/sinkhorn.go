package assignment

import (
	"fmt"
	"math"
)

// Sinkhorn turns scores into a soft assignment: the rows and the columns of
// exp(score/Tau) are divided by their sums in turn. Its zero value is ready for
// use; parameters and defaults are those of pygmtools. It keeps its memory from
// call to call and may not be shared by goroutines.
//
// Where one graph has fewer nodes, its nodes are the rows: the sides are swapped
// for the computation, so that rows come first.
//
// Sources: Sinkhorn, Knopp, Pacific Journal of Mathematics 21 (1967),
// doi:10.2140/pjm.1967.21.343; with dummy rows and unmatched nodes as in pygmtools
// (Wang et al., JMLR 25 (2024)).
type Sinkhorn struct {
	Tau     float64 // temperature: the smaller, the harder; default 1
	MaxIter int     // number of normalisations, of rows or of columns; default 10

	// DummyRow adds rows that match anything until there are as many rows as
	// columns, so that each column may sum up to less than 1.
	DummyRow bool

	// Over, if not nil, is asked before each normalisation whether to stop; what is written
	// is of no use then.
	Over func() bool

	// Unmatch1 and Unmatch2 are the scores of leaving a node of graph 1 or of graph
	// 2 unmatched; both or neither are set.
	Unmatch1, Unmatch2 []float64

	rows, cols int // that are normalised, dummy rows included
	width      int // of m: cols, and one more where nodes may stay unmatched
	m          []float64
	sums       []float64
}

// narrow is the greatest difference between scores/Tau for which the numbers of
// exp(score/Tau) can be worked on as they are: no ratio that the normalisations
// make leaves the range of float64. Beyond it their logarithms are used.
const narrow = 150

// Project writes the soft assignment of an n1×n2 score matrix into dst, which may
// be score itself. It panics if a length does not fit.
func (s *Sinkhorn) Project(dst, score []float64, n1, n2 int) {
	if len(score) != n1*n2 || len(dst) != n1*n2 {
		panic(fmt.Sprintf("assignment: matrices have %d and %d entries, want %d·%d", len(score), len(dst), n1, n2))
	}
	if u := len(s.Unmatch1) + len(s.Unmatch2); u > 0 && (len(s.Unmatch1) != n1 || len(s.Unmatch2) != n2) {
		panic(fmt.Sprintf("assignment: %d and %d unmatch scores, want %d and %d", len(s.Unmatch1), len(s.Unmatch2), n1, n2))
	}
	if n1*n2 == 0 {
		return
	}
	shift, logarithms := s.arrange(score, n1, n2)
	steps := s.MaxIter
	if steps <= 0 {
		steps = 10
	}
	if !logarithms {
		for k, x := range s.m {
			s.m[k] = math.Exp(x - shift)
		}
	}
	for step := range steps {
		if s.Over != nil && s.Over() {
			return
		}
		switch {
		case step%2 == 0 && logarithms:
			s.normalizeLogRows()
		case step%2 == 0:
			s.normalizeRows()
		case logarithms:
			s.normalizeLogColumns()
		default:
			s.normalizeColumns()
		}
	}
	for p := range dst {
		k := s.place(p/n2, p%n2, n1, n2)
		if dst[p] = s.m[k]; logarithms {
			dst[p] = math.Exp(dst[p])
		}
	}
}

// place returns where m holds the entry of nodes i and a.
func (s *Sinkhorn) place(i, a, n1, n2 int) int {
	if n1 <= n2 {
		return i*s.width + a
	}
	return a*s.width + i
}

// arrange fills m with score/Tau, dummy rows and unmatched nodes. It returns what
// may be subtracted from all of them, and whether they are too far apart to be
// worked on other than as logarithms.
func (s *Sinkhorn) arrange(score []float64, n1, n2 int) (shift float64, logarithms bool) {
	tau := s.Tau
	if tau == 0 {
		tau = 1
	}
	s.rows, s.cols = min(n1, n2), max(n1, n2)
	real := s.rows
	if s.DummyRow {
		s.rows = s.cols
	}
	height, unmatched := s.rows, len(s.Unmatch1) > 0
	s.width = s.cols
	if unmatched {
		height, s.width = height+1, s.width+1
	}
	s.m, s.sums = resize(s.m, height*s.width), resize(s.sums, s.width)
	for k := range s.m {
		s.m[k] = math.Inf(-1)
	}
	least, greatest := math.Inf(1), math.Inf(-1)
	put := func(k int, x float64) {
		x /= tau
		s.m[k] = x
		least, greatest = min(least, x), max(greatest, x)
	}
	for p, x := range score {
		put(s.place(p/n2, p%n2, n1, n2), x)
	}
	if unmatched {
		u, v := s.Unmatch1, s.Unmatch2
		if n1 > n2 {
			u, v = v, u
		}
		for r, x := range u {
			put(r*s.width+s.cols, x)
		}
		for c, x := range v {
			put(s.rows*s.width+c, x)
		}
		// Unmatched nodes are not normalised: their scores count absolutely.
		least, greatest = min(least, 0), max(greatest, 0)
	}
	for r := real; r < s.rows; r++ { // the first normalisation makes them uniform
		for c := range s.cols {
			s.m[r*s.width+c] = greatest
		}
	}
	logarithms = !(greatest-least <= narrow)
	if unmatched {
		return 0, logarithms
	}
	return greatest, logarithms
}

func (s *Sinkhorn) normalizeRows() {
	for r := range s.rows {
		row := s.m[r*s.width : (r+1)*s.width]
		sum := 0.0
		for _, x := range row {
			sum += x
		}
		scale := 1 / sum
		for c := range row {
			row[c] *= scale
		}
	}
}

func (s *Sinkhorn) normalizeColumns() {
	sums := s.sums
	clear(sums)
	for k := 0; k < len(s.m); k += s.width {
		for c, x := range s.m[k : k+s.width][:len(sums)] {
			sums[c] += x
		}
	}
	for c := range sums {
		sums[c] = 1 / sums[c]
	}
	if s.width > s.cols {
		sums[s.cols] = 1 // unmatched nodes are not normalised
	}
	for k := 0; k < len(s.m); k += s.width {
		row := s.m[k : k+s.width][:len(sums)]
		for c, scale := range sums {
			row[c] *= scale
		}
	}
}

func (s *Sinkhorn) normalizeLogRows() {
	for r := range s.rows {
		row := s.m[r*s.width : (r+1)*s.width]
		total := logSum(row, len(row), 1)
		for c := range row {
			row[c] -= total
		}
	}
}

func (s *Sinkhorn) normalizeLogColumns() {
	height := len(s.m) / s.width
	for c := range s.cols {
		column := s.m[c:]
		total := logSum(column, height, s.width)
		for r := range height {
			column[r*s.width] -= total
		}
	}
}

// logSum returns log Σ exp(x) over count entries, stride apart. Of nothing but −∞
// it returns 0, so that such a line stays as it is.
func logSum(x []float64, count, stride int) float64 {
	greatest := math.Inf(-1)
	for k := range count {
		greatest = max(greatest, x[k*stride])
	}
	if math.IsInf(greatest, -1) {
		return 0
	}
	sum := 0.0
	for k := range count {
		sum += math.Exp(x[k*stride] - greatest)
	}
	return greatest + math.Log(sum)
}
