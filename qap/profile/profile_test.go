package profile

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
)

// seedsOf returns no seeds and some.
func seedsOf(in *qap.Instance) []qap.Matching {
	n1, n2 := in.Size()
	some := qap.NewMatching(n1)
	some[n1-1] = n2 / 2
	return []qap.Matching{nil, some}
}

// TestProfileIsExactOnSmallInstances compares every size and the choice of every
// goal with enumeration.
func TestProfileIsExactOnSmallInstances(t *testing.T) {
	near := func(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-9 }
	for _, in := range solvertest.Small(t) {
		n1, n2 := in.Size()
		most := min(n1, n2)
		for _, seeds := range seedsOf(in) {
			want := solvertest.BestScores(in, seeds)
			for _, goal := range []qap.Goal{
				{}, {Inliers: most}, {Inliers: (most + 1) / 2}, {Regularizer: qap.RegularizeF1}, {Regularizer: qap.RegularizeF3},
				{Regularizer: qap.RegularizeMean(1.6)}, {Inliers: most, Regularizer: qap.RegularizeF2},
			} {
				goal.Fixed = seeds
				if goal.Check(in) != nil {
					continue // a complete instance with fewer inliers
				}
				name := fmt.Sprintf("%s, %d inliers, %s, seeds %v", in.Name, goal.Inliers, goal.Regularizer, seeds)
				r, err := Solver{Goal: goal}.Solve(context.Background(), in, qap.Options{Seed: 3})
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				least, last := goal.Sizes(in)
				value := math.Inf(-1)
				for m, best := range r.Profile {
					if !near(best.Score, want[m]) {
						t.Errorf("%s: size %d: score %v, best is %v", name, m, best.Score, want[m])
					}
					if best.Matching != nil && (best.Matching.Size() != m || in.CheckMatching(best.Matching) != nil || !holds(best.Matching, seeds)) {
						t.Errorf("%s: size %d: %v", name, m, best.Matching)
					}
					if m >= least && m <= last && !math.IsInf(want[m], -1) {
						value = max(value, goal.Value(in, want[m], m))
					}
				}
				if got := goal.Value(in, r.Score, r.Matching.Size()); !near(got, value) || !in.IsSolution(r.Matching) {
					t.Errorf("%s: value %v of %v, best is %v", name, got, r.Matching, value)
				}
				if (r.Status == qap.Inliers) != (goal.Inliers > 0) {
					t.Errorf("%s: status %s", name, r.Status)
				}
			}
		}
	}
}

func holds(m, seeds qap.Matching) bool {
	for i, a := range seeds {
		if a != qap.Unmatched && m[i] != a {
			return false
		}
	}
	return true
}

// random returns an instance with edge affinities of which a share is not 0.
func random(t testing.TB, n1, n2 int, share float64) *qap.Instance {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 6))
	k := make([]float64, n1*n2*n1*n2)
	for p := range k {
		if rng.Float64() < share {
			k[p] = rng.NormFloat64()
		}
	}
	return must.Get(qap.NewDense(n1, n2, k, qap.Maximize))(t)
}

func TestSeedDecidesTheResult(t *testing.T) {
	in := random(t, 9, 12, .5)
	solve := func(seed uint64) qap.Result {
		return must.Get(Solver{}.Solve(context.Background(), in, qap.Options{Seed: seed}))(t)
	}
	if !reflect.DeepEqual(solve(4), solve(4)) {
		t.Error("the same seed gives another result")
	}
}

func TestLimits(t *testing.T) {
	in := random(t, 9, 12, .5)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		ctx    context.Context
		limits qap.Limits
		want   qap.Status
	}{
		{context.Background(), qap.Limits{}, qap.Converged},
		{context.Background(), qap.Limits{MaxSteps: 7}, qap.MaxSteps},
		{context.Background(), qap.Limits{Patience: 50}, qap.Patience},
		{context.Background(), qap.Limits{TimeLimit: 20 * time.Millisecond}, qap.TimeLimit},
		{context.Background(), qap.Limits{Target: 1, HasTarget: true}, qap.Target},
		{cancelled, qap.Limits{}, qap.Cancelled},
	} {
		for _, complete := range []bool{false, true} {
			one := *in
			one.Complete = complete
			r, err := Solver{}.Solve(c.ctx, &one, qap.Options{Limits: c.limits})
			if err != nil || r.Status != c.want || !one.IsSolution(r.Matching) {
				t.Errorf("%+v: %s %v, %v; want %s", c.limits, r.Status, r.Matching, err, c.want)
			}
			if c.limits.MaxSteps > 0 && r.Steps != c.limits.MaxSteps {
				t.Errorf("%d steps, want %d", r.Steps, c.limits.MaxSteps)
			}
		}
	}
}

// TestInitialIsKept: with the initial matching in the profile a search can only be
// better.
func TestInitialIsKept(t *testing.T) {
	in := random(t, 8, 8, 1)
	first := must.Get(Solver{}.Solve(context.Background(), in, qap.Options{}))(t)
	r, err := Solver{}.Solve(context.Background(), in, qap.Options{Initial: first.Matching, Limits: qap.Limits{MaxSteps: 1}})
	if err != nil || r.Score < first.Score {
		t.Errorf("score %v, %v; the initial matching has %v", r.Score, err, first.Score)
	}
	if _, err := (Solver{}).Solve(context.Background(), in, qap.Options{Initial: qap.Matching{0}}); err == nil {
		t.Error("an initial matching of another instance is accepted")
	}
}

func TestGoalsThatCannotBeMet(t *testing.T) {
	in := random(t, 3, 4, 1)
	for name, goal := range map[string]qap.Goal{
		"too many inliers": {Inliers: 4},
		"negative":         {Inliers: -1},
		"range":            {Fixed: qap.Matching{4, -1, -1}},
		"conflict":         {Fixed: qap.Matching{2, 2, -1}},
		"length":           {Fixed: qap.Matching{1}},
		"more seeds":       {Inliers: 1, Fixed: qap.Matching{0, 1, -1}},
	} {
		if _, err := (Solver{Goal: goal}).Solve(context.Background(), in, qap.Options{}); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	in.Complete = true
	_, err := Solver{Goal: qap.Goal{Inliers: 2}}.Solve(context.Background(), in, qap.Options{})
	if err == nil || errors.Is(err, qap.ErrUnsupported) {
		t.Errorf("two inliers of a complete instance: %v", err)
	}
}

func TestMovesAllocateNothing(t *testing.T) {
	in := random(t, 12, 12, .3)
	s := newSearch(in, nil, rand.New(rand.NewPCG(1, 1)))
	s.reset(nil, nil)
	allocated := testing.AllocsPerRun(20, func() {
		for s.Size < 12 {
			s.grow()
			if m, ok := s.bestMove(s.needed()); ok {
				s.steps++
				s.make(m)
				s.keep()
			}
		}
		for s.Size > 1 {
			s.shrink()
		}
	})
	if allocated > 0 {
		t.Errorf("%v allocations", allocated)
	}
}
