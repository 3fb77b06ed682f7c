package qap

import (
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// TestReduce: each release is the best one, by recomputed scores.
func TestReduce(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	const n1, n2 = 6, 7
	k := make([]float64, n1*n2*n1*n2)
	for e := range k {
		k[e] = rng.NormFloat64()
	}
	in := must.Get(NewDense(n1, n2, k, Maximize))(t)
	m := RandomMatching(n1, n2, rng)
	for size := n1; size >= 0; size-- {
		reduced := in.Reduce(m, size)
		if reduced.Size() != size {
			t.Fatalf("%d matches, want %d", reduced.Size(), size)
		}
		if size == 0 {
			break
		}
		next := in.Score(in.Reduce(m, size-1))
		for i, a := range reduced {
			if a == Unmatched {
				continue
			}
			reduced[i] = Unmatched
			if score := in.Score(reduced); score > next+1e-12 {
				t.Errorf("%d matches: releasing node %d leaves %v, Reduce %v", size, i, score, next)
			}
			reduced[i] = a
		}
	}
}

// TestReduced: the result of fewer matches is that of its own matching.
func TestReduced(t *testing.T) {
	in := must.Get(NewDense(2, 2, []float64{3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2}, Minimize))(t)
	whole := NewResult(in, Matching{0, 1}, Converged)
	whole.Steps = 7
	r := in.Reduced(whole, in.Reduce(whole.Matching, 1), true)
	if r.Matching[0] != Unmatched || r.Matching[1] != 1 || r.Objective != 2 || r.Score != -2 || r.Status != Inliers || r.Steps != 7 {
		t.Errorf("%+v, want node 1 alone, at a cost of 2", r)
	}
	whole.Status = TimeLimit
	if r := in.Reduced(whole, in.Reduce(whole.Matching, 1), true); r.Status != TimeLimit {
		t.Errorf("status %s", r.Status)
	}
}
