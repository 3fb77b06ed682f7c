package qap

import (
	"math"
	"math/rand/v2"
	"testing"
)

// goalsOf returns goals of every kind that the instance can meet.
func goalsOf(in *Instance) []Goal {
	n1, n2 := in.Size()
	seeds := NewMatching(n1)
	seeds[0] = n2 - 1
	var goals []Goal
	for _, goal := range []Goal{
		{Inliers: 1}, {Inliers: 2}, {Inliers: min(n1, n2)}, {Fixed: seeds}, {Inliers: 2, Fixed: seeds},
		{Regularizer: RegularizeMean(1)}, {Regularizer: RegularizeF2, Fixed: seeds}, {Inliers: 2, Regularizer: RegularizeF3},
	} {
		if goal.Check(in) == nil {
			goals = append(goals, goal)
		}
	}
	return goals
}

// TestEnvironmentKeepsTheGoal takes random actions: seeds stay, the count of
// inliers is not exceeded, the changes of value are those of a step, and the best
// is the best solution passed.
func TestEnvironmentKeepsTheGoal(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for _, in := range forms(rng, false) {
		n1, n2 := in.Size()
		for _, goal := range goalsOf(in) {
			for _, options := range []EnvironmentOptions{{Release: true}, {Irrevocable: true}} {
				options.Goal = goal
				e := NewEnvironment(in, options)
				e.Reset(RandomMatching(n1, n2, rng))
				best := math.Inf(-1)
				for range 15 {
					for i, a := range goal.Fixed {
						if a != Unmatched && e.Match(i) != a {
							t.Fatalf("%s %+v: seed %d:%d was released: %v", in.Name, goal, i, a, e.match)
						}
					}
					if goal.Inliers > 0 && e.Matched() > goal.Inliers {
						t.Fatalf("%s %+v: %d matches", in.Name, goal, e.Matched())
					}
					if e.AtSolution() {
						best = max(best, e.options.Goal.Value(in, e.Score(), e.Matched()))
					}
					v := rng.IntN(n1 * n2)
					if !e.Allowed(v) {
						continue
					}
					before, matched := e.Value(), e.Matched()
					change := e.ValueChanges()[v]
					e.Step(v)
					if after := e.Value(); matched > 1 && math.Abs(after-before-change) > 1e-9 {
						t.Fatalf("%s %+v: value changed by %v, want %v", in.Name, goal, after-before, change)
					}
				}
				if !in.Complete && e.HasBest() && e.BestValue() < best-1e-9 {
					t.Errorf("%s %+v: best value %v, passed %v", in.Name, goal, e.BestValue(), best)
				}
				if m, _ := e.Best(); e.HasBest() && goal.Inliers > 0 && m.Size() != goal.Inliers {
					t.Errorf("%s %+v: the best has %d matches", in.Name, goal, m.Size())
				}
			}
		}
	}
}

func TestSnapshotKeepsTheGoal(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for _, in := range forms(rng, false) {
		n1, n2 := in.Size()
		for _, goal := range goalsOf(in) {
			e := NewEnvironment(in, EnvironmentOptions{Release: true, Goal: goal})
			for range 10 {
				if v := rng.IntN(n1 * n2); e.Allowed(v) {
					e.Step(v)
				}
			}
			restored := NewEnvironment(in, e.Options())
			restored.Restore(e.Snapshot())
			if restored.BestValue() != e.BestValue() || restored.Value() != e.Value() || restored.Matched() != e.Matched() {
				t.Errorf("%s %+v: value %v and best %v, want %v and %v", in.Name, goal, restored.Value(), restored.BestValue(), e.Value(), e.BestValue())
			}
		}
	}
}
