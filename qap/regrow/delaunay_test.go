package regrow_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/classic"
	"github.com/rgm-go/rgm/qap/regrow"
	"github.com/rgm-go/rgm/qap/rollout"
)

// delaunayPair returns a pair of graphs by the protocol of pairs.Synthetic with noise
// 0.05: its problem, and which nodes are the same. Graph 2 comes in a random order.
func delaunayPair(t testing.TB, inliers, outliers int, seed uint64) (*qap.Instance, qap.Matching) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	n := inliers + outliers
	points1, points2 := make([]graphs.Point, n), make([]graphs.Point, n)
	truth := qap.NewMatching(n)
	noisy := func(x float64) float64 { return x * (1 + .05*(2*rng.Float64()-1)) }
	for i, a := range rng.Perm(n) {
		points1[i] = graphs.Point{X: rng.Float64(), Y: rng.Float64()}
		points2[a] = graphs.Point{X: rng.Float64(), Y: rng.Float64()}
		if i < inliers {
			truth[i] = a
			points2[a] = graphs.Point{X: noisy(points1[i].X), Y: noisy(points1[i].Y)}
		}
	}
	in, err := graphs.Geometric{Edges: graphs.Delaunay, Length: .2, Direction: .2, Relative: true}.Instance(points1, points2)
	if err != nil {
		t.Fatal(err)
	}
	return in, truth
}

// BenchmarkDelaunay measures the means of score and F1 over three pairs, under time
// limits. RRWM and IPFP may end before.
func BenchmarkDelaunay(b *testing.B) {
	methods := []struct {
		name   string
		solver qap.Solver
	}{
		{"regrow", regrow.Solver{}},
		{"rrwm", classic.RRWM{}},
		{"ipfp", classic.IPFP{}},
		{"greedy-tabu", &rollout.Solver{Policy: rollout.GreedyTabu{}, Rollouts: 8, Rules: qap.EnvironmentOptions{Autofill: true, Release: true}}},
	}
	for _, size := range [][2]int{{80, 20}, {200, 50}, {500, 100}} {
		for _, limit := range []time.Duration{1, 5, 20} {
			limit *= time.Second
			for _, m := range methods {
				b.Run(fmt.Sprintf("%d+%d/%v/%s", size[0], size[1], limit, m.name), func(b *testing.B) {
					const pairs = 3
					score, f1 := 0., 0.
					for seed := range uint64(pairs) {
						in, truth := delaunayPair(b, size[0], size[1], seed)
						r, err := m.solver.Solve(context.Background(), in, qap.Options{Limits: qap.Limits{TimeLimit: limit}})
						if err != nil {
							b.Fatal(err)
						}
						score += r.Score / pairs
						f1 += 200 * float64(right(r.Matching, truth)) / float64(r.Matching.Size()+size[0]) / pairs
					}
					b.ReportMetric(score, "score")
					b.ReportMetric(f1, "F1%")
				})
			}
		}
	}
}

// right returns how many matches are true.
func right(m, truth qap.Matching) int {
	count := 0
	for i, a := range truth {
		if a != qap.Unmatched && m[i] == a {
			count++
		}
	}
	return count
}
