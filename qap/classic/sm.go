package classic

import (
	"cmp"
	"context"
	"math"

	"github.com/rgm-go/rgm/internal/relaxation"
	"github.com/rgm-go/rgm/qap"
)

// SpectralMatching takes the leading eigenvector of K ≥ 0 for a soft assignment,
// found by the power method; its Euclidean norm is 1.
//
// Source: Leordeanu, Hebert, ICCV 2005, doi:10.1109/ICCV.2005.20.
type SpectralMatching struct {
	MaxIter int       // iterations; default 50
	Start   []float64 // soft assignment to start from, n1×n2; default uniform
}

// converged is how near two iterates of the power method are at the end (as in
// pygmtools).
const converged = 1e-5

// Solve projects the soft assignment. A step is an iteration.
func (m SpectralMatching) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	return m.method().Solve(ctx, in, o)
}

// Soft returns the eigenvector, or what it is when ctx ends.
func (m SpectralMatching) Soft(ctx context.Context, in *qap.Instance) ([]float64, error) {
	return m.method().Soft(ctx, in)
}

func (m SpectralMatching) method() relaxation.Method {
	return relaxation.Method{Start: m.Start, MaxIter: cmp.Or(m.MaxIter, 50), Relax: m.relax}
}

func (m SpectralMatching) relax(s *relaxation.Search) qap.Status {
	k := relaxation.NonNegative(s)
	next := make([]float64, len(s.X))
	return s.Iterate(func() bool {
		k.Multiply(next, s.X)
		if !normalize(next) {
			return true
		}
		s.X, next = next, s.X
		return relaxation.Distance(s.X, next) < converged
	})
}

// normalize divides x by its Euclidean norm. It reports whether that is not 0.
func normalize(x []float64) bool {
	largest := 0.0
	for _, v := range x {
		largest = max(largest, math.Abs(v))
	}
	if largest == 0 {
		return false
	}
	sum := 0.0
	for _, v := range x {
		v /= largest
		sum += v * v
	}
	scale := 1 / math.Sqrt(sum)
	for p := range x {
		x[p] = x[p] / largest * scale
	}
	return true
}
