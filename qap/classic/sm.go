package classic

import (
	"context"
	"math"

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
	return solve(ctx, in, o, m)
}

// Soft returns the eigenvector, or what it is when ctx ends.
func (m SpectralMatching) Soft(ctx context.Context, in *qap.Instance) ([]float64, error) {
	return soft(ctx, in, m)
}

func (m SpectralMatching) newSearch(ctx context.Context, in *qap.Instance, o qap.Options) (*search, error) {
	return newSearch(ctx, in, o, m.Start, or(m.MaxIter, 50))
}

func (m SpectralMatching) relax(s *search) qap.Status {
	k := nonNegative(s)
	next := make([]float64, len(s.x))
	return s.iterate(func() bool {
		k.Multiply(next, s.x)
		if !normalize(next) {
			return true
		}
		s.x, next = next, s.x
		return distance(s.x, next) < converged
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
