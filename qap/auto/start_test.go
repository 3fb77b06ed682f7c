package auto

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// TestNoWorseThanItsStart: also on instances that begin with annealing from elsewhere.
func TestNoWorseThanItsStart(t *testing.T) {
	for _, family := range []string{"backboard", "grid", "uniform"} {
		in := must.Get(datasets.Generate(family, 320, rand.New(rand.NewPCG(1, 1))))(t)
		found := must.Get(Solver{}.Solve(context.Background(), in, qap.Options{Seed: 1, Limits: qap.Limits{MaxSteps: 30000}}))(t)
		again := must.Get(Solver{}.Solve(context.Background(), in, qap.Options{Seed: 2, Initial: found.Matching, Limits: qap.Limits{MaxSteps: 400}}))(t)
		if again.Score < found.Score || again.Score != in.Score(again.Matching) {
			t.Errorf("%s: %v from a start of %v", family, again.Objective, found.Objective)
		}
	}
}
