package rgm_test

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// drifting returns problems whose flows drift a little from one to the next.
func drifting(t *testing.T, n, count int) (all []*qap.Instance) {
	t.Helper()
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	a, b := make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		for j := range i {
			a[i*n+j], b[i*n+j] = math.Round(100*rng.ExpFloat64()), float64(1+rng.IntN(9))
			a[j*n+i], b[j*n+i] = a[i*n+j], b[i*n+j]
		}
	}
	for range count {
		own := slices.Clone(a)
		for i := range n {
			for j := range i {
				v := math.Round(own[i*n+j] * math.Exp(0.1*rng.NormFloat64()))
				own[i*n+j], own[j*n+i] = v, v
			}
		}
		all = append(all, must.Get(qap.NewKoopmansBeckmann(n, n, own, b, nil, qap.Minimize))(t))
	}
	return all
}

// TestRecall: what auto found for a problem is where a part of its search for the next one begins, which is told; the
// folder outlives the solver, and a search of few steps is no worse than what is recalled.
func TestRecall(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "kept")
	problems := drifting(t, 14, 4)
	for k, in := range problems {
		solver := must.Get(rgm.Open(rgm.Config{Recall: folder}))(t)
		o := rgm.Options{Seed: uint64(k), MaxSteps: 20 * 14}
		r := must.Get(solver.Solve(t.Context(), in, o))(t)
		if r.Recalled == nil || r.Recalled.Kept != k || (r.Recalled.Objective != nil) != (k > 0) {
			t.Fatalf("problem %d: %+v", k, r.Recalled)
		}
		if k > 0 && r.Objective > *r.Recalled.Objective {
			t.Errorf("problem %d: %v is worse than what was recalled, %v", k, r.Objective, *r.Recalled.Objective)
		}
		if err := in.CheckMatching(r.Matching); err != nil {
			t.Error(err)
		}
		solver.Close()
	}

	// Without a folder, with another method, and of an affinity matrix, nothing is recalled.
	solver := must.Get(rgm.Open(rgm.Config{Recall: folder}))(t)
	defer solver.Close()
	if r := must.Get(solver.Solve(t.Context(), problems[0], rgm.Options{Method: "tabu", MaxSteps: 50}))(t); r.Recalled != nil {
		t.Errorf("tabu recalls %+v", r.Recalled)
	}
	if r := must.Get(rgm.Solve(t.Context(), problems[0], rgm.Options{MaxSteps: 50}))(t); r.Recalled != nil {
		t.Errorf("without a folder %+v is recalled", r.Recalled)
	}

	// A search that is cancelled keeps its best, and the islands of a time limit recall too.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := solver.Solve(ctx, problems[1], rgm.Options{}); err == nil && r.Status != qap.Cancelled {
		t.Errorf("cancelled: %v", r.Status)
	}
	r := must.Get(solver.Solve(t.Context(), problems[1], rgm.Options{TimeLimit: 50e6, Threads: 2}))(t)
	if r.Recalled == nil || r.Recalled.Objective == nil || r.Objective > *r.Recalled.Objective {
		t.Errorf("on two threads: %+v", r.Recalled)
	}
	if _, err := rgm.Open(rgm.Config{Recall: "recall_test.go"}); err == nil {
		t.Error("a file as folder: no error")
	}
}
