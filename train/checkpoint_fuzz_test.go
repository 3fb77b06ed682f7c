package train

import (
	"bytes"
	"context"
	"encoding/gob"
	"path/filepath"
	"testing"

	"github.com/rgm-go/rgm/internal/flat"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/sealed/sealedtest"
)

// smallestConfig is a training whose checkpoint is small.
func smallestConfig(t testing.TB) Config {
	c := tinyConfig(t)
	c.Sizes, c.Pool, c.ValidationPool, c.Environments, c.Model.Hidden, c.Model.Head = []int{3}, 1, 1, 1, 1, 1
	c.Batch, c.Warmup, c.Replay = 2, 4, 8
	return c
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

// TestImpossibleStatesAreRefused: a checksum does not make sense of a state. Package dqn has
// those of a replay and of actors.
func TestImpossibleStatesAreRefused(t *testing.T) {
	for name, spoil := range map[string]func(*checkpoint){
		"episode":       func(c *checkpoint) { c.Counters.Episodes = -1 },
		"no problem":    func(c *checkpoint) { c.Problems = nil },
		"no validation": func(c *checkpoint) { c.Validation = nil },
		"nodes":         func(c *checkpoint) { c.Problems[0].Draw.N = 1 << 40 },
		"spread":        func(c *checkpoint) { c.Problems[0].Spread = 0 },
		"weights":       func(c *checkpoint) { c.Network = c.Network[1:] },
		"moments":       func(c *checkpoint) { c.Adam.First = nil },
		"configuration": func(c *checkpoint) { c.Config.Replay = 1 << 60 },
		"learner":       func(c *checkpoint) { c.Config.Learner = "sarsa" },
	} {
		c := must.Get(readCheckpoint(savedAfter(t, smallestConfig(t), 4)))(t)
		spoil(c)
		if _, err := c.trainer(t.Context(), randomSource{}); err == nil {
			t.Errorf("a wrong %s is accepted", name)
		}
	}
}

// TestOtherVersionIsRefused: the error says which versions they are.
func TestOtherVersionIsRefused(t *testing.T) {
	var payload bytes.Buffer
	if err := gob.NewEncoder(&payload).Encode(flat.Join(flat.Field("Config", tinyConfig(t).Flat()), progress{})); err != nil {
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
