package auto

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/internal/usage"
	"github.com/rgm-go/rgm/qap"
)

// solveOn solves with a number of threads, and demands that no goroutine is left.
func solveOn(t *testing.T, threads int, in *qap.Instance, o qap.Options) qap.Result {
	t.Helper()
	ended := usage.Goroutines(t)
	r, err := Solver{Threads: threads}.Solve(context.Background(), in, o)
	if err != nil {
		t.Fatal(err)
	}
	ended()
	return r
}

// TestThreadsChangeNothing: where steps limit the search, all that is told of it is the
// same on any number of threads.
func TestThreadsChangeNothing(t *testing.T) {
	noninteger := instances.Generated(t, "grid", 16, 1)
	kb := noninteger.Affinity.(*qap.KoopmansBeckmann)
	a := slices.Clone(kb.A())
	for k := range a {
		a[k] *= 0.1
	}
	noninteger, err := qap.NewKoopmansBeckmann(16, 16, a, kb.B(), nil, qap.Minimize)
	if err != nil {
		t.Fatal(err)
	}
	instances := map[string]*qap.Instance{
		"grid": instances.Generated(t, "grid", 30, 1), "blocks": instances.Generated(t, "blocks", 25, 1), "neighbours": instances.Generated(t, "neighbours", 20, 1), "tenths": noninteger,
	}
	for name, in := range instances {
		n, _ := in.Size()
		alone := solveOn(t, 1, in, qap.Options{Seed: 2, Limits: qap.Limits{MaxSteps: 1500 * n}})
		for _, limits := range []qap.Limits{
			{MaxSteps: 1500 * n},
			{MaxSteps: 1500*n - 1234},
			{MaxSteps: 1500 * n, TimeLimit: time.Hour},
			{Patience: 300 * n},
			{MaxSteps: 1500 * n, Target: alone.Objective, HasTarget: true},
			{}, // a budget of its own, or until it has converged
		} {
			if limits == (qap.Limits{}) && n > 20 {
				continue
			}
			o := qap.Options{Seed: 2, Limits: limits}
			want := solveOn(t, 1, in, o)
			for range 2 { // what goes ahead differs every time
				got := solveOn(t, 3, in, o)
				if !slices.Equal(got.Matching, want.Matching) || got.Steps != want.Steps || got.Status != want.Status || got.FoundBy != want.FoundBy {
					t.Errorf("%s, %+v: %v after %d steps (%s, by %s), on one thread %v after %d (%s, by %s)", name, limits,
						got.Objective, got.Steps, got.Status, got.FoundBy, want.Objective, want.Steps, want.Status, want.FoundBy)
				}
			}
		}
	}
}

// TestIslands: under a time limit all islands count, the best is the result, and better
// solutions are told one after the other.
func TestIslands(t *testing.T) {
	in := instances.Generated(t, "blocks", 30, 1)
	onBest, last := solvertest.OnBest(t, in)
	o := qap.Options{Limits: qap.Limits{TimeLimit: 150 * time.Millisecond}, OnBest: onBest}
	r := solveOn(t, 3, in, o)
	if r.Status != qap.TimeLimit || r.Score != *last || r.Score != in.Score(r.Matching) || r.FoundBy == "" {
		t.Errorf("%+v, told of a score of %v at last", r, *last)
	}
	o = qap.Options{Limits: qap.Limits{TimeLimit: time.Minute, Target: r.Objective, HasTarget: true}}
	if got := solveOn(t, 2, in, o); got.Status != qap.Target || got.Objective > r.Objective {
		t.Errorf("%s with %v, want the target %v", got.Status, got.Objective, r.Objective)
	}
	best := r.Matching
	o = qap.Options{Limits: qap.Limits{TimeLimit: 30 * time.Millisecond}, Initial: best}
	if got := solveOn(t, 2, in, o); got.Score < r.Score {
		t.Error("the initial matching is lost")
	}
	o.Initial = make(qap.Matching, 3)
	if _, err := (Solver{Threads: 2}).Solve(context.Background(), in, o); err == nil {
		t.Error("no error for an initial matching of 3 nodes")
	}
}

// TestNothingToSearch: nobody found the only matching of one node.
func TestNothingToSearch(t *testing.T) {
	in, err := qap.NewKoopmansBeckmann(1, 1, []float64{0}, []float64{0}, nil, qap.Minimize)
	if err != nil {
		t.Fatal(err)
	}
	if r := solve(t, in, qap.Options{}); r.FoundBy != ByStart {
		t.Errorf("found by %q, want %q", r.FoundBy, ByStart)
	}
}
