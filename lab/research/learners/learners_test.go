package learners

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/sealed"
	"github.com/rgm-go/rgm/internal/sealed/sealedtest"
	"github.com/rgm-go/rgm/lab/research/learners/acer"
	"github.com/rgm-go/rgm/lab/research/learners/policygradient"
	"github.com/rgm-go/rgm/lab/research/learners/trpo"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/evolution"
	_ "github.com/rgm-go/rgm/train/learners"
	"github.com/rgm-go/rgm/train/traintest/instances"
)

// withFiles are the learners of which checkpoints of before are kept.
var withFiles = []string{"a2c", "dqn", "es", "ppo"}

// TestNames: the learners, and presets that can be trained.
func TestNames(t *testing.T) {
	if want := []string{"a2c", "acer", "dqn", "es", "ppo", "trpo"}; !slices.Equal(train.Learners(), want) {
		t.Errorf("learners %v, want %v", train.Learners(), want)
	}
	for _, name := range train.Presets() {
		if c, err := train.Preset(name); err != nil || c.Validate() != nil {
			t.Errorf("preset %s: %v, %v", name, err, c.Validate())
		}
	}
	if _, err := train.Preset("none"); err == nil {
		t.Error("an unknown preset is accepted")
	}
}

// TestConfigsAreFlatInFiles: every key is one of a learner's once, and the way there and back
// changes nothing.
func TestConfigsAreFlatInFiles(t *testing.T) {
	for _, name := range train.Presets() {
		c := must.Get(train.Preset(name))(t)
		flat := c.Flat()
		seen := map[string]bool{}
		for k := range reflect.TypeOf(flat).NumField() {
			key := reflect.TypeOf(flat).Field(k).Tag.Get("mapstructure")
			if seen[key] || key == "" {
				t.Errorf("%s: the key %q stands twice", name, key)
			}
			seen[key] = true
		}
		var back train.Config
		if back.SetFlat(flat); !reflect.DeepEqual(back, c) {
			t.Errorf("%s: %+v, and back %+v", name, c, back)
		}
	}
}

// format is that of checkpoint files.
var format = sealed.Format{Magic: "rgm checkpoint\n", Version: 2}

// FuzzCheckpoint: whatever a checkpoint with a right checksum holds, of any learner,
// reading gives an error or a training that can go on and be saved again.
func FuzzCheckpoint(f *testing.F) {
	for _, learner := range train.Learners() {
		c := must.Get(train.Base().WithLearner(learner))(f)
		c.Sizes, c.Pool, c.ValidationPool, c.Environments, c.Model.Hidden, c.Model.Head = []int{3}, 1, 1, 1, 1, 1
		c.Batch, c.Warmup, c.Replay = 2, 4, 8
		trainer := must.Get(train.New(f.Context(), c, instances.Assignments{}))(f)
		dir := f.TempDir()
		ctx, cancel := context.WithCancel(f.Context())
		rounds := 0
		err := trainer.Run(ctx, train.Options{Dir: dir, Progress: func(train.Progress) {
			if rounds++; rounds == 12 {
				cancel()
			}
		}})
		cancel()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(sealedtest.Payload(f, format, filepath.Join(dir, train.CheckpointFile)))
	}
	f.Add([]byte{})
	path := filepath.Join(f.TempDir(), train.CheckpointFile)
	f.Fuzz(func(t *testing.T, payload []byte) {
		if err := os.WriteFile(path, sealedtest.File(format, payload), 0o666); err != nil {
			t.Fatal(err)
		}
		c, err := train.ReadConfig(path)
		if err != nil || asksForMuch(&c) {
			return
		}
		resumed, err := train.Resume(t.Context(), path, small{})
		if err != nil {
			return
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		rounds := 0
		dir := t.TempDir()
		resumed.Run(ctx, train.Options{Dir: dir, Progress: func(train.Progress) { // its error is that of weights which are no good
			if rounds++; rounds == 2 {
				cancel()
			}
		}})
		if err := resumed.WriteCheckpoint(filepath.Join(dir, "again.rgm")); err != nil {
			t.Error(err)
		}
	})
}

// small makes instances that take a fuzzer no time.
type small struct{ instances.Assignments }

func (s small) Instance(n int, rng *rand.Rand) (*qap.Instance, error) {
	if n > 12 {
		return nil, errors.New("too many nodes")
	}
	return s.Assignments.Instance(n, rng)
}

// asksForMuch reports whether a training, right or wrong, takes more memory or time than
// a fuzzer has.
func asksForMuch(c *train.Config) bool {
	much := c.Environments > 8 || c.Batch > 100 || c.Replay > 1000 || c.Model.Hidden > 64 || c.Model.Head > 64 || c.Model.Iterations > 4
	switch own := c.Own.(type) {
	case policygradient.Config:
		much = much || own.Segment > 100
	case trpo.Config:
		much = much || own.Segment > 100 || own.ConjugateSteps > 100
	case acer.Config:
		much = much || own.Segment > 100 || own.ReplayRatio > 100
	case policygradient.PPOConfig:
		much = much || own.Segment > 100
	case evolution.Config:
		much = much || own.ESPairs > 10 || own.ESInstances > 100
	}
	return much
}

// TestCheckpointsOfBefore: those that trainings wrote when Config was one struct with the keys of
// all learners go on, and hold what the learner held.
func TestCheckpointsOfBefore(t *testing.T) {
	for _, learner := range withFiles {
		path := filepath.Join("testdata", learner+".rgm")
		c := must.Get(train.ReadConfig(path))(t)
		trainer := must.Get(train.Resume(t.Context(), path, open(t, c)))(t)
		again := filepath.Join(t.TempDir(), train.CheckpointFile)
		if err := trainer.WriteCheckpoint(again); err != nil {
			t.Fatal(err)
		}
		before, now := held(t, path), held(t, again)
		if before.Counters.Updates == 0 || !reflect.DeepEqual(before, now) {
			t.Errorf("%s: read and written again it holds\n%+v\nbefore\n%+v", learner, now, before)
		}
	}
}

// content is what a checkpoint of any learner holds, by the names in the file.
type content struct {
	Config struct {
		Seed                        uint64
		Learner, Reward, Guide      string
		Sizes                       []int
		Gamma, LearningRate         float64
		NStep, ActsPerUpdate        int
		Segment, Epochs, ESPairs    int
		PriorityAlpha, PriorityBeta float64
		Double                      bool
	}
	Counters struct{ Updates, Episodes int }
	Network  [][]float32
	Average  [][]float32
	Target   [][]float32
	Acts     int
	Sampling []byte
	Actors   []train.SavedActor
	Segment  policygradient.Segment
	Replay   struct{ Weight []float64 }
}

func held(t *testing.T, path string) (c content) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = format.Decode(data, &c)
	}
	if err != nil {
		t.Fatal(err)
	}
	if c.Config.Learner != "ppo" { // a file of before has also what its learner does not read
		c.Config.Epochs = 0
	}
	if c.Config.Learner != "dqn" {
		c.Config.ActsPerUpdate, c.Config.PriorityAlpha, c.Config.Double = 0, 0, false
	}
	if c.Config.Learner != "es" {
		c.Config.ESPairs = 0
	}
	if c.Config.Learner == "dqn" || c.Config.Learner == "es" {
		c.Config.Segment = 0
	}
	return c
}
