package quality

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/cputime"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// sparsePairs returns four pairs of Delaunay graphs, their nodes in a random order.
func sparsePairs(b testing.TB, inliers, outliers int) (all []pairs.Pair) {
	b.Helper()
	affinity := affinities.Geometric{Edges: graphs.Delaunay, Length: .2, Direction: .2, Relative: true}
	set := pairs.Synthetic{Inliers: inliers, Outliers: outliers, Noise: .05, Count: 4, Affinity: affinity, Seed: 5}.Set()
	for p, err := range set.Pairs {
		if err == nil {
			p, err = p.Relabelled(rand.New(rand.NewPCG(uint64(len(all)), 9)))
		}
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// BenchmarkPolicyOnLargerGraphs measures the shipped policy, alone, beside searches that ask no
// network, on sparse pairs of more than 20 nodes within a second of processor time each.
func BenchmarkPolicyOnLargerGraphs(b *testing.B) {
	methods := []struct {
		name    string
		options rgm.Options
	}{
		{"policy", rgm.Options{Method: rgm.MethodRGM}},
		{"greedy-tabu", rgm.Options{Method: rgm.MethodGreedyTabu}},
		{"greedy-ages", rgm.Options{Method: rgm.MethodGreedyAges}},
		{"profile", rgm.Options{Method: rgm.MethodProfile}},
		{"rrwm+rewrite", rgm.Options{Method: "rrwm", Refine: "rewrite"}},
		{"default", rgm.Options{}},
	}
	config := rgm.Config{}
	config.Provider = rgm.ProviderGo
	for _, size := range [][2]int{{24, 6}, {40, 10}, {80, 20}} {
		for _, m := range methods {
			b.Run(fmt.Sprintf("%d+%d/%s", size[0], size[1], m.name), func(b *testing.B) {
				searches := must.Get(rgm.Open(config))(b)
				defer searches.Close()
				var score, f1, seconds, evaluations float64
				all := sparsePairs(b, size[0], size[1])
				for k, p := range all {
					o := m.options
					o.TimeLimit, o.Threads, o.Seed = time.Second, 1, uint64(k)
					before := cputime.Clock()
					r := must.Get(searches.Solve(qap.WithClock(context.Background(), cputime.Clock), p.Instance, o))(b)
					n := float64(len(all))
					score, f1, evaluations = score+r.Score/n, f1+100*r.Matching.F1(p.Truth)/n, evaluations+float64(r.Evaluations)/n
					seconds += cputime.Clock().Sub(before).Seconds() / n
				}
				b.ReportMetric(score, "score")
				b.ReportMetric(f1, "F1%")
				b.ReportMetric(seconds, "cpu-s")
				b.ReportMetric(evaluations, "evaluations")
			})
		}
	}
}
