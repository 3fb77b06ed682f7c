package train

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// TestResumedEqualsUninterrupted stops a training many times, resumes it from the
// checkpoint, and compares all of its final state.
func TestResumedEqualsUninterrupted(t *testing.T) {
	c := tinyConfig(t)
	want, wantMetrics := trainWhole(t, c)
	dir := t.TempDir()
	trainer := newTrainer(t, c)
	for rounds := 0; !trainer.finished(); rounds++ {
		ctx, cancel := context.WithCancel(context.Background())
		acts := 0
		err := trainer.Run(ctx, Options{Dir: dir, Stored: rounds%3 == 0, Progress: func(Progress) {
			if acts++; acts == 1+rounds*5%17 {
				cancel()
			}
		}})
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if rounds%2 == 0 { // as if killed while writing on
			f := must.Get(os.OpenFile(filepath.Join(dir, MetricsFile), os.O_APPEND|os.O_WRONLY, 0))(t)
			if _, err := f.WriteString(`{"updates":`); err != nil {
				t.Fatal(err)
			}
			f.Close()
		}
		trainer = must.Get(Resume(context.Background(), filepath.Join(dir, CheckpointFile), randomSource{}))(t)
	}
	if err := trainer.Run(context.Background(), Options{Dir: dir}); err != nil { // nothing left to do
		t.Fatal(err)
	}
	if got := finalState(t, dir); !sameState(got, want) {
		t.Error("the resumed training ends in another state")
	}
	checkEvents(t, dir)
	if got := metricsWithoutClock(t, dir); got != wantMetrics {
		t.Errorf("the resumed training's metrics differ:\n%s\nwant\n%s", got, wantMetrics)
	}
}

// TestGoesOnByUpdates: a training that ends after a number of updates, says so, and goes on to more, ends
// in the state of one that made them at once.
func TestGoesOnByUpdates(t *testing.T) {
	c := tinyConfig(t)
	run := func(dir string, t0 *Trainer, updates int) *Trainer {
		o := Options{Dir: dir, Updates: updates}
		if err := t0.Run(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		if got := t0.Progress().Updates; got != updates || t0.Stop(o) != StopUpdates {
			t.Errorf("%d updates, stopped by %q; want %d", got, t0.Stop(o), updates)
		}
		return t0
	}
	few, many := c.ValidationEvery, 3*c.ValidationEvery
	once, twice := t.TempDir(), t.TempDir()
	run(once, newTrainer(t, c), many)
	run(twice, newTrainer(t, c), few)
	run(twice, must.Get(Resume(t.Context(), filepath.Join(twice, CheckpointFile), randomSource{}))(t), many)
	if !sameState(finalState(t, twice), finalState(t, once)) || metricsWithoutClock(t, twice) != metricsWithoutClock(t, once) {
		t.Error("the training that went on ends in another state")
	}
	if err := newTrainer(t, c).Run(t.Context(), Options{Dir: t.TempDir(), Updates: c.ValidationEvery + 1}); err == nil {
		t.Error("an end between two validations is accepted")
	}
	trainer := newTrainer(t, c)
	trainer.counters = counters{Updates: 10 * c.ValidationEvery, BestUpdate: 8 * c.ValidationEvery, BestGap: 1}
	if a, b := trainer.Stop(Options{Still: .2}), trainer.Stop(Options{Still: .3}); a != StopStill || b != "" {
		t.Errorf("after a fifth without a better validation: %q and %q", a, b)
	}
}

func TestDamagedCheckpointIsRefused(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, CheckpointFile)
	trainer := newTrainer(t, tinyConfig(t))
	if err := trainer.WriteCheckpoint(path); err != nil {
		t.Fatal(err)
	}
	good := must.Get(os.ReadFile(path))(t)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		bad := slices.Clone(good)
		if rng.IntN(2) == 0 {
			bad = bad[:rng.IntN(len(bad))]
		} else {
			bad[rng.IntN(len(bad))] ^= 1 << rng.IntN(8)
		}
		if _, err := decodeCheckpoint(bad); !errors.Is(err, ErrCheckpoint) {
			t.Fatalf("a damaged checkpoint gives %v", err)
		}
	}
	if _, err := decodeCheckpoint(good); err != nil {
		t.Fatal(err)
	}
	if err := trainer.WriteCheckpoint(filepath.Join(dir, "absent", "x")); err == nil {
		t.Error("writing into an absent folder succeeds")
	}
}

// TestResumeRefusesOtherInstances: the checkpoint names instances; a source that
// makes others is noticed.
func TestResumeRefusesOtherInstances(t *testing.T) {
	path := filepath.Join(t.TempDir(), CheckpointFile)
	if err := newTrainer(t, tinyConfig(t)).WriteCheckpoint(path); err != nil {
		t.Fatal(err)
	}
	_, err := Resume(context.Background(), path, otherSource{})
	if err == nil || !strings.Contains(err.Error(), "another instance") {
		t.Errorf("error %v, want one about another instance", err)
	}
}

type otherSource struct{}

func (otherSource) Instance(n int, rng *rand.Rand) (*qap.Instance, error) {
	rng.Float64()
	return randomSource{}.Instance(n, rng)
}
