package tabu

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// randomInstance returns an instance with integer matrices; kind says which are symmetric.
func randomInstance(t testing.TB, n int, kind string, sense qap.Sense, seed uint64) *qap.Instance {
	rng := rand.New(rand.NewPCG(seed, 1))
	matrix := func(symmetric bool) []float64 {
		m := make([]float64, n*n)
		for i := range n {
			for j := range n {
				m[i*n+j] = float64(rng.IntN(30) - 5)
				if symmetric && j < i {
					m[i*n+j] = m[j*n+i]
				}
			}
		}
		return m
	}
	a, b := matrix(kind != "neither" && kind != "B"), matrix(kind != "neither" && kind != "A")
	return must.Get(qap.NewKoopmansBeckmann(n, n, a, b, matrix(false), sense))(t)
}

var kinds = []string{"both", "A", "B", "neither"}

// TestFindsTheOptimum compares with all 7! assignments.
func TestFindsTheOptimum(t *testing.T) {
	for k, kind := range kinds {
		in := randomInstance(t, 7, kind, qap.Minimize, uint64(k))
		best := math.Inf(1)
		permutations(make(qap.Matching, 0, 7), 7, func(m qap.Matching) {
			best = min(best, in.Objective(in.Score(m)))
		})
		result, err := Solver{}.Solve(context.Background(), in, qap.Options{})
		if err != nil || result.Objective != best {
			t.Errorf("%s: found %v (%v), the optimum is %v", kind, result.Objective, err, best)
		}
		if result.Status != qap.MaxSteps || result.Steps != 7*StepsPerNode {
			t.Errorf("%s: %s after %d steps", kind, result.Status, result.Steps)
		}
	}
}

func permutations(m qap.Matching, n int, visit func(qap.Matching)) {
	if len(m) == n {
		visit(m)
		return
	}
	for a := range n {
		if !slices.Contains(m, a) {
			permutations(append(m, a), n, visit)
		}
	}
}

func TestLimits(t *testing.T) {
	in := randomInstance(t, 12, "both", qap.Minimize, 9)
	solve := func(ctx context.Context, o qap.Options) qap.Result {
		t.Helper()
		result := must.Get(Solver{}.Solve(ctx, in, o))(t)
		if result.Objective != in.Objective(in.Score(result.Matching)) || result.Matching.Size() != 12 {
			t.Fatalf("result %+v is not a solution of its objective", result)
		}
		return result
	}
	ctx := context.Background()
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	long := solve(ctx, qap.Options{Seed: 1})
	for want, result := range map[qap.Status]qap.Result{
		qap.MaxSteps:  solve(ctx, qap.Options{Limits: qap.Limits{MaxSteps: 10}}),
		qap.Patience:  solve(ctx, qap.Options{Limits: qap.Limits{Patience: 50}}),
		qap.TimeLimit: solve(ctx, qap.Options{Limits: qap.Limits{TimeLimit: time.Millisecond}}),
		qap.Target:    solve(ctx, qap.Options{Limits: qap.Limits{Target: long.Objective, HasTarget: true}, Seed: 1}),
		qap.Cancelled: solve(cancelled, qap.Options{}),
	} {
		if result.Status != want {
			t.Errorf("status %s, want %s", result.Status, want)
		}
	}
	again := solve(ctx, qap.Options{Seed: 1})
	if !slices.Equal(again.Matching, long.Matching) {
		t.Error("the same seed gives another matching")
	}
	kept := solve(ctx, qap.Options{Initial: long.Matching, Limits: qap.Limits{MaxSteps: 1}})
	if kept.Score < long.Score {
		t.Error("the search lost the matching it started from")
	}
}

func TestSmallAndUnsupported(t *testing.T) {
	for n := range 3 {
		result, err := Solver{}.Solve(context.Background(), randomInstance(t, n, "neither", qap.Minimize, 1), qap.Options{})
		if err != nil || result.Matching.Size() != n {
			t.Errorf("n = %d: %v, %v", n, result, err)
		}
	}
	dense := must.Get(qap.NewDense(2, 2, make([]float64, 16), qap.Maximize))(t)
	if _, err := (Solver{}).Solve(context.Background(), dense, qap.Options{}); !errors.Is(err, qap.ErrUnsupported) {
		t.Errorf("a dense instance gives %v, want ErrUnsupported", err)
	}
	in := randomInstance(t, 3, "both", qap.Minimize, 1)
	for _, m := range []qap.Matching{{0, 1}, {0, 1, qap.Unmatched}, {0, 0, 1}} {
		if _, err := (Solver{}).Solve(context.Background(), in, qap.Options{Initial: m}); err == nil {
			t.Errorf("initial matching %v is accepted", m)
		}
	}
}

// TestRoundingIsNoGain: of integers whose sums exceed what a float64 holds exactly, rounding is
// not taken for a better best. Here all assignments cost the same: all facilities have the same
// flow in all, and distances are sums of a number for either location.
func TestRoundingIsNoGain(t *testing.T) {
	const n = 20
	rng := rand.New(rand.NewPCG(4, 4))
	a, b := make([]float64, n*n), make([]float64, n*n)
	var flow, height [n]float64
	for k := range n {
		flow[k], height[k] = float64(rng.Int64N(1e15)), float64(rng.Int64N(1e15))
	}
	for i := range n {
		for j := range n {
			if i != j {
				a[i*n+j], b[i*n+j] = flow[min((n+i-j)%n, (n+j-i)%n)], height[i]+height[j]
			}
		}
	}
	in := must.Get(qap.NewKoopmansBeckmann(n, n, a, b, nil, qap.Minimize))(t)
	result, err := Solver{}.Solve(context.Background(), in, qap.Options{Limits: qap.Limits{Patience: 50, MaxSteps: 5000}})
	if err != nil || result.Steps != 50 {
		t.Errorf("%s after %d steps (%v), want an end after 50", result.Status, result.Steps, err)
	}
	view, err := NewView(in)
	if err != nil || view.Tolerance() == 0 {
		t.Errorf("a tolerance of %v (%v), want more than 0", view.Tolerance(), err)
	}
}
