package affinity

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets/affinities"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/sealed/sealedtest"
	"github.com/rgm-go/rgm/models"
)

// ownPairs returns pairs of points with outliers, relabelled.
func ownPairs(t testing.TB, count int, seed uint64) (all []Pair) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 5))
	for p, err := range (pairs.Synthetic{Inliers: 6, Outliers: 3, Noise: .1, Count: count, Affinity: affinities.PaperSynthetic, Seed: seed}).Set().Pairs {
		q := must.Get(p.Relabelled(rng))(t)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, Pair{q.Name, q.Instance, q.Truth})
	}
	return all
}

// given returns a network that knows φ of generated pairs a little.
func given(t testing.TB) *models.Affinity {
	t.Helper()
	n, _, err := Train(t.Context(), smallConfig(), mixture{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestOwn: a training on pairs of one kind chooses how many nodes are matched better than the network
// that it began from, whose weights stay as they were; what is said of it adds up.
func TestOwn(t *testing.T) {
	from := given(t)
	before := slices.Concat(models.Weights(from)...)
	c := DefaultOwn()
	c.SizeUpdates, c.Updates = 300, 100
	o := must.Get(NewOwn(c, from, ownPairs(t, 80, 1), ownPairs(t, 60, 2)))(t)
	if err := o.Run(t.Context(), Options{}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(before, slices.Concat(models.Weights(from)...)) {
		t.Error("the network that was given has changed")
	}
	v := o.Validation()
	rules := map[string]Compared{}
	for _, r := range v.Controls {
		rules[r.Rule] = r
		if math.Abs(v.F1-r.F1-r.Ahead) > 1e-9 || r.Error < 0 {
			t.Errorf("F1 %v, %+v", v.F1, r)
		}
	}
	if v.Pairs != 60 || v.F1 <= 0.4 || v.F1 > rules[RuleBest].F1+0.1 || rules[RuleAll].Ahead < 2*rules[RuleAll].Error || rules[RuleGiven].Ahead < -2*rules[RuleGiven].Error {
		t.Errorf("%+v", v)
	}
}

// TestOwnResumed: wherever a training is broken off it ends with the same network and the same
// validation, and with other pairs it does not go on.
func TestOwnResumed(t *testing.T) {
	from, known, held := given(t), ownPairs(t, 12, 1), ownPairs(t, 6, 2)
	c := DefaultOwn()
	c.SizeUpdates, c.Updates = 200, 100
	want := must.Get(NewOwn(c, from, known, held))(t)
	if err := want.Run(t.Context(), Options{}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, OwnCheckpointFile)
	trainer := must.Get(NewOwn(c, from, known, held))(t)
	for breaks := 0; ; breaks++ {
		ctx, cancel := context.WithCancel(t.Context())
		err := trainer.Run(ctx, Options{Dir: dir, CheckpointEvery: time.Nanosecond, Progress: func(Metrics) { cancel() }})
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) || breaks > 10 {
			t.Fatalf("after %d breaks: %v", breaks, err)
		}
		trainer = must.Get(ResumeOwn(t.Context(), path, from, known, held))(t)
	}
	if !slices.Equal(slices.Concat(models.Weights(want.Network())...), slices.Concat(models.Weights(trainer.Network())...)) {
		t.Error("the weights differ")
	}
	if v, w := trainer.Validation(), want.Validation(); v.F1 != w.F1 || !slices.Equal(v.Controls, w.Controls) {
		t.Errorf("validation %+v, want %+v", v, w)
	}
	if config := must.Get(OwnConfigOf(path))(t); config.Sum != want.Config().Sum || config.Training != 12 || config.HeldOut != 6 {
		t.Errorf("configuration %+v", config)
	}
	if _, err := ResumeOwn(t.Context(), path, from, known[1:], held); err == nil {
		t.Error("goes on with other pairs")
	}
}

func TestOwnRefuses(t *testing.T) {
	from, known := models.Clone(must.Get(New(smallConfig(), mixture{}))(t).Network()).(*models.Affinity), ownPairs(t, 2, 1)
	wrong := DefaultOwn()
	wrong.SizeUpdates = 0
	if _, err := NewOwn(wrong, from, known, known); err == nil {
		t.Error("no updates are accepted")
	}
	if _, err := NewOwn(DefaultOwn(), from, known, nil); err == nil {
		t.Error("none held out is accepted")
	}
}

// FuzzOwnCheckpoint: whatever a checkpoint with a right checksum holds, reading gives an error or a
// training that can go on.
func FuzzOwnCheckpoint(f *testing.F) {
	from := must.Get(New(smallConfig(), mixture{}))(f).Network()
	known, held := ownPairs(f, 2, 1), ownPairs(f, 1, 2)
	c := DefaultOwn()
	c.SizeUpdates, c.Updates = 2, 2
	begin := func(c OwnConfig) (*OwnTrainer, error) { return NewOwn(c, from, known, held) }
	trainer := must.Get(begin(c))(f)
	for stage := range 3 {
		trainer.state.Stage = stage
		if _, err := trainer.enter(context.Background()); err != nil {
			f.Fatal(err)
		}
		path := filepath.Join(f.TempDir(), OwnCheckpointFile)
		if err := trainer.WriteCheckpoint(path); err != nil {
			f.Fatal(err)
		}
		f.Add(sealedtest.Payload(f, checkpointFormat, path))
		trainer.present = nil
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		trainer, err := decoded(t.Context(), sealedtest.File(checkpointFormat, payload), begin)
		if err == nil && trainer.present != nil {
			trainer.present.update(trainer.rate)
		}
	})
}
