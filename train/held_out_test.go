package train

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/rollout"
)

// TestHeldOutGapsAreThoseOfValidation: by the seed of a training, one rollout of its
// network has the mean gap that its validation finds; a seed of its own gives other
// instances; a cancelled search gives no gaps.
func TestHeldOutGapsAreThoseOfValidation(t *testing.T) {
	c := tinyConfig(t)
	c.ValidationRuns = 2
	trainer := newTrainer(t, c)
	want := must.Get(trainer.judge(t.Context()))(t)
	policy := rollout.Learned{Q: models.QFunction(trainer.Best())}
	gaps := func(seed uint64) []float64 {
		c.Seed = seed
		h := must.Get(NewHeldOut(t.Context(), c, randomSource{}))(t)
		gaps, err := h.Gaps(t.Context(), policy, 1)
		if err != nil || len(gaps) != len(h.Sizes()) {
			t.Fatalf("%d gaps of %d instances, error %v", len(gaps), len(h.Sizes()), err)
		}
		return gaps
	}
	if got := statistics.Mean(gaps(c.Seed)); math.Abs(got-want.gap) > 1e-12 {
		t.Errorf("gap %v, want that of the validation, %v", got, want.gap)
	}
	if got := statistics.Mean(gaps(c.Seed + 1)); got == want.gap {
		t.Errorf("another seed has the same gap %v", got)
	}
	h := must.Get(NewHeldOut(t.Context(), c, randomSource{}))(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Gaps(ctx, policy, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestGapsInPercent: those to objectives that are given; without one they are refused.
func TestGapsInPercent(t *testing.T) {
	c := tinyConfig(t)
	c.ValidationRuns = 1
	h := must.Get(NewHeldOut(t.Context(), c, randomSource{}))(t)
	for _, of := range []float64{0, 1} {
		err := h.InPercent(func(*qap.Instance) (float64, bool) { return of, of == 0 })
		if err == nil {
			t.Errorf("an objective of %v, known: %v, is accepted", of, of == 0)
		}
	}
	known := map[*qap.Instance]float64{}
	for _, p := range h.problems {
		known[p.Instance] = 0.8 * p.Instance.Objective(p.reference)
	}
	if err := h.InPercent(func(in *qap.Instance) (float64, bool) { return known[in], true }); err != nil {
		t.Fatal(err)
	}
	policy := rollout.Policy(rollout.Greedy{})
	gaps, err := h.Gaps(t.Context(), policy, 1)
	if err != nil || len(h.Families()) != len(gaps) {
		t.Fatalf("%d families of %d gaps, %v", len(h.Families()), len(gaps), err)
	}
	for k, p := range h.problems {
		solver := rollout.Solver{Policy: policy, Rollouts: 1, Start: NewTrial(&h.config).start, Rules: p.rules}
		steps := max(int(c.StepsPerNode*float64(nodes(p.Instance))), 1)
		r, err := solver.Solve(t.Context(), p.Instance, qap.Options{Seed: 1, Limits: qap.Limits{MaxSteps: steps}})
		want := 100 * math.Abs(r.Objective-known[p.Instance]) / math.Abs(known[p.Instance])
		if err != nil || math.Abs(gaps[k]-want) > 1e-9*want {
			t.Errorf("%s: %v %%, want %v (%v)", p.Instance.Name, gaps[k], want, err)
		}
	}
}
