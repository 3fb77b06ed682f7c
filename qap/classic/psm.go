package classic

import (
	"context"

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
	return solve(ctx, in, o, m)
}

// Soft returns the probabilities, or what they are when ctx ends.
func (m PSM) Soft(ctx context.Context, in *qap.Instance) ([]float64, error) {
	return soft(ctx, in, m)
}

func (m PSM) newSearch(ctx context.Context, in *qap.Instance, o qap.Options) (*search, error) {
	return newSearch(ctx, in, o, m.Start, or(m.MaxIter, 1000))
}

func (m PSM) relax(s *search) qap.Status {
	if len(s.x) == 0 {
		return qap.Converged
	}
	k := nonNegative(s)
	s.makePositive()
	first := append([]float64(nil), s.x...)
	next := make([]float64, len(s.x))
	tolerance := or(m.Tolerance, 1e-6) * float64(len(s.x))
	return s.iterate(func() bool {
		k.Multiply(next, s.x)
		for p := range next {
			next[p] = max(0, next[p]*s.x[p]/first[p])
		}
		if s.steps%2 == 1 {
			s.normalizeRows(next)
		} else {
			s.normalizeColumns(next)
		}
		s.x, next = next, s.x
		return distance(s.x, next) < tolerance
	})
}

// makePositive mixes x with the uniform soft assignment where x has an entry that
// is not positive: such a vertex would never be matched.
func (s *search) makePositive() {
	for _, v := range s.x {
		if v > 0 {
			continue
		}
		for p, v := range s.x {
			s.x[p] = (max(0, v) + 1/float64(len(s.x))) / 2
		}
		return
	}
}

// normalizeRows makes the sum of each node of graph 1 equal to 1, or at most 1 if
// that graph has more nodes.
func (s *search) normalizeRows(x []float64) {
	if s.n1 > s.n2 {
		s.setTotal(x)
	}
	for i := range s.n1 {
		normalizeLine(x[i*s.n2:(i+1)*s.n2], 1, s.n1 > s.n2)
	}
}

// normalizeColumns is normalizeRows for graph 2.
func (s *search) normalizeColumns(x []float64) {
	if s.n2 > s.n1 {
		s.setTotal(x)
	}
	for a := range s.n2 {
		normalizeLine(x[a:], s.n2, s.n2 > s.n1)
	}
}

// setTotal scales x so that its sum is the number of matches.
func (s *search) setTotal(x []float64) {
	if sumToOne(x) {
		for p := range x {
			x[p] *= float64(min(s.n1, s.n2))
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
