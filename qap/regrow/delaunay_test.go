package regrow_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/cputime"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/classic"
	"github.com/rgm-go/rgm/qap/regrow"
	"github.com/rgm-go/rgm/qap/rollout"
)

// pairOf returns a pair of graphs by the protocol of pairs.Synthetic with noise 0.05, with edges
// by a rule: its problem, and which nodes are the same. Both come in a random order.
func pairOf(t testing.TB, edges graphs.EdgeRule, inliers, outliers int, seed uint64) (*qap.Instance, qap.Matching) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	n := inliers + outliers
	points1, points2 := make([]graphs.Point, n), make([]graphs.Point, n)
	truth := qap.NewMatching(n)
	noisy := func(x float64) float64 { return x * (1 + .05*(2*rng.Float64()-1)) }
	order1 := rand.New(rand.NewPCG(seed, 8)).Perm(n) // methods that prefer the first nodes must not gain by it
	for k, a := range rng.Perm(n) {
		i := order1[k]
		points1[i] = graphs.Point{X: rng.Float64(), Y: rng.Float64()}
		points2[a] = graphs.Point{X: rng.Float64(), Y: rng.Float64()}
		if k < inliers {
			truth[i] = a
			points2[a] = graphs.Point{X: noisy(points1[i].X), Y: noisy(points1[i].Y)}
		}
	}
	in := must.Get(affinities.Geometric{Edges: edges, Length: .2, Direction: .2, Relative: true}.Instance(points1, points2))(t)
	return in, truth
}

// methods are what is measured.
var methods = []struct {
	name   string
	solver qap.Solver
}{
	{"regrow", regrow.Solver{}},
	{"rrwm", classic.RRWM{}},
	{"ipfp", classic.IPFP{}},
	{"greedy-tabu", &rollout.Solver{Policy: rollout.GreedyTabu{}, Rollouts: 8, Rules: qap.EnvironmentOptions{Autofill: true, Release: true}}},
	{"fusion moves", regrow.FusionMoves{}},
}

// BenchmarkDelaunay measures the means of score and F1 over four pairs, each with a seed of its
// own, under limits of processor time. RRWM and IPFP may end before.
func BenchmarkDelaunay(b *testing.B) {
	for _, size := range [][2]int{{80, 20}, {200, 50}, {500, 100}} {
		for _, limit := range []time.Duration{1, 5, 20} {
			benchmarkPairs(b, graphs.Delaunay, size, limit*time.Second)
		}
	}
}

// BenchmarkAnytime does so under short limits: dense pairs of 40 nodes, sparse ones of 50 and
// 100.
func BenchmarkAnytime(b *testing.B) {
	for _, kind := range []struct {
		edges graphs.EdgeRule
		size  [2]int
	}{{graphs.Complete, [2]int{30, 10}}, {graphs.Delaunay, [2]int{40, 10}}, {graphs.Delaunay, [2]int{80, 20}}} {
		for _, limit := range []time.Duration{5, 20, 100, 300, 1000} {
			benchmarkPairs(b, kind.edges, kind.size, limit*time.Millisecond)
		}
	}
}

// benchmarkPairs measures all methods on four pairs.
func benchmarkPairs(b *testing.B, edges graphs.EdgeRule, size [2]int, limit time.Duration) {
	for _, m := range methods {
		b.Run(fmt.Sprintf("%d+%d %v/%v/%s", size[0], size[1], edges, limit, m.name), func(b *testing.B) {
			const pairs = 4
			var score, f1, gap, seconds float64
			for seed := range uint64(pairs) {
				in, truth := pairOf(b, edges, size[0], size[1], seed)
				ctx := qap.WithClock(context.Background(), cputime.Clock)
				runtime.GC()
				before := cputime.Clock()
				r := must.Get(m.solver.Solve(ctx, in, qap.Options{Limits: qap.Limits{TimeLimit: limit}, Seed: seed}))(b)
				seconds += cputime.Clock().Sub(before).Seconds() / pairs
				score += r.Score / pairs
				f1 += 100 * r.Matching.F1(truth) / pairs
				if r.HasBound {
					gap += 100 * (r.Bound - r.Score) / r.Score / pairs
				}
			}
			b.ReportMetric(score, "score")
			b.ReportMetric(f1, "F1%")
			b.ReportMetric(seconds, "cpu-s")
			if gap > 0 {
				b.ReportMetric(gap, "gap%")
			}
		})
	}
}
