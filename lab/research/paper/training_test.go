package paper_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/lab/research/paper"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/train"
	_ "github.com/rgm-go/rgm/train/dqn"
	"github.com/rgm-go/rgm/train/traintest"
)

// TestTraining: what every learner must do, with the paper's network.
func TestTraining(t *testing.T) {
	c := traintest.Tiny(t, "dqn")
	c.Model = models.Config{Architecture: paper.Name, Hidden: 8, Head: 8}
	traintest.Test(t, c)
}

// TestTrainingOnPairs: graphs of unequal sizes and sparse affinities too, with all its networks.
func TestTrainingOnPairs(t *testing.T) {
	for _, name := range []string{"paper-matching", "paper-weighted", "paper-matched"} {
		t.Run(name, func(t *testing.T) { traintest.Test(t, traintest.Pairs(must.Get(train.Preset(name))(t))) })
	}
}

// regularized is a training whose networks see the matrix under a regularizer in this form.
func regularized(t testing.TB, form string) train.Config {
	c := traintest.Pairs(traintest.Tiny(t, "dqn"))
	c.Model.Architecture = paper.Name
	c.Goal, c.Regularize, c.RegularizerForm = train.GoalAny, "f3", form
	return c
}

// TestReplayedStatesSeeTheRegularizedMatrix: what a learner fills in of a packed state
// is what the actor saw, and another form gives other inputs.
func TestReplayedStatesSeeTheRegularizedMatrix(t *testing.T) {
	inputsOf := func(form string) (all []string) {
		c := regularized(t, form)
		if err := c.Validate(); err != nil {
			t.Fatal(err)
		}
		problems, network := traintest.Problems(t, c)
		a := train.NewGroups(&c, problems, network, 0)[0].Actors[0]
		for range 60 {
			a.Step(a.Choose(nil, 1))
			n1, n2 := a.Env.Size()
			seen, replayed := features.Make(network.Features(), 1, n1, n2), features.Make(network.Features(), 1, n1, n2)
			p := problems[train.ProblemOf(a.State)]
			must.Get(features.New(network.Features(), p.Instance))(t).NewExtractor(a.Env, 1).Fill(seen, 0)
			w := p.At(a.State)
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
	plain := inputsOf(train.FormNone)
	for _, form := range []string{"literal", "corrected", "exact"} {
		if slices.Equal(plain, inputsOf(form)) {
			t.Errorf("%s: the network sees K", form)
		}
	}
}

// TestUnknownFormsAreRefused in a configuration.
func TestUnknownFormsAreRefused(t *testing.T) {
	c := regularized(t, "squared")
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "regularizer_form") {
		t.Errorf("%v", err)
	}
}
