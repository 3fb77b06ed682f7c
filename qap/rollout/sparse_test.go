package rollout

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/qap"
)

// BenchmarkSparse measures steps of the unlearned policies on sparse affinities.
func BenchmarkSparse(b *testing.B) {
	for _, n := range []int{50, 100, 250} {
		in := solvertest.Pair(b, n, false)
		for name, policy := range map[string]Policy{"greedy-tabu": GreedyTabu{}, "greedy": Greedy{}} {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(2, 0))
				envs := []*qap.Environment{qap.NewEnvironment(in, qap.EnvironmentOptions{Autofill: true, Release: true})}
				actor := must.Get(policy.NewActor(envs, []*rand.Rand{rng}, 1<<30))(b)
				actions := []int{Stop}
				steps := 0
				for b.Loop() {
					if steps%1000 == 0 || actions[0] == Stop {
						envs[0].Reset(qap.RandomMatching(n, n, rng))
						actor.Reset()
					}
					if err := actor.Act(actions); err != nil {
						b.Fatal(err)
					}
					if actions[0] != Stop {
						envs[0].Step(actions[0])
						actor.Observe(0)
						steps++
					}
				}
				b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
			})
		}
	}
}

// TestSparseEpisodesAreDenseOnes: policies do the same on sparse affinities, whose
// changes are kept from step to step, and on dense ones, whose are computed anew.
func TestSparseEpisodesAreDenseOnes(t *testing.T) {
	for _, n := range []int{12, 25} {
		in := solvertest.Pair(t, n, false)
		k := make([]float64, n*n*n*n)
		for p := range n * n {
			in.Affinity.Row(k[p*n*n:(p+1)*n*n], p)
		}
		dense := must.Get(qap.NewDense(n, n, k, qap.Maximize))(t)
		for name, policy := range map[string]Policy{"greedy-tabu": GreedyTabu{}, "greedy": Greedy{}, "greedy-ages": GreedyAges{}} {
			for _, goal := range []qap.Goal{{}, {Inliers: n / 2}, {Regularizer: qap.RegularizeMean(1)}} {
				s := Solver{Policy: policy, Rollouts: 3, Rules: qap.EnvironmentOptions{Autofill: true, Release: true, Goal: goal}}
				var results []qap.Result
				for _, in := range []*qap.Instance{in, dense} {
					r := must.Get(s.Solve(context.Background(), in, qap.Options{Seed: 5}))(t)
					results = append(results, r)
				}
				if !slices.Equal(results[0].Matching, results[1].Matching) || results[0].Steps != results[1].Steps {
					t.Errorf("%s, %+v, n = %d: score %v in %d steps, dense %v in %d",
						name, goal, n, results[0].Score, results[0].Steps, results[1].Score, results[1].Steps)
				}
			}
		}
	}
}
