package train

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// TestPatienceEndsEpisodes: T_es counts the steps since the best solution was found, and
// begins with the first: a complete instance is never left before it is matched.
func TestPatienceEndsEpisodes(t *testing.T) {
	const patience = 3 // fewer than a complete matching takes
	for name, source := range map[string]InstanceSource{"complete": randomSource{}, "of any size": affinitySource{}} {
		c := paperConfig(t)
		c.Patience, c.StepsPerNode = patience, 40
		pool := must.Get(newPool(t.Context(), source, &c, features.Gain, 6, 8, false))(t)
		a := newActor(&c, pool, 0, len(pool), 0, false)
		for range 100 {
			env, steps, since := a.Env, 0, 0
			best := env.BestValue()
			for a.Ended = nil; a.Ended == nil; steps++ {
				a.Step(a.explore())
				if since++; env.BestValue() > best {
					best, since = env.BestValue(), 0
				}
				if !env.HasBest() {
					since = 0
				}
				if over := since >= patience; over != (a.Ended != nil) && env.Steps() < a.horizon && !env.Finished() {
					t.Fatalf("%s: step %d, %d since the best: ended is %v", name, steps, since, a.Ended != nil)
				}
			}
			if !env.HasBest() && env.Steps() < patience*10 {
				t.Fatalf("%s: an episode ends after %d steps without a solution", name, env.Steps())
			}
		}
	}
}

// TestCountsEndEpisodes: with stop_at_count an episode ends when the count is reached.
func TestCountsEndEpisodes(t *testing.T) {
	c := paperConfig(t)
	c.Goal, c.Patience = GoalInliers, 0
	for _, c.StopAtCount = range []bool{true, false} {
		pool := must.Get(newPool(t.Context(), affinitySource{}, &c, features.Gain, 6, 8, false))(t)
		a := newActor(&c, pool, 0, len(pool), 0, false)
		for range 30 {
			env, count := a.Env, pool[a.problem].goal.Inliers
			if pool[a.problem].goal.Regularizer.None() {
				t.Fatal("the regularizer is dropped where a count is given")
			}
			for a.Ended = nil; a.Ended == nil; {
				if c.StopAtCount && env.Matched() == count {
					t.Fatal("the episode goes on at the count")
				}
				a.Step(a.explore())
			}
			if !c.StopAtCount && env.Steps() < a.config.Sizes[0] {
				t.Fatal("the episode ends at the count")
			}
		}
	}
}

// TestReplayedStatesSeeTheRegularizedMatrix: what the learner fills in of a packed state
// is what the actor saw, and another form gives other inputs.
func TestReplayedStatesSeeTheRegularizedMatrix(t *testing.T) {
	inputsOf := func(form string) (all []string) {
		c := paperConfig(t)
		c.RegularizerForm, c.Regularize = form, "f3"
		if err := c.Validate(); err != nil {
			t.Fatal(err)
		}
		network := must.Get(firstNetwork(&c))(t)
		pool := must.Get(newPool(t.Context(), affinitySource{}, &c, network.Features(), 6, 4, false))(t)
		a := newActor(&c, pool, 0, len(pool), 0, false)
		for range 60 {
			a.Step(a.explore())
			n1, n2 := a.Env.Size()
			seen, replayed := features.Make(network.Features(), 1, n1, n2), features.Make(network.Features(), 1, n1, n2)
			a.extractor.Fill(seen, 0)
			w := pool[a.problem].At(a.State)
			w.Extractor.Fill(replayed, 0)
			w.Release()
			for k, v := range seen[0] {
				if d := v - replayed[0][k]; d > 1e-5 || d < -1e-5 {
					t.Fatalf("%s: input %d is %v, replayed %v", form, k, v, replayed[0][k])
				}
			}
			all = append(all, fmt.Sprint(seen))
		}
		return all
	}
	plain := inputsOf(FormNone)
	for _, form := range []string{"literal", "corrected", "exact"} {
		if slices.Equal(plain, inputsOf(form)) {
			t.Errorf("%s: the network sees K", form)
		}
	}
}

// TestOnlyThePapersNetworksSeeAForm: other networks and unknown forms are refused.
func TestOnlyThePapersNetworksSeeAForm(t *testing.T) {
	for form, c := range map[string]Config{"literal": matchingConfig(t), "squared": paperConfig(t)} {
		c.RegularizerForm = form
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "regularizer_form") {
			t.Errorf("%s with %s: %v", c.Model.Architecture, form, err)
		}
	}
	c := paperConfig(t)
	if rules := c.rules(qap.Goal{}); rules.Form != qap.RegularizedLiteral || !rules.StopAtInliers {
		t.Errorf("rules of the preset paper: %+v", rules)
	}
}
