package selector

import (
	"context"
	"errors"
	"testing"

	"github.com/rgm-go/rgm/internal/solvertest"
)

// TestCancelledRoundChangesNothing: wherever in a round the context ends, while searches are
// replayed, the network learns or is measured.
func TestCancelledRoundChangesNothing(t *testing.T) {
	c := smallConfig()
	trainer, err := New(c)
	if err == nil {
		err = trainer.recordAll(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	before := trainer.weights()
	for _, asked := range []int{0, 1, c.Searches, c.Searches + 1, c.Searches + 2, c.Searches + c.Updates/2, c.Searches + c.Updates + 1, c.Searches + c.Updates + 5} {
		if _, err := trainer.round(solvertest.EndsAfter(t.Context(), asked)); !errors.Is(err, context.Canceled) {
			t.Fatalf("asked %d times: %v", asked, err)
		}
		if !equal(before, trainer.weights()) || trainer.adam.Updates != 0 || trainer.state.Round != 0 || len(trainer.Metrics()) != 0 {
			t.Fatalf("asked %d times: the training is another", asked)
		}
	}
	if err := trainer.Run(t.Context(), Options{}); err != nil {
		t.Fatal(err)
	}
	if want := run(t, c); !equal(want.weights(), trainer.weights()) || want.Validation() != trainer.Validation() {
		t.Error("the training ends with another network")
	}
}

// recordAll makes the steps before the first round.
func (t *Trainer) recordAll(ctx context.Context) (err error) {
	for err == nil && !t.recorded() {
		err = t.record(ctx, nil)
	}
	return err
}

// TestCancelledValidation: the context ends it too.
func TestCancelledValidation(t *testing.T) {
	trainer := run(t, smallConfig())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := validate(ctx, trainer.held(), Forward(trainer.network)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the error of the context", err)
	}
}
