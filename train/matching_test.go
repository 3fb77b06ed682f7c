package train

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/models"
)

// matchingConfig returns the configuration of a training on pairs of graphs.
func matchingConfig(t testing.TB) Config {
	c := tinyConfig(t)
	c.Instances, c.Goal, c.Regularize, c.Reweighed = InstancesMatching, GoalMixed, RegularizeMixed, 0.5
	c.Model.Hidden, c.Model.Head = 8, 8
	c.Sizes, c.Pool, c.Environments, c.ValidationPool = []int{4, 6}, 12, 4, 4
	return c
}

// regularizedConfig is that of a training under a regularizer, as the paper's presets have it.
func regularizedConfig(t testing.TB) Config {
	c := matchingConfig(t)
	c.Goal, c.Regularize, c.Reweighed, c.RegularizerForm = GoalAny, "f1", 0, "literal"
	c.StartGreedy, c.StartLocal, c.StartRandom, c.Autofill, c.Release, c.StopAtCount = 0, 0, 0, false, false, true
	return c
}

// TestGoalsOfEveryKindAreDrawn: a mixed configuration has problems of every goal and
// shape; the reference is a value that some solution reaches, and the greedy start is
// a solution.
func TestGoalsOfEveryKindAreDrawn(t *testing.T) {
	c := matchingConfig(t)
	pool := must.Get(newPool(t.Context(), affinitySource{}, &c, "gain", 6, 60, false))(t)
	kinds := map[string]int{}
	for _, p := range pool {
		n1, n2 := p.Instance.Size()
		switch {
		case n1 < n2:
			kinds["wide"]++
		case n1 > n2:
			kinds["tall"]++
		}
		switch {
		case p.Instance.Complete:
			kinds["complete"]++
		case p.goal.Inliers > 0:
			kinds["inliers"]++
		case !p.goal.Regularizer.None():
			kinds["regularised"]++
		default:
			kinds["any size"]++
		}
		least, most := p.goal.Sizes(p.Instance)
		if m := p.greedy.Size(); m < least || m > most {
			t.Errorf("greedy start of %d matches, want %d..%d", m, least, most)
		}
		if value := p.value(p.Instance.Score(p.greedy), p.greedy.Size()); value > p.reference+1e-9 {
			t.Errorf("the greedy start's value %v is above the reference %v", value, p.reference)
		}
	}
	for _, kind := range []string{"wide", "tall", "complete", "inliers", "regularised", "any size"} {
		if kinds[kind] == 0 {
			t.Errorf("no problem of %d is %s: %v", len(pool), kind, kinds)
		}
	}
}

// TestGoalsThatAreAsked: each value of goal gives what it says, and instances whose
// solutions are complete stay so.
func TestGoalsThatAreAsked(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	in := must.Get(affinitySource{}.Instance(6, rng))(t)
	for _, test := range []struct {
		goal, regularize string
		complete         bool
	}{{GoalAny, "none", false}, {GoalAny, "f3", false}, {GoalComplete, "f3", true}, {GoalInliers, "none", false}, {GoalInliers, "f3", false}} {
		c := Config{InstanceConfig: InstanceConfig{Goal: test.goal, Regularize: test.regularize}}
		got, goal, err := c.setGoal(in, rng)
		if err != nil {
			t.Fatal(err)
		}
		regularised := test.goal != GoalComplete && test.regularize != "none"
		if got.Complete != test.complete || (goal.Inliers > 0) != (test.goal == GoalInliers) || goal.Regularizer.None() == regularised {
			t.Errorf("%+v gives complete %v, goal %+v", test, got.Complete, goal)
		}
		if in.Complete {
			t.Fatal("the source's instance was changed")
		}
	}
	square := must.Get(randomSource{}.Instance(4, rng))(t)
	c := Config{InstanceConfig: InstanceConfig{Goal: GoalInliers, Regularize: "f1"}}
	if got, goal, err := c.setGoal(square, rng); err != nil || got != square || goal.Inliers != 0 || !goal.Regularizer.None() {
		t.Errorf("a complete instance gets the goal %+v, error %v", goal, err)
	}
}

// TestMatchingRewardsTelescope: the rewards of an episode add up to the fall of the
// logarithm of the gap, to the rise of the regularised score, or to that of the F1 of
// the best solution.
func TestMatchingRewardsTelescope(t *testing.T) {
	for _, kind := range []string{RewardScore, RewardLogGap, RewardF1} {
		c := matchingConfig(t)
		c.Reward, c.StartRandom, c.StartLocal, c.StartGreedy = kind, 0.5, 0.2, 0.1 // else empty
		pool := must.Get(newPool(t.Context(), affinitySource{}, &c, "gain", 6, 20, false))(t)
		a := newActor(&c, pool, 0, len(pool), 0, false)
		for range 60 {
			p, first := a.problems[a.problem], a.worth()
			firstBest, firstF1, env := a.bestValue, a.bestF1, a.Env
			for a.Ended = nil; a.Ended == nil; {
				a.Step(a.explore())
			}
			total, want := a.Ended.Total, 0.0
			switch kind {
			case RewardScore:
				want = (p.value(env.Score(), env.Matched()) - first) / p.scale
			case RewardF1:
				best, _ := env.Best()
				want = best.F1(p.truth) - firstF1
			case RewardLogGap:
				want = a.config.LogGap(p.Gap(firstBest)) - a.config.LogGap(p.Gap(max(firstBest, env.BestValue())))
			}
			if math.Abs(total-want) > 1e-9*(1+math.Abs(want)) {
				t.Fatalf("%s: rewards of an episode add up to %v, want %v", kind, total, want)
			}
		}
	}
}

// TestPassesAreLentOnce: no pass is with two borrowers, and those given back are used
// again.
func TestPassesAreLentOnce(t *testing.T) {
	network := must.Get(models.New(models.Config{Architecture: models.ArchitectureGain}, nil))(t)
	p := NewPassPool(network)
	first, second := p.Get(Shape{1, 3, 4}), p.Get(Shape{1, 3, 4})
	if first == second {
		t.Fatal("a pass is given out twice")
	}
	p.Put(Shape{1, 3, 4}, first)
	if other := p.Get(Shape{1, 4, 3}); other == first {
		t.Error("a pass of another shape is given out")
	}
	if p.Get(Shape{1, 3, 4}) != first {
		t.Error("an idle pass is not used again")
	}
}

// TestF1NeedsTheTruth: instances of unknown truth are refused.
func TestF1NeedsTheTruth(t *testing.T) {
	c := matchingConfig(t)
	c.Reward = RewardF1
	if _, err := New(context.Background(), c, randomSource{}); err == nil || !strings.Contains(err.Error(), "truth") {
		t.Errorf("instances of unknown truth give %v", err)
	}
}

func TestMatchingKeysAreChecked(t *testing.T) {
	c := matchingConfig(t)
	c.Reward, c.Instances, c.Reweighed = RewardF1, InstancesQAPLIBSmall, 0
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), `reward f1 needs instances = "matching"`) {
		t.Errorf("rewards by unknown truths: %v", err)
	}
	c = matchingConfig(t)
	c.Goal, c.Regularize, c.Reward, c.Instances = "some", "f9", RewardF1, "folder"
	err := c.Validate()
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{`goal "some"`, `regularizer "f9"`, `reweighed is 0.5: only instances = "matching"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not say %s", err, want)
		}
	}
}
