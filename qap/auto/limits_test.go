package auto

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/internal/testdata/instances"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/anneal"
	"github.com/rgm-go/rgm/qap/population"
	"github.com/rgm-go/rgm/qap/tabu"
)

// largest is a number of nodes at which getting ready for the first swap takes longer than
// a short limit.
const largest = 1000

// searchesOfLargest are searches over swaps, on graphs of a thousand nodes.
var searchesOfLargest = map[string]qap.Solver{
	"auto": Solver{}, "tabu": tabu.Solver{}, "anneal": anneal.Solver{},
	"population": population.Solver{}, "population that grows": population.Solver{Settings: population.Grown()},
}

// TestLargeGraphsEndSoon: with a thousand nodes too, a limit is passed by less than 200 ms of
// processor time, of which other programs take none, and a search that is cancelled ends as
// soon: before the first swap searches look at the clock and the context as well. Without
// that some took most of a second.
func TestLargeGraphsEndSoon(t *testing.T) {
	if testing.Short() {
		t.Skip("instances of a thousand nodes")
	}
	for _, family := range []string{"grid", "mapping", "tree", "uniform"} {
		in := instances.Generated(t, family, largest, 1)
		for name, search := range searchesOfLargest {
			checkSoon(t, family+", "+name+", 20 ms", func() (time.Duration, qap.Status) { return overLimit(t, search, in, 20*time.Millisecond) })
		}
		checkSoon(t, family+", auto, 300 ms", func() (time.Duration, qap.Status) { return overLimit(t, Solver{}, in, 300*time.Millisecond) })
		checkSoon(t, family+", auto, cancelled", func() (time.Duration, qap.Status) { return afterCancel(t, Solver{}, in) })
	}
}

// checkSoon tries a search a few times: the collector of memory may have had the processor.
func checkSoon(t *testing.T, name string, search func() (time.Duration, qap.Status)) {
	t.Helper()
	const attempts, allowed = 5, 200 * time.Millisecond
	least := time.Duration(math.MaxInt64)
	for range attempts {
		over, status := search()
		if !status.OutOfTime() {
			t.Fatalf("%s: status %s", name, status)
		}
		if least = min(least, over); least <= allowed {
			t.Logf("%s: %v over", name, least)
			return
		}
	}
	t.Errorf("%s: %v over", name, least)
}

// overLimit returns the processor time by which a search passes its limit.
func overLimit(t *testing.T, search qap.Solver, in *qap.Instance, limit time.Duration) (time.Duration, qap.Status) {
	clock := solvertest.Clock()
	begin := clock()
	r, err := search.Solve(solvertest.Clocked(), in, qap.Options{Limits: qap.Limits{TimeLimit: limit}})
	if err != nil || !in.IsSolution(r.Matching) {
		t.Fatal(err, r.Matching)
	}
	return clock().Sub(begin) - limit, r.Status
}

// afterCancel returns the processor time that a search takes after it has been cancelled.
func afterCancel(t *testing.T, search qap.Solver, in *qap.Instance) (time.Duration, qap.Status) {
	clock := solvertest.Clock()
	ctx, cancel := context.WithCancel(t.Context())
	var cancelled time.Time
	time.AfterFunc(20*time.Millisecond, func() {
		cancelled = clock()
		cancel()
	})
	r, err := search.Solve(ctx, in, qap.Options{Limits: qap.Limits{TimeLimit: time.Minute}})
	ended := clock()
	if <-ctx.Done(); err != nil || !in.IsSolution(r.Matching) {
		t.Fatal(err, r.Matching)
	}
	return ended.Sub(cancelled), r.Status
}

// BenchmarkFirstSwap reports how long searches take to look at an instance and to be ready.
func BenchmarkFirstSwap(b *testing.B) {
	for _, family := range []string{"grid", "tree"} {
		in := instances.Generated(b, family, largest, 1)
		for name, search := range searchesOfLargest {
			b.Run(family+"/"+name, func(b *testing.B) {
				for b.Loop() {
					if _, err := search.Solve(b.Context(), in, qap.Options{Limits: qap.Limits{MaxSteps: 1}}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
