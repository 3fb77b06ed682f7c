package matchers

import (
	"cmp"
	"context"

	"github.com/rgm-go/rgm/internal/relaxation"
	"github.com/rgm-go/rgm/qap"
)

// PSM is probabilistic spectral matching: it reads the soft assignment as
// probabilities P, and each row of K ≥ 0 is multiplied by how much its vertex's
// probability grew, P ← normalised K_t·P. Nodes of graph 1 and of graph 2 are
// normalised in turn; in the graph with more nodes a sum may be less than 1.
//
// The factors of all iterations together are P/P₀, so K_t is never formed.
//
// Source: Egozi, Keller, Guterman, IEEE TPAMI 35 (2013), doi:10.1109/TPAMI.2012.51.
type PSM struct {
	MaxIter   int       // iterations; default 1000
	Tolerance float64   // distance of two iterates, over n1·n2, at the end; default 1e-6
	Start     []float64 // soft assignment to start from, n1×n2; default uniform
}

// Solve projects the soft assignment. A step is an iteration.
func (m PSM) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	return m.method().Solve(ctx, in, o)
}

// Soft returns the probabilities, or what they are when ctx ends.
func (m PSM) Soft(ctx context.Context, in *qap.Instance) ([]float64, error) {
	return m.method().Soft(ctx, in)
}

func (m PSM) method() relaxation.Method {
	return relaxation.Method{Start: m.Start, MaxIter: cmp.Or(m.MaxIter, 1000), Relax: m.relax}
}

func (m PSM) relax(s *relaxation.Search) qap.Status {
	if len(s.X) == 0 {
		return qap.Converged
	}
	k := relaxation.NonNegative(s)
	makePositive(s)
	first := append([]float64(nil), s.X...)
	next := make([]float64, len(s.X))
	tolerance := cmp.Or(m.Tolerance, 1e-6) * float64(len(s.X))
	return s.Iterate(func() bool {
		k.Multiply(next, s.X)
		for p := range next {
			next[p] = max(0, next[p]*s.X[p]/first[p])
		}
		if s.Steps%2 == 1 {
			normalizeRows(s, next)
		} else {
			normalizeColumns(s, next)
		}
		s.X, next = next, s.X
		return relaxation.Distance(s.X, next) < tolerance
	})
}

// makePositive mixes x with the uniform soft assignment where x has an entry that
// is not positive: such a vertex would never be matched.
func makePositive(s *relaxation.Search) {
	for _, v := range s.X {
		if v > 0 {
			continue
		}
		for p, v := range s.X {
			s.X[p] = (max(0, v) + 1/float64(len(s.X))) / 2
		}
		return
	}
}

// normalizeRows makes the sum of each node of graph 1 equal to 1, or at most 1 if
// that graph has more nodes.
func normalizeRows(s *relaxation.Search, x []float64) {
	if s.N1 > s.N2 {
		setTotal(s, x)
	}
	for i := range s.N1 {
		normalizeLine(x[i*s.N2:(i+1)*s.N2], 1, s.N1 > s.N2)
	}
}

// normalizeColumns is normalizeRows for graph 2.
func normalizeColumns(s *relaxation.Search, x []float64) {
	if s.N2 > s.N1 {
		setTotal(s, x)
	}
	for a := range s.N2 {
		normalizeLine(x[a:], s.N2, s.N2 > s.N1)
	}
}

// setTotal scales x so that its sum is the number of matches.
func setTotal(s *relaxation.Search, x []float64) {
	if relaxation.SumToOne(x) {
		for p := range x {
			x[p] *= float64(min(s.N1, s.N2))
		}
	}
}

// normalizeLine divides every stride-th entry by their sum, unless that is 0 or,
// with atMost, less than 1.
func normalizeLine(x []float64, stride int, atMost bool) {
	sum := 0.0
	for k := 0; k < len(x); k += stride {
		sum += x[k]
	}
	if sum == 0 || atMost && sum < 1 {
		return
	}
	for k := 0; k < len(x); k += stride {
		x[k] /= sum
	}
}
