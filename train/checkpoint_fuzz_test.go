package train

import (
	"bytes"
	"context"
	"encoding/gob"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/sealed/sealedtest"
)

// smallestConfig is a training whose checkpoint is small.
func smallestConfig(t testing.TB) Config {
	c := tinyConfig(t)
	c.Sizes, c.Pool, c.ValidationPool, c.Environments, c.Model.Hidden, c.Model.Head = []int{3}, 1, 1, 1, 1, 1
	c.Batch, c.Warmup, c.Replay = 2, 4, 8
	return c
}

// FuzzCheckpoint: whatever a checkpoint with a right checksum holds, of any learner,
// reading gives an error or a training that can go on and be saved again.
func FuzzCheckpoint(f *testing.F) {
	for _, learner := range Learners() {
		c := smallestConfig(f)
		c.Learner, c.Segment, c.ESPairs, c.ESInstances = learner, 5, 1, 1
		f.Add(sealedtest.Payload(f, checkpointFormat, savedAfter(f, c, 12)))
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, payload []byte) {
		c, err := decodeCheckpoint(sealedtest.File(checkpointFormat, payload))
		if err != nil || asksForMuch(c) {
			return
		}
		resumed, err := c.trainer(context.Background(), randomSource{})
		if err != nil {
			return
		}
		for range 2 {
			resumed.round(context.Background()) // its error is that of weights which are no good
		}
		if _, err := resumed.checkpoint(); err != nil {
			t.Error(err)
		}
	})
}

// savedAfter returns the path of a checkpoint after some rounds of a training.
func savedAfter(t testing.TB, c Config, rounds int) string {
	t.Helper()
	trainer := newTrainer(t, c)
	for range rounds {
		if err := trainer.round(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), CheckpointFile)
	if err := trainer.WriteCheckpoint(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// asksForMuch tells whether a training, right or wrong, takes more memory or time than
// a fuzzer has.
func asksForMuch(saved *checkpoint) bool {
	c := &saved.Config
	much := c.Environments > 8 || c.Batch > 100 || c.Replay > 1000 || c.Model.Hidden > 64 || c.Model.Head > 64 || c.Model.Iterations > 4 ||
		c.Segment > 100 || c.ESPairs > 10 || c.ESInstances > 100
	for _, p := range slices.Concat(saved.Problems, saved.Validation) {
		much = much || p.Draw.N > 12
	}
	return much
}

// TestImpossibleStatesAreRefused: a checksum does not make sense of a state.
func TestImpossibleStatesAreRefused(t *testing.T) {
	const rounds = 4 // the replay, of 8 transitions, is not full
	for name, spoil := range map[string]func(*checkpoint){
		"action":           func(c *checkpoint) { c.Replay.Action[0] = 9 },
		"negative action":  func(c *checkpoint) { c.Replay.Action[0] = -1 },
		"state":            func(c *checkpoint) { c.Replay.State[0] = 1000 },
		"problem of state": func(c *checkpoint) { c.Replay.States[0][0] = 7 },
		"priority":         func(c *checkpoint) { c.Replay.Weight[0] = math.NaN() },
		"largest priority": func(c *checkpoint) { c.Replay.Largest = math.Inf(1) },
		"count":            func(c *checkpoint) { c.Replay.Count = 100 },
		"position":         func(c *checkpoint) { c.Replay.Position = 8 },
		"place of a gap":   func(c *checkpoint) { c.Replay.Position++ },
		"episode":          func(c *checkpoint) { c.Counters.Episodes = -1 },
		"no problem":       func(c *checkpoint) { c.Problems = nil },
		"no validation":    func(c *checkpoint) { c.Validation = nil },
		"nodes":            func(c *checkpoint) { c.Problems[0].Draw.N = 1 << 40 },
		"spread":           func(c *checkpoint) { c.Problems[0].Spread = 0 },
		"no actor":         func(c *checkpoint) { c.Actors = nil },
		"actor's problem":  func(c *checkpoint) { c.Actors[0].Problem = 1 },
		"actor's gains":    func(c *checkpoint) { c.Actors[0].Snapshot.Gains = nil },
		"actor's horizon":  func(c *checkpoint) { c.Actors[0].Horizon = 0 },
		"actor's matching": func(c *checkpoint) { c.Actors[0].Snapshot.Matching[0] = 5 },
		"actor's memory":   func(c *checkpoint) { c.Actors[0].Memory = nil },
		"actor's stream":   func(c *checkpoint) { c.Actors[0].Random = nil },
		"weights":          func(c *checkpoint) { c.Target = c.Target[1:] },
		"moments":          func(c *checkpoint) { c.Adam.First = nil },
		"sampling":         func(c *checkpoint) { c.Sampling = c.Sampling[:3] },
		"configuration":    func(c *checkpoint) { c.Config.Replay = 1 << 60 },
	} {
		c, err := readCheckpoint(savedAfter(t, smallestConfig(t), rounds))
		if err != nil {
			t.Fatal(err)
		}
		spoil(c)
		if _, err := c.trainer(t.Context(), randomSource{}); err == nil {
			t.Errorf("a wrong %s is accepted", name)
		}
	}
}

// TestOtherVersionIsRefused: the error says which versions they are.
func TestOtherVersionIsRefused(t *testing.T) {
	var payload bytes.Buffer
	if err := gob.NewEncoder(&payload).Encode(checkpoint{}); err != nil {
		t.Fatal(err)
	}
	file := sealedtest.File(checkpointFormat, payload.Bytes())
	if _, err := decodeCheckpoint(file); err != nil {
		t.Fatal(err)
	}
	file[len(checkpointFormat.Magic)]++
	if _, err := decodeCheckpoint(file); err == nil || err.Error() != ErrCheckpoint.Error()+": version 3, want 2" {
		t.Errorf("error %v", err)
	}
}
