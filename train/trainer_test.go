package train

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/models"
)

// idle makes updates that change nothing, at the end of every episode one.
type idle struct{ Algorithm }

func (idle) Round(context.Context, float64) (Outcome, error) {
	return Outcome{Updates: []Update{{}}, Episodes: []Episode{{}}}, nil
}

// TestUnchangedWeightsAreNoBetterModel: validations of a training that never learned
// are reported, with a gradient of 0, and none counts as the best; nor after it is
// resumed.
func TestUnchangedWeightsAreNoBetterModel(t *testing.T) {
	c := tinyConfig(t)
	trainer, dir := newTrainer(t, c), t.TempDir()
	run := func() {
		trainer.algorithm = idle{trainer.algorithm}
		lines := 0
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		err := trainer.Run(ctx, Options{
			Dir: dir,
			Metrics: func(l Line) {
				if *l.GradientNorm != 0 || l.BestGap != nil || l.ValidationGap == nil {
					t.Errorf("gradient %v, best gap %v, validation gap %v", *l.GradientNorm, l.BestGap, l.ValidationGap)
				}
				if lines++; lines == 1 {
					cancel()
				}
			},
			Improved: func(_ models.Network, s Summary) error {
				t.Errorf("better model %+v", s)
				return nil
			},
		})
		if err != nil || lines != 1 {
			t.Fatalf("%d lines of metrics, error %v", lines, err)
		}
		if s := trainer.Summary(); s.ValidationGap != nil || s.Updates != trainer.counters.Updates || s.Episodes != trainer.counters.Episodes {
			t.Errorf("summary %+v of %+v", s, trainer.counters)
		}
	}
	run()
	var err error
	if trainer, err = Resume(t.Context(), filepath.Join(dir, CheckpointFile), randomSource{}); err != nil {
		t.Fatal(err)
	}
	run()
}

// TestCheckpointsOfBefore: those that do not say whether weights changed, but have a
// best validation, keep it.
func TestCheckpointsOfBefore(t *testing.T) {
	trainer := newTrainer(t, tinyConfig(t))
	trainer.counters = counters{Updates: 40, Episodes: 30, BestGap: 0.5, BestUpdate: 20}
	path := filepath.Join(t.TempDir(), CheckpointFile)
	if err := trainer.WriteCheckpoint(path); err != nil {
		t.Fatal(err)
	}
	loaded := must.Get(Load(path))(t)
	if s := loaded.Summary; s.Updates != 20 || s.Episodes != 30 || math.Abs(*s.ValidationGap-0.5) > 0 {
		t.Errorf("summary %+v", s)
	}
}
