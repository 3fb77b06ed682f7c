package classic

import (
	"cmp"
	"context"
	"math"

	"github.com/rgm-go/rgm/internal/relaxation"
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
	return m.method().Solve(ctx, in, o)
}

// Soft returns the walk's distribution, or what it is when ctx ends.
func (m RRWM) Soft(ctx context.Context, in *qap.Instance) ([]float64, error) {
	return m.method().Soft(ctx, in)
}

func (m RRWM) method() relaxation.Method {
	return relaxation.Method{Start: m.Start, MaxIter: cmp.Or(m.MaxIter, 50), Relax: m.relax}
}

func (m RRWM) relax(s *relaxation.Search) qap.Status {
	k := relaxation.NonNegative(s)
	sinkhorn := s.Sinkhorn(assignment.Sinkhorn{MaxIter: cmp.Or(m.SkIter, 20)})
	alpha, beta := cmp.Or(m.Alpha, 0.2), cmp.Or(m.Beta, 30)
	next, jump := make([]float64, len(s.X)), make([]float64, len(s.X))
	return s.Iterate(func() bool {
		k.Multiply(next, s.X) // walk
		if !relaxation.SumToOne(next) {
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
		sinkhorn.Project(jump, jump, s.N1, s.N2)
		for p, v := range jump {
			next[p] = alpha*v + (1-alpha)*next[p]
		}
		relaxation.SumToOne(next)
		s.X, next = next, s.X
		return relaxation.Distance(s.X, next) < settled
	})
}
