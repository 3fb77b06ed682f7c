package train

import (
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
		c := regularizedConfig(t)
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
	c := regularizedConfig(t)
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

// TestFormsAreOfNetworksThatSeeThem: networks that see the exact changes have no form of K_reg.
func TestFormsAreOfNetworksThatSeeThem(t *testing.T) {
	c := matchingConfig(t)
	c.RegularizerForm = "literal"
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "regularizer_form") {
		t.Errorf("%s with %s: %v", c.Model.Architecture, c.RegularizerForm, err)
	}
	c = regularizedConfig(t)
	if rules := c.rules(qap.Goal{}); rules.Form != qap.RegularizedLiteral || !rules.StopAtInliers {
		t.Errorf("rules under a form: %+v", rules)
	}
}
