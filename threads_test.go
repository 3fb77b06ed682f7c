package rgm_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/internal/rgmtest"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/internal/usage"
	"github.com/rgm-go/rgm/qap"
)

// threaded are the methods that use several threads.
var threaded = []string{"", rgm.MethodRGM, rgm.MethodTabu, rgm.MethodPopulation, rgm.MethodRegrow}

// TestThreadsChangeNothing: where steps limit the search, a seed gives the same on any
// number of threads.
func TestThreadsChangeNothing(t *testing.T) {
	p := rgmtest.Open(t)
	for name, in := range map[string]*qap.Instance{"QAP": instances.QAPLIB(t, "nug24"), "sparse": pointSets(t, 22, true)} {
		for _, method := range threaded {
			o := rgm.Options{Method: method, MaxSteps: 30, Seed: 5, Threads: 1}
			if method != rgm.MethodRGM && name == "QAP" {
				o.MaxSteps = 20_000
			}
			if testing.Short() { // as with the race detector, which takes ten times as long
				o.MaxSteps = min(o.MaxSteps, 2000)
			}
			want, err := p.Solve(context.Background(), in, o)
			if errors.Is(err, qap.ErrUnsupported) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			o.Threads = 3
			got, err := p.Solve(context.Background(), in, o)
			if err != nil || !slices.Equal(got.Matching, want.Matching) || got.Steps != want.Steps || got.Status != want.Status ||
				got.FoundBy != want.FoundBy || got.Evaluations != want.Evaluations {
				t.Errorf("%s, method %q: %v after %d steps (%s, by %s, %d evaluations; %v), on one thread %v after %d (%s, by %s, %d)", name, method,
					got.Objective, got.Steps, got.Status, got.FoundBy, got.Evaluations, err,
					want.Objective, want.Steps, want.Status, want.FoundBy, want.Evaluations)
			}
		}
	}
}

// TestThreadsByDefault: Solve has all processors, the tasks of SolveAll one each, and none
// leaves a goroutine behind.
func TestThreadsByDefault(t *testing.T) {
	given := make(chan int, 4)
	p, err := rgm.Open(rgm.Config{Methods: []rgm.Method{{
		Name: "spy",
		Search: func(_ context.Context, in *qap.Instance, _ qap.QFunction, o rgm.Search) (qap.Result, error) {
			given <- o.Threads
			n, _ := in.Size()
			m := make(qap.Matching, n)
			for i := range m {
				m[i] = i
			}
			return qap.NewResult(in, m, qap.Converged), nil
		},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	in := instances.QAPLIB(t, "nug12")
	for want, o := range map[int]rgm.Options{runtime.GOMAXPROCS(0): {Method: "spy"}, 7: {Method: "spy", Threads: 7}} {
		if _, err := p.Solve(context.Background(), in, o); err != nil {
			t.Fatal(err)
		}
		if got := <-given; got != want {
			t.Errorf("Solve with %d threads has %d, want %d", o.Threads, got, want)
		}
		task := rgm.Task{Instance: in, Options: o}
		for solved := range p.SolveAll(context.Background(), 2, slices.Values([]rgm.Task{task})) {
			if solved.Err != nil {
				t.Fatal(solved.Err)
			}
		}
		if got := <-given; got != max(o.Threads, 1) {
			t.Errorf("SolveAll with %d threads has %d, want %d", o.Threads, got, max(o.Threads, 1))
		}
	}
	if _, err := p.Solve(context.Background(), in, rgm.Options{Threads: -1}); err == nil {
		t.Error("no error for -1 threads")
	}
}

// TestThreadsUnderATimeLimit: all methods that use several find solutions, told one after
// the other, and leave no goroutine.
func TestThreadsUnderATimeLimit(t *testing.T) {
	p := rgmtest.Open(t)
	for name, in := range map[string]*qap.Instance{"QAP": instances.QAPLIB(t, "nug12"), "sparse": pointSets(t, 22, true)} {
		for _, method := range threaded {
			ended, last := usage.Goroutines(t), 0.0
			o := rgm.Options{Method: method, Threads: 3, TimeLimit: 100 * time.Millisecond}
			o.OnBest = func(found rgm.Incumbent) { last = found.Score }
			r, err := p.Solve(solvertest.Clocked(), in, o)
			if errors.Is(err, qap.ErrUnsupported) {
				continue
			}
			if err != nil || !in.IsSolution(r.Matching) || r.Score < last-1e-9*max(last, -last) || last == 0 {
				t.Errorf("%s, method %q: %+v, told of %v at last (%v)", name, method, r, last, err)
			}
			ended()
		}
	}
}
