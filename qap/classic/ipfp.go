package classic

import (
	"cmp"
	"context"
	"math"

	"github.com/rgm-go/rgm/internal/relaxation"
	"github.com/rgm-go/rgm/qap"
)

// IPFP is the integer projected fixed point method: it moves a soft assignment
// towards the best assignment for the linearised score, as far as the score
// rises, and keeps the best assignment it met. K may be signed, since the soft
// assignment is complete from the start on: its default is the barycentre,
// 1/max(n1, n2), where pygmtools has 1/(n1·n2), from which no negative K lets it go.
//
// Source: Leordeanu, Hebert, Sukthankar, NIPS 2009, "An integer projected fixed
// point method for graph matching and MAP inference".
type IPFP struct {
	MaxIter int       // iterations; default 50
	Start   []float64 // soft assignment to start from, n1×n2; default the barycentre
}

// nearEnough is the relative difference between the scores of the soft assignment
// and of the assignment it moves to at which IPFP ends (as in pygmtools).
const nearEnough = 1e-3

// Solve returns the best assignment met. A step is an iteration.
func (m IPFP) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	start := m.Start
	if start == nil {
		start = relaxation.Barycentre(in.Size())
	}
	s, err := relaxation.NewSearch(ctx, in, o, start, cmp.Or(m.MaxIter, 50))
	if err != nil {
		return qap.Result{}, err
	}
	f := newFixedPoint(s)
	status := s.Iterate(f.step)
	if f.best == nil { // stopped before the first step
		f.best = s.Project(s.X)
	}
	return s.Result(f.best, o, status), nil
}

// fixedPoint is the state of IPFP.
type fixedPoint struct {
	*relaxation.Search
	gradient  []float64 // K·x
	target    []float64 // the assignment that x moves to, as a 0/1 matrix
	product   []float64 // K·target
	best      qap.Matching
	bestScore float64
}

func newFixedPoint(s *relaxation.Search) *fixedPoint {
	size := len(s.X)
	f := &fixedPoint{
		Search: s, gradient: make([]float64, size), target: make([]float64, size), product: make([]float64, size),
		bestScore: math.Inf(-1),
	}
	s.Multiply(f.gradient, s.X)
	return f
}

// step moves x once.
func (f *fixedPoint) step() (converged bool) {
	m := append(qap.Matching{}, f.InStep().Maximize(f.gradient, f.N1, f.N2)...)
	relaxation.Indicate(f.target, m, f.N2)
	f.MultiplyMatching(f.product, f.target, m)
	if f.Cut() {
		if f.best == nil { // it is a better one than the start
			f.best = m
		}
		return false
	}
	here, there := relaxation.Dot(f.X, f.gradient), relaxation.Dot(f.target, f.product)
	if there > f.bestScore {
		f.best, f.bestScore = m, there
	}
	// Along the way the score is here + 2·t·slope + t²·curvature.
	slope, curvature := relaxation.Dot(f.X, f.product)-here, 0.0
	for p, v := range f.target {
		curvature += (v - f.X[p]) * (f.product[p] - f.gradient[p])
	}
	t := 1.0
	if curvature < 0 {
		t = min(1, max(0, -slope/curvature))
	}
	for p, v := range f.target {
		f.X[p] += t * (v - f.X[p])
		f.gradient[p] += t * (f.product[p] - f.gradient[p])
	}
	return math.Abs(here-there) <= nearEnough*math.Abs(here)
}
