package rollout_test

import (
	"context"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	. "github.com/rgm-go/rgm/qap/rollout"
)

// TestRolloutsMeetTheGoal: every policy returns a matching that has the count of
// inliers and the seeds, from every start, revocable or not, in every combination
// with regularisation.
func TestRolloutsMeetTheGoal(t *testing.T) {
	for name, policy := range policies {
		for _, in := range instances(t) {
			n1, n2 := in.Size()
			if min(n1, n2) < 2 {
				continue
			}
			seeds := qap.NewMatching(n1)
			seeds[1] = n2 - 1
			for _, goal := range []qap.Goal{
				{Inliers: 3}, {Fixed: seeds}, {Inliers: 3, Fixed: seeds, Regularizer: qap.RegularizeF3},
				{Regularizer: qap.RegularizeMean(1), Fixed: seeds}, {Inliers: min(n1, n2), Fixed: seeds},
			} {
				if goal.Check(in) != nil {
					continue // a complete instance with fewer inliers
				}
				for _, start := range []Start{StartGreedy, StartEmpty, StartRandom} {
					for _, irrevocable := range []bool{false, true} {
						rules := qap.EnvironmentOptions{Irrevocable: irrevocable, Autofill: true, Release: true, Goal: goal}
						var s qap.Solver = &Solver{Policy: policy, Rollouts: 2, Start: start, Rules: rules}
						if learned, ok := policy.(Learned); ok && start == StartEmpty {
							s = Beam{Q: learned.Q, Width: 3, Start: start, Rules: rules}
						}
						r := must.Get(s.Solve(context.Background(), in, qap.Options{Seed: 2, Limits: qap.Limits{MaxSteps: 40}}))(t)
						least, most := goal.Sizes(in)
						m := r.Matching
						if size := m.Size(); size < least || size > most || in.CheckMatching(m) != nil || goal.Fixed != nil && m[1] != n2-1 {
							t.Errorf("%s on %s, %+v: %v", name, in.Name, goal, m)
						}
						if r.Status == qap.Converged && goal.Inliers > 0 {
							t.Errorf("%s on %s, %+v: status %s", name, in.Name, goal, r.Status)
						}
					}
				}
			}
		}
	}
}

// TestInlierCountStopsTheIrrevocable: without revocation the episode ends at the
// count, as in the paper (§4.3).
func TestInlierCountStopsTheIrrevocable(t *testing.T) {
	for _, in := range instances(t) {
		if n1, n2 := in.Size(); in.Complete || min(n1, n2) < 3 {
			continue
		}
		s := Solver{Policy: Greedy{}, Start: StartEmpty, Rules: qap.EnvironmentOptions{Irrevocable: true, Goal: qap.Goal{Inliers: 3}}}
		r, err := s.Solve(context.Background(), in, qap.Options{})
		if err != nil || r.Status != qap.Inliers || r.Steps != 3 || r.Matching.Size() != 3 {
			t.Errorf("%s: %+v, %v", in.Name, r, err)
		}
	}
}

func TestGoalsThatCannotBeMet(t *testing.T) {
	for _, in := range instances(t) {
		s := Solver{Policy: Greedy{}, Rules: qap.EnvironmentOptions{Goal: qap.Goal{Inliers: 100}}}
		if _, err := s.Solve(context.Background(), in, qap.Options{}); err == nil {
			t.Errorf("%s: 100 inliers are accepted", in.Name)
		}
	}
}
