package matchers

import (
	"cmp"
	"context"
	"math"

	"github.com/rgm-go/rgm/internal/relaxation"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/assignment"
)

// GraduatedAssignment replaces the soft assignment by the softmax of the score's
// gradient, made doubly stochastic, again and again while the temperature falls.
// K may be signed. Where the graphs differ in size, dummy nodes take the place of
// the paper's slack, since results are complete.
//
// The temperatures are relative to K: its unit is the greatest absolute value of
// the gradient at the uniform doubly stochastic matrix.
//
// Source: Gold, Rangarajan, IEEE TPAMI 18 (1996), doi:10.1109/34.491619.
type GraduatedAssignment struct {
	Beta0 float64   // inverse temperature at the start; default 0.5
	BetaF float64   // at the end; default 10
	BetaR float64   // factor between two; default 1.075
	I0    int       // iterations at each; default 4
	I1    int       // normalisations of the Sinkhorn projection; default 30
	Start []float64 // soft assignment to start from, n1×n2; default uniform
}

// near is the distance of two iterates at which the next temperature is due.
const near = 1e-4

// Solve projects the soft assignment. A step is a temperature.
func (m GraduatedAssignment) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	return m.method().Solve(ctx, in, o)
}

// Soft returns the soft assignment of the last temperature, or what it is when
// ctx ends. It is doubly stochastic.
func (m GraduatedAssignment) Soft(ctx context.Context, in *qap.Instance) ([]float64, error) {
	return m.method().Soft(ctx, in)
}

func (m GraduatedAssignment) method() relaxation.Method {
	return relaxation.Method{Start: m.Start, MaxIter: math.MaxInt, Relax: m.relax}
}

func (m GraduatedAssignment) relax(s *relaxation.Search) qap.Status {
	beta, last, rate := cmp.Or(m.Beta0, 0.5), cmp.Or(m.BetaF, 10), cmp.Or(m.BetaR, 1.075)
	sinkhorn := s.Sinkhorn(assignment.Sinkhorn{MaxIter: cmp.Or(m.I1, 30), DummyRow: true})
	next := make([]float64, len(s.X))
	unit := scale(s)
	return s.Iterate(func() bool {
		if unit == 0 {
			return true
		}
		for range cmp.Or(m.I0, 4) {
			s.Multiply(next, s.X)
			if s.Cut() {
				break
			}
			for p := range next {
				next[p] *= beta / unit
			}
			sinkhorn.Project(next, next, s.N1, s.N2)
			s.X, next = next, s.X
			if relaxation.Distance(s.X, next) < near {
				break
			}
		}
		beta *= rate
		return beta > last
	})
}

// scale returns the unit of the gradient: its greatest absolute value at the
// uniform doubly stochastic matrix.
func scale(s *relaxation.Search) float64 {
	uniform, product := make([]float64, len(s.X)), make([]float64, len(s.X))
	for p := range uniform {
		uniform[p] = 1 / float64(max(s.N1, s.N2))
	}
	s.Multiply(product, uniform)
	unit := 0.0
	for _, v := range product {
		unit = max(unit, math.Abs(v))
	}
	return unit
}
