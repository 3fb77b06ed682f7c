package train

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/rollout"
)

// TestHeldOutGapsAreThoseOfValidation: by the seed of a training, one rollout of its
// network has the mean gap that its validation finds; a seed of its own gives other
// instances; a cancelled search gives no gaps.
func TestHeldOutGapsAreThoseOfValidation(t *testing.T) {
	c := tinyConfig(t)
	c.ValidationRuns = 2
	trainer := newTrainer(t, c)
	want, err := trainer.judge(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	policy := rollout.Learned{Q: models.QFunction(trainer.Best())}
	gaps := func(seed uint64) []float64 {
		c.Seed = seed
		h, err := NewHeldOut(t.Context(), c, randomSource{})
		if err != nil {
			t.Fatal(err)
		}
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
	h, err := NewHeldOut(t.Context(), c, randomSource{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Gaps(ctx, policy, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
