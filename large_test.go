package rgm_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/rgmtest"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
)

// largeKinds are instances for which getting ready, or a step, may take longer than a short limit:
// a grid of 1,000 nodes, a pair of Delaunay graphs with 600 nodes each, 500 of them the
// same, and a dense affinity matrix of 3,600 vertices.
func largeKinds(t testing.TB) map[string]*qap.Instance {
	t.Helper()
	grid := must.Get(datasets.Generate("grid", 1000, rand.New(rand.NewPCG(1000, 1))))(t)
	kinds := map[string]*qap.Instance{"grid": grid, "dense": pointSets(t, 60, false)}
	sparse := pairs.Synthetic{Inliers: 500, Outliers: 100, Noise: .05, Count: 1, Seed: 7,
		Affinity: affinities.Geometric{Edges: graphs.Delaunay, Length: .2, Direction: .2, Relative: true}}
	for pair, err := range sparse.Set().Pairs {
		if err != nil {
			t.Fatal(err)
		}
		kinds["pair"] = pair.Instance
	}
	return kinds
}

// TestLargeGraphsEndSoon: on large graphs too, every search passes its limit by less than 200 ms
// of processor time, which no other program shares, and ends as soon once it is cancelled;
// what it returns is a solution with its score.
func TestLargeGraphsEndSoon(t *testing.T) {
	if testing.Short() {
		t.Skip("instances of a thousand nodes")
	}
	const allowed = 200 * time.Millisecond
	p := rgmtest.Open(t)
	worst := time.Duration(0)
	defer func() { t.Attr("worst-ms", fmt.Sprintf("%.3g", worst.Seconds()*1e3)) }()
	for kind, in := range largeKinds(t) {
		for _, o := range searches(p) {
			t.Run(kind+"/"+label(o), func(t *testing.T) {
				for name, try := range map[string]func() (time.Duration, rgm.Result, error){
					"limited": func() (time.Duration, rgm.Result, error) { return passed(p, in, o, 40*time.Millisecond) },
					"cancelled": func() (time.Duration, rgm.Result, error) {
						return passedCancelled(p, in, o, 40*time.Millisecond)
					},
				} {
					least := time.Duration(math.MaxInt64)
					for range attempts { // caches are shared with other programs, also where processors are not
						over, r, err := try()
						if errors.Is(err, qap.ErrUnsupported) || noModel(err) {
							t.Skip(err)
						} else if err != nil {
							t.Fatal(err)
						}
						if !in.IsSolution(r.Matching) || in.CheckMatching(r.Matching) != nil || r.Score != in.Score(r.Matching) {
							t.Fatalf("%s: no solution, or another score than %v", name, in.Score(r.Matching))
						}
						if least = min(least, over); least <= allowed {
							break
						}
					}
					worst = max(worst, least)
					if t.Logf("%s: %v over", name, least); least > allowed {
						t.Errorf("%s: %v over", name, least)
					}
				}
			})
		}
	}
}

// passed returns the processor time by which a search passes its limit.
func passed(p *rgm.Solver, in *qap.Instance, o rgm.Options, limit time.Duration) (time.Duration, rgm.Result, error) {
	ctx, clock := clockOf(o)
	o.TimeLimit, o.Threads = limit, 1
	begin := clock()
	r, err := p.Solve(ctx, in, o)
	return clock().Sub(begin) - limit, r, err
}

// passedCancelled returns the processor time that a search takes once it is cancelled.
func passedCancelled(p *rgm.Solver, in *qap.Instance, o rgm.Options, until time.Duration) (time.Duration, rgm.Result, error) {
	clock := solvertest.Clock()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cancelled := make(chan time.Time, 1)
	time.AfterFunc(until, func() {
		cancelled <- clock()
		cancel()
	})
	o.TimeLimit, o.Threads = time.Minute, 1
	r, err := p.Solve(ctx, in, o)
	ended := clock()
	begin := ended // where it ended by itself before
	select {
	case begin = <-cancelled:
	default:
	}
	return ended.Sub(begin), r, err
}
