package train

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/models"
)

func newTrainer(t testing.TB, c Config) *Trainer {
	t.Helper()
	return must.Get(New(context.Background(), c, randomSource{}))(t)
}

// metricsWithoutClock returns the lines of metrics.jsonl less what depends on the
// machine.
func metricsWithoutClock(t testing.TB, dir string) string {
	data := must.Get(os.ReadFile(filepath.Join(dir, MetricsFile)))(t)
	var out strings.Builder
	for line := range strings.Lines(string(data)) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatal(err)
		}
		delete(fields, "seconds")
		delete(fields, "updates_per_sec")
		text, _ := json.Marshal(fields)
		out.Write(append(text, '\n'))
	}
	return out.String()
}

// trainWhole trains without a break and returns the final checkpoint, less the
// clock, and the metrics.
func trainWhole(t testing.TB, c Config) (checkpoint, string) {
	trainer, dir := newTrainer(t, c), t.TempDir()
	if err := trainer.Run(context.Background(), Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	return finalState(t, dir), metricsWithoutClock(t, dir)
}

func finalState(t testing.TB, dir string) checkpoint {
	c := must.Get(readCheckpoint(filepath.Join(dir, CheckpointFile)))(t)
	c.Spent, c.Counters.MetricsSize = 0, 0
	return *c
}

// sameState compares all but the clock.
func sameState(a, b checkpoint) bool {
	text := func(c checkpoint) string {
		var s driftState
		if err := checkpointFormat.Decode(c.file, &s); err != nil {
			return err.Error()
		}
		return fmt.Sprintf("%+v %+v", c.progress, s)
	}
	a.Counters.FirstGap, b.Counters.FirstGap = nil, nil
	return text(a) == text(b)
}

// duringValidation is a context that ends when a validation is due, so that it is
// cut short.
type duringValidation struct {
	context.Context
	trainer *Trainer
}

func (d duringValidation) Err() error {
	if d.trainer.validates() {
		return context.Canceled
	}
	return nil
}

// TestInterruptedValidationIsMadeUpFor: a signal during each validation changes
// neither the weights nor the metrics.
func TestInterruptedValidationIsMadeUpFor(t *testing.T) {
	c := tinyConfig(t)
	want, wantMetrics := trainWhole(t, c)
	dir := t.TempDir()
	trainer, interrupted := newTrainer(t, c), 0
	for !trainer.finished() {
		if err := trainer.Run(duringValidation{context.Background(), trainer}, Options{Dir: dir}); err != nil {
			t.Fatal(err)
		}
		if trainer.validates() {
			interrupted++
		}
		var err error
		if trainer, err = Resume(context.Background(), filepath.Join(dir, CheckpointFile), randomSource{}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		if err := trainer.Run(ctx, Options{Dir: dir, Progress: func(Progress) { cancel() }}); err != nil {
			t.Fatal(err)
		}
		cancel()
	}
	if interrupted < 2 {
		t.Errorf("%d validations were interrupted", interrupted)
	}
	if got := finalState(t, dir); !sameState(got, want) {
		t.Error("the training ends in another state")
	}
	if got := metricsWithoutClock(t, dir); got != wantMetrics {
		t.Errorf("metrics\n%s\nwant\n%s", got, wantMetrics)
	}
}

// TestInterruptedPreparationGivesNoTrainer: a search for a reference that a signal cut
// short would make another training, wherever the signal came.
func TestInterruptedPreparationGivesNoTrainer(t *testing.T) {
	c := tinyConfig(t)
	c.Sizes, c.Pool, c.ValidationPool = []int{4}, 1, 1
	for asked := 0; ; asked++ {
		ctx := solvertest.EndsAfter(t.Context(), asked)
		_, err := New(ctx, c, randomSource{})
		if ended := ctx.Left() < 0; ended != errors.Is(err, context.Canceled) {
			t.Fatalf("a context that ends when it is asked for the %d-th time: error %v", asked+1, err)
		}
		if err == nil {
			break
		}
	}
}

// TestTimeUpBeforeTheFirstValidation: the training is validated then; the checkpoint is of
// before, so that it goes on as if it had not been.
func TestTimeUpBeforeTheFirstValidation(t *testing.T) {
	c := tinyConfig(t)
	c.Episodes, c.ValidationEvery = 1<<30, 1<<30
	trainer, dir := newTrainer(t, c), t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := trainer.Run(ctx, Options{Dir: dir, Progress: func(p Progress) {
		if p.Updates == 3 {
			cancel()
		}
	}})
	if err != nil || !math.IsNaN(trainer.counters.BestGap) {
		t.Fatalf("a signal: %v, gap %v", err, trainer.counters.BestGap)
	}
	improved := 0
	err = trainer.Run(t.Context(), Options{Dir: dir, TimeLimit: 1, Improved: func(models.Network, Summary) error { improved++; return nil }})
	if lines, linesErr := ReadMetrics(filepath.Join(dir, MetricsFile)); err != nil || linesErr != nil || improved != 1 || len(lines) != 1 {
		t.Errorf("%d models, %d lines of metrics, errors %v, %v", improved, len(lines), err, linesErr)
	}
	if c := finalState(t, dir); !math.IsNaN(c.Counters.BestGap) || c.Window.Updates != 3 {
		t.Errorf("the checkpoint counts the validation: %+v, %+v", c.Counters, c.Window)
	}
}

func TestValidateNamesEveryFault(t *testing.T) {
	c := tinyConfig(t)
	c.Gamma, c.Batch, c.Reward, c.Sizes = 1.5, 0, "fame", []int{1}
	err := c.Validate()
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{"gamma is 1.5", "batch is 0", `reward "fame"`, "size 1"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not say %q", err, want)
		}
	}
	if _, err := Preset("none"); err == nil {
		t.Error("an unknown preset is accepted")
	}
}
