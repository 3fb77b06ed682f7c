package train

import (
	"math"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap/features"
)

// tinyProblems returns problems and a configuration that acts in them.
func tinyProblems(t testing.TB, c *Config, n, count int) []*Problem {
	return must.Get(newPool(t.Context(), randomSource{}, c, features.Gain, n, count, false))(t)
}

// TestNStepReturns plays an actor and recomputes every transition's return and
// next state from the rewards seen.
func TestNStepReturns(t *testing.T) {
	c := tinyConfig(t)
	c.NStep, c.Gamma, c.Reward, c.StepPenalty = 3, 0.9, RewardScore, 0.05
	problems := tinyProblems(t, &c, 5, 3)
	a := newActor(&c, problems, 0, 3, 0, false)
	type seen struct {
		state  []byte
		action int
		reward float64
	}
	var episode []seen
	var made []Transition
	for range 200 {
		env, state, problem := a.Env, a.State, problems[a.problem]
		before := env.Score()
		action := a.explore()
		a.Step(action)
		episode = append(episode, seen{state, action, (env.Score()-before)/problem.scale - 0.05})
		made = append(made, a.Made...)
		if a.Ended == nil {
			continue
		}
		if len(made) != len(episode) {
			t.Fatalf("%d transitions of %d steps", len(made), len(episode))
		}
		for k, got := range made {
			want, discount := 0.0, 1.0
			for j := k; j < min(k+3, len(episode)); j++ {
				want += discount * episode[j].reward
				discount *= 0.9
			}
			if k+3 >= len(episode) { // the episode ended within the three steps
				discount = 0
			}
			if math.Abs(float64(got.Reward)-want) > 1e-5 || math.Abs(float64(got.Discount)-discount) > 1e-6 ||
				int(got.Action) != episode[k].action || !slices.Equal(got.State, episode[k].state) {
				t.Fatalf("step %d of %d: return %v discount %v, want %v and %v", k, len(episode), got.Reward, got.Discount, want, discount)
			}
			if discount > 0 && !slices.Equal(got.Next, episode[k+3].state) {
				t.Fatalf("step %d: the next state is not the one three steps later", k)
			}
		}
		episode, made = nil, nil
	}
}

// TestRewards checks the rewards against their definitions.
func TestRewards(t *testing.T) {
	for _, kind := range []string{RewardScore, RewardPotential, RewardLogGap} {
		c := tinyConfig(t)
		c.Reward, c.StepPenalty = kind, 0.125
		problems := tinyProblems(t, &c, 5, 1)
		a := newActor(&c, problems, 0, 1, 0, false)
		p := problems[0]
		best := a.Env.Value()
		for range 50 {
			env, before, valueBefore := a.Env, a.Env.Score(), a.Env.Value()
			a.Step(a.explore())
			if a.Ended != nil {
				best = a.Env.Value()
				continue
			}
			want := (env.Score()-before)/p.scale - 0.125
			switch kind {
			case RewardPotential:
				want = (env.Value()-valueBefore)/p.scale - 0.125
			case RewardLogGap:
				now := max(best, env.Value())
				want = math.Log((max(p.reference-best, 0)/p.spread+0.25)/(max(p.reference-now, 0)/p.spread+0.25)) - 0.125
				best = now
			}
			if got := a.pending[len(a.pending)-1].Reward; len(a.pending) > 0 && math.Abs(got-want) > 1e-12 {
				t.Fatalf("%s: reward %v, want %v", kind, got, want)
			}
		}
	}
}

// TestPackedStatesGiveTheSameInputs compares what the learner sees with what the
// actor saw; integer data, so that gains agree exactly.
func TestPackedStatesGiveTheSameInputs(t *testing.T) {
	c := tinyConfig(t)
	problems := tinyProblems(t, &c, 6, 2)
	a := newActor(&c, problems, 0, 2, 0, false)
	live, restored := features.Make(features.Gain, 1, 6, 6), features.Make(features.Gain, 1, 6, 6)
	for range 300 {
		a.extractor.Fill(live, 0)
		d := problems[a.problem].workspaces.Get().(*Workspace)
		d.restore(a.State)
		d.Extractor.Fill(restored, 0)
		for tensor := range live {
			for k, want := range live[tensor] {
				// The matrices are real-valued: gains differ by rounding.
				if got := restored[tensor][k]; math.Abs(float64(want-got)) > 1e-4 {
					t.Fatalf("input %d of tensor %d is %v live and %v restored", k, tensor, want, got)
				}
			}
		}
		a.Step(a.explore())
	}
}

// TestGapOffset: the less it is, the more of an episode's reward is in its last
// improvements; what a checkpoint of before does not say is 0.25.
func TestGapOffset(t *testing.T) {
	share := func(offset float64) float64 {
		c := Config{ActingConfig: ActingConfig{GapOffset: offset}}
		return (c.LogGap(0.1) - c.LogGap(0)) / (c.LogGap(1) - c.LogGap(0))
	}
	if a, b := share(0), share(0.25); a != b {
		t.Errorf("without an offset the share is %v, want %v", a, b)
	}
	if want := math.Log(3) / math.Log(21); math.Abs(share(0.05)-want) > 1e-12 || share(0.25) > want/1.7 {
		t.Errorf("shares %v and %v", share(0.05), share(0.25))
	}
}
