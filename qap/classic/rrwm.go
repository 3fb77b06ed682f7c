package classic

import (
	"context"
	"math"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/assignment"
)

// RRWM walks at random over the association graph, with transition
// probabilities in proportion to K ≥ 0, and jumps at each step towards the
// vertices that an assignment would choose. The soft assignment is where the walk
// ends up; its entries sum up to 1.
//
// Source: Cho, Lee, Lee, ECCV 2010, doi:10.1007/978-3-642-15555-0_36.
type RRWM struct {
	MaxIter int       // iterations; default 50
	SkIter  int       // normalisations of the jump's Sinkhorn projection; default 20
	Alpha   float64   // weight of the jump, 0..1; default 0.2
	Beta    float64   // inflation: how sharp a jump is; default 30
	Start   []float64 // soft assignment to start from, n1×n2; default uniform
}

// settled is how near two iterates of the walk are when it has come to rest. It
// is small, so that the result is that of the whole number of iterations.
const settled = 1e-13

// Solve projects the soft assignment. A step is an iteration.
func (m RRWM) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	return solve(ctx, in, o, m)
}

// Soft returns the walk's distribution, or what it is when ctx ends.
func (m RRWM) Soft(ctx context.Context, in *qap.Instance) ([]float64, error) {
	return soft(ctx, in, m)
}

func (m RRWM) newSearch(ctx context.Context, in *qap.Instance, o qap.Options) (*search, error) {
	return newSearch(ctx, in, o, m.Start, or(m.MaxIter, 50))
}

func (m RRWM) relax(s *search) qap.Status {
	k := nonNegative(s)
	sinkhorn := s.sinkhorn(assignment.Sinkhorn{MaxIter: or(m.SkIter, 20)})
	alpha, beta := or(m.Alpha, 0.2), or(m.Beta, 30)
	next, jump := make([]float64, len(s.x)), make([]float64, len(s.x))
	return s.iterate(func() bool {
		k.Multiply(next, s.x) // walk
		if !sumToOne(next) {
			return true
		}
		greatest := math.Inf(-1)
		for _, v := range next {
			greatest = max(greatest, v)
		}
		if greatest <= 0 {
			return true
		}
		for p, v := range next {
			jump[p] = beta * v / greatest
		}
		sinkhorn.Project(jump, jump, s.n1, s.n2)
		for p, v := range jump {
			next[p] = alpha*v + (1-alpha)*next[p]
		}
		sumToOne(next)
		s.x, next = next, s.x
		return distance(s.x, next) < settled
	})
}

// sumToOne divides x by the sum of its absolute values. It reports whether that is
// not 0.
func sumToOne(x []float64) bool {
	sum := 0.0
	for _, v := range x {
		sum += math.Abs(v)
	}
	if sum == 0 {
		return false
	}
	for p := range x {
		x[p] /= sum
	}
	return true
}
