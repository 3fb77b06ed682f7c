package full_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/infer/portfolio/full/fulltest"
	"github.com/rgm-go/rgm/internal/leaktest"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/qap"
)

// threaded are the methods that use several threads.
var threaded = []string{"", portfolio.MethodRGM, portfolio.MethodTabu, portfolio.MethodPopulation, portfolio.MethodRegrow}

// TestThreadsChangeNothing: where steps limit the search, a seed gives the same on any
// number of threads.
func TestThreadsChangeNothing(t *testing.T) {
	p := fulltest.Open(t)
	for name, in := range map[string]*qap.Instance{"QAP": instances.QAPLIB(t, "nug24"), "sparse": pointSets(t, 22, true)} {
		for _, method := range threaded {
			o := portfolio.Options{Method: method, Options: infer.Options{MaxSteps: 30, Seed: 5, Threads: 1}}
			if method != portfolio.MethodRGM && name == "QAP" {
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
	p, err := portfolio.Open(portfolio.Config{Methods: []portfolio.Method{{
		Name: "spy",
		Search: func(_ context.Context, in *qap.Instance, _ qap.QFunction, o portfolio.Options) (qap.Result, error) {
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
	for want, o := range map[int]infer.Options{runtime.GOMAXPROCS(0): {}, 7: {Threads: 7}} {
		if _, err := p.Solve(context.Background(), in, portfolio.Options{Method: "spy", Options: o}); err != nil {
			t.Fatal(err)
		}
		if got := <-given; got != want {
			t.Errorf("Solve with %d threads has %d, want %d", o.Threads, got, want)
		}
		task := portfolio.Task{Instance: in, Options: portfolio.Options{Method: "spy", Options: o}}
		for solved := range p.SolveAll(context.Background(), 2, slices.Values([]portfolio.Task{task})) {
			if solved.Err != nil {
				t.Fatal(solved.Err)
			}
		}
		if got := <-given; got != max(o.Threads, 1) {
			t.Errorf("SolveAll with %d threads has %d, want %d", o.Threads, got, max(o.Threads, 1))
		}
	}
	if _, err := p.Solve(context.Background(), in, portfolio.Options{Options: infer.Options{Threads: -1}}); err == nil {
		t.Error("no error for -1 threads")
	}
}

// TestThreadsUnderATimeLimit: all methods that use several find solutions, told one after
// the other, and leave no goroutine.
func TestThreadsUnderATimeLimit(t *testing.T) {
	p := fulltest.Open(t)
	for name, in := range map[string]*qap.Instance{"QAP": instances.QAPLIB(t, "nug12"), "sparse": pointSets(t, 22, true)} {
		for _, method := range threaded {
			ended, last := leaktest.Check(t), 0.0
			o := portfolio.Options{Method: method, Options: infer.Options{Threads: 3, TimeLimit: 100 * time.Millisecond}}
			o.OnBest = func(found infer.Incumbent) { last = found.Score }
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
