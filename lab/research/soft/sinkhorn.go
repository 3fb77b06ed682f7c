package soft

import "math"

// Rounds is how often Sinkhorn normalises rows and columns, one after the other.
const Rounds = 10

// Sinkhorn turns scores of n1×n2 vertices into logarithms of a soft matching (Sinkhorn,
// Knopp, Pacific J. Math. 21 (1967), doi:10.2140/pjm.1967.21.343), in which the nodes of
// the smaller graph add up to 1 and those of the larger one to at most 1: what they lack
// goes to dummy nodes of score 0, |n1−n2| of them, all alike, in one row or column more.
type Sinkhorn struct {
	n1, n2           int
	rows, cols       int         // with the dummies'
	dummy1, dummy2   float64     // logarithms of how many dummy nodes the last row and column stand for
	states           [][]float64 // after each normalisation
	gradient, totals []float64   // of backward
}

// NewSinkhorn returns memory for scores of n1×n2 vertices.
func NewSinkhorn(n1, n2 int) *Sinkhorn {
	s := &Sinkhorn{n1: n1, n2: n2, rows: n1, cols: n2}
	switch {
	case n1 < n2:
		s.rows, s.dummy1 = n1+1, math.Log(float64(n2-n1))
	case n2 < n1:
		s.cols, s.dummy2 = n2+1, math.Log(float64(n1-n2))
	}
	for range 2*Rounds + 1 {
		s.states = append(s.states, make([]float64, s.rows*s.cols))
	}
	s.gradient, s.totals = make([]float64, s.rows*s.cols), make([]float64, max(s.rows, s.cols))
	return s
}

// weight1 and weight2 are the logarithms of how many nodes a row and a column stand for.
func (s *Sinkhorn) weight1(i int) float64 {
	if i < s.n1 {
		return 0
	}
	return s.dummy1
}

func (s *Sinkhorn) weight2(a int) float64 {
	if a < s.n2 {
		return 0
	}
	return s.dummy2
}

// At returns the logarithm of a vertex's share.
func (s *Sinkhorn) At(v int) float32 {
	return float32(s.states[2*Rounds][v/s.n2*s.cols+v%s.n2])
}

// Forward replaces scores by the logarithms of the soft matching.
func (s *Sinkhorn) Forward(scores []float32) {
	first := s.states[0]
	clear(first)
	for v, z := range scores {
		first[v/s.n2*s.cols+v%s.n2] = float64(z)
	}
	for k := range Rounds {
		s.normalizeRows(s.states[2*k+1], s.states[2*k])
		s.normalizeColumns(s.states[2*k+2], s.states[2*k+1])
	}
	for v := range scores {
		scores[v] = s.At(v)
	}
}

func (s *Sinkhorn) normalizeRows(dst, src []float64) {
	for i := range s.rows {
		row, out := src[i*s.cols:(i+1)*s.cols], dst[i*s.cols:(i+1)*s.cols]
		largest, sum := math.Inf(-1), 0.0
		for a, x := range row {
			largest = max(largest, x+s.weight2(a))
		}
		for a, x := range row {
			sum += math.Exp(x + s.weight2(a) - largest)
		}
		total := largest + math.Log(sum)
		for a, x := range row {
			out[a] = x - total
		}
	}
}

func (s *Sinkhorn) normalizeColumns(dst, src []float64) {
	for a := range s.cols {
		largest, sum := math.Inf(-1), 0.0
		for i := range s.rows {
			largest = max(largest, src[i*s.cols+a]+s.weight1(i))
		}
		for i := range s.rows {
			sum += math.Exp(src[i*s.cols+a] + s.weight1(i) - largest)
		}
		total := largest + math.Log(sum)
		for i := range s.rows {
			dst[i*s.cols+a] = src[i*s.cols+a] - total
		}
	}
}

// Backward replaces the gradient by the logarithms by that by the scores.
func (s *Sinkhorn) Backward(d []float32) {
	g := s.gradient
	clear(g)
	for v, x := range d {
		g[v/s.n2*s.cols+v%s.n2] = float64(x)
	}
	for k := Rounds - 1; k >= 0; k-- {
		s.backColumns(s.states[2*k+2])
		s.backRows(s.states[2*k+1])
	}
	for v := range d {
		d[v] = float32(g[v/s.n2*s.cols+v%s.n2])
	}
}

// backRows goes back through a normalisation of rows, given what it led to.
func (s *Sinkhorn) backRows(normalized []float64) {
	for i := range s.rows {
		g, x := s.gradient[i*s.cols:(i+1)*s.cols], normalized[i*s.cols:(i+1)*s.cols]
		total := 0.0
		for _, v := range g {
			total += v
		}
		for a := range g {
			g[a] -= total * math.Exp(x[a]+s.weight2(a))
		}
	}
}

func (s *Sinkhorn) backColumns(normalized []float64) {
	totals := s.totals[:s.cols]
	clear(totals)
	for k, v := range s.gradient {
		totals[k%s.cols] += v
	}
	for k := range s.gradient {
		s.gradient[k] -= totals[k%s.cols] * math.Exp(normalized[k]+s.weight1(k/s.cols))
	}
}

// Exp is the exponential function of float32.
func Exp(x float32) float32 { return float32(math.Exp(float64(x))) }

// LeastEdge keeps shares of the largest edge finite where all edges are 0.
const LeastEdge = 1e-30
