package regrow

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/exact"
)

// sparseInstance returns random affinities, few of them between edges.
func sparseInstance(t *testing.T, rng *rand.Rand, n1, n2 int) *qap.Instance {
	t.Helper()
	var entries []qap.Entry
	for p := range n1 * n2 {
		entries = append(entries, qap.Entry{P: p, Q: p, Value: rng.Float64() - .2})
		for q := range p {
			if rng.Float64() < .03 {
				entries = append(entries, qap.Entry{P: p, Q: q, Value: 2*rng.Float64() - .5})
			}
		}
	}
	return must.Get(qap.NewSparse(n1, n2, entries, qap.Maximize))(t)
}

// TestBounds compares what is proved with optima, of any size and with a count.
func TestBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	proved := 0
	for round := range 20 {
		in := sparseInstance(t, rng, 6, 5+round%3)
		goal := qap.Goal{}
		if round%4 == 3 {
			in.Complete = true
		}
		best := must.Get(exact.Solver{}.Solve(context.Background(), in, qap.Options{}))(t)
		r := must.Get(Solver{Goal: goal}.Solve(context.Background(), in, qap.Options{}))(t)
		if !r.HasBound || r.Bound < best.Score-1e-9 || r.Bound < r.Score {
			t.Errorf("round %d: bound %v (%v), optimum %v, score %v", round, r.Bound, r.HasBound, best.Score, r.Score)
		}
		if r.Status == qap.Optimal {
			proved++
			if math.Abs(r.Score-best.Score) > 1e-8 {
				t.Errorf("round %d: %v is no optimum, which is %v", round, r.Score, best.Score)
			}
		}
	}
	if proved < 10 {
		t.Errorf("%d of 20 proved", proved)
	}
}

// TestProofEndsTheSearch: once the best is proved, the rest of a time limit is not used.
func TestProofEndsTheSearch(t *testing.T) {
	in := sparseInstance(t, rand.New(rand.NewPCG(2, 5)), 5, 5)
	before := time.Now()
	r := must.Get(Solver{}.Solve(context.Background(), in, qap.Options{Limits: qap.Limits{TimeLimit: 20 * time.Second}}))(t)
	if took := time.Since(before); r.Status != qap.Optimal || took > 10*time.Second {
		t.Errorf("%v after %v", r.Status, took)
	}
}
