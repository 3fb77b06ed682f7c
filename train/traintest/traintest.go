// Package traintest has the tests that every learner of package train must pass.
package traintest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/export"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/internal/statistics"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/traintest/instances"
)

// Tiny returns the configuration of a training of a moment by a learner.
func Tiny(t testing.TB, learner string) train.Config {
	t.Helper()
	c := must.Get(train.Base().WithLearner(learner))(t)
	c.Sizes, c.Pool, c.Episodes, c.Environments = []int{4, 5}, 4, 40, 3
	c.Warmup, c.Replay, c.Batch = 40, 200, 16
	c.ValidationEvery, c.ValidationPool, c.ValidationRuns = 20, 2, 1
	return c
}

// State returns an environment some steps into an episode of a learner, and Q for it.
func State(t *testing.T, learner string) (*qap.Environment, []float32) {
	rng := rand.New(rand.NewPCG(1, 2))
	problems, _ := Problems(t, Tiny(t, learner))
	env := qap.NewEnvironment(problems[0].Instance, qap.EnvironmentOptions{})
	env.Step(5)
	env.Step(0)
	q := make([]float32, 16)
	for v := range q {
		q[v] = float32(rng.NormFloat64())
	}
	return env, q
}

// Pairs makes a configuration one on small pairs of graphs.
func Pairs(c train.Config) train.Config {
	c.Instances, c.Sizes, c.Pool, c.Environments = train.InstancesMatching, []int{4, 6}, 8, 3
	c.Episodes, c.Warmup, c.Replay, c.Batch = 40, 40, 200, 16
	c.ValidationEvery, c.ValidationPool, c.ValidationRuns = 20, 2, 1
	c.Model.Hidden, c.Model.Head = 8, 8
	return c
}

// source returns the instances of a configuration.
func source(c train.Config) train.InstanceSource {
	if c.Instances == train.InstancesMatching {
		return instances.Pairs{}
	}
	return instances.Assignments{}
}

func newTrainer(t testing.TB, c train.Config) *train.Trainer {
	t.Helper()
	return must.Get(train.New(t.Context(), c, source(c)))(t)
}

// Problems returns those that a training of a configuration has, and its first network, for
// tests of an algorithm's parts.
func Problems(t testing.TB, c train.Config) ([]*train.Problem, models.Network) {
	t.Helper()
	return ProblemsOf(t, c, source(c))
}

// ProblemsOf is Problems on instances of a source.
func ProblemsOf(t testing.TB, c train.Config, source train.InstanceSource) ([]*train.Problem, models.Network) {
	t.Helper()
	var problems []*train.Problem
	var first models.Network
	capture = func(p []*train.Problem, n models.Network) { problems, first = p, n }
	c.Learner, c.Own = "captures", captures{}
	if _, err := train.New(t.Context(), c, source); err != nil {
		t.Fatal(err)
	}
	return problems, first
}

// captures is a learner that hands over what it is given.
type captures struct{}

var capture func([]*train.Problem, models.Network)

func (captures) Check(*train.Config, *train.Faults) {}

func init() {
	train.Register(train.Learner{
		Name: "captures", Own: captures{}, Output: func(*train.Config) string { return "" },
		New: func(c *train.Config, problems []*train.Problem, network models.Network) train.Algorithm {
			capture(problems, network)
			return still{net: train.NewTrainable(c, network)}
		},
	})
}

// still neither acts nor learns.
type still struct{ net train.Trainable }

func (s still) Round(context.Context, float64) (train.Outcome, error) { return train.Outcome{}, nil }
func (s still) Trainable() *train.Trainable                           { return &s.net }
func (s still) Held() int                                             { return 0 }
func (s still) Save() (any, error)                                    { return nil, nil }
func (s still) Load(func(any) error) error                            { return nil }

// Test demands of trainings by a configuration of a learner, which validate twice at least,
// what is demanded of all: the seed decides everything, on any number of processors and
// wherever they are broken off, and steps that lead nowhere leave a checkpoint that does not.
func Test(t *testing.T, c train.Config) {
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := whole(t, c)
	if strings.Count(one, "\n") < 3 {
		t.Fatalf("the training is too short to compare: %s", one)
	}
	runtime.GOMAXPROCS(4)
	if four := whole(t, c); four != one {
		t.Errorf("on 4 processors the training is\n%s\non one\n%s", four, one)
	}
	if again := interrupted(t, c); again != one {
		t.Errorf("broken off again and again the training is\n%s\nin one go\n%s", again, one)
	}
	other := c
	other.Seed++
	if whole(t, other) == one {
		t.Error("another seed gives the same training")
	}
	diverge(t, c)
}

// whole trains without a break, and returns the trace.
func whole(t *testing.T, c train.Config) string {
	t.Helper()
	trainer, dir := newTrainer(t, c), t.TempDir()
	if err := trainer.Run(t.Context(), train.Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	return trace(t, dir)
}

// interrupted ends a training at ever other looks at its context, be it in the midst of an
// update or of a validation, resumes it from its checkpoint, and returns the trace.
func interrupted(t *testing.T, c train.Config) string {
	t.Helper()
	trainer, dir := newTrainer(t, c), t.TempDir()
	checkpoint := filepath.Join(dir, train.CheckpointFile)
	for round, looks := 0, 0; trainer.Progress().Episodes < c.Episodes; round++ {
		before := trainer.Progress()
		ctx := solvertest.EndsAfter(context.WithoutCancel(t.Context()), looks)
		if err := trainer.Run(ctx, train.Options{Dir: dir}); err != nil {
			t.Fatal(err)
		}
		looks = 2*looks + 1 // enough at last
		if now := trainer.Progress(); now.Updates+now.Episodes > before.Updates+before.Episodes {
			looks = round * 37 % 307
		}
		var err error
		if trainer, err = train.Resume(t.Context(), checkpoint, source(c)); err != nil {
			t.Fatal(err)
		}
	}
	if err := trainer.Run(t.Context(), train.Options{Dir: dir}); err != nil { // a validation may be left
		t.Fatal(err)
	}
	return trace(t, dir)
}

// trace is all of a training that the clock does not decide: its metrics, and its weights.
func trace(t *testing.T, dir string) string {
	t.Helper()
	lines := must.Get(train.ReadMetrics(filepath.Join(dir, train.MetricsFile)))(t)
	loaded := must.Get(train.Load(filepath.Join(dir, train.CheckpointFile)))(t)
	var text strings.Builder
	for _, l := range lines {
		l.Seconds, l.UpdatesPerSec = 0, 0
		row := must.Get(json.Marshal(l))(t)
		fmt.Fprintf(&text, "%s\n", row)
	}
	for _, part := range models.Weights(loaded.Network) {
		fmt.Fprintln(&text, part[:min(len(part), 8)])
	}
	return text.String()
}

// diverge trains at an absurd rate: the error says so, and the checkpoint is of use.
func diverge(t *testing.T, c train.Config) {
	t.Helper()
	c.LearningRate, c.AverageDecay, c.ValidationEvery, c.Episodes = 1e39, 0, 1, 1<<30 // beyond float32
	dir := t.TempDir()
	err := newTrainer(t, c).Run(t.Context(), train.Options{Dir: dir, CheckpointEvery: time.Nanosecond})
	if !errors.Is(err, train.ErrNotFinite) || !strings.Contains(err.Error(), "lower learning_rate") || !strings.Contains(err.Error(), "kept") {
		t.Errorf("learning_rate %v: error %v", c.LearningRate, err)
	}
	loaded := must.Get(train.Load(filepath.Join(dir, train.CheckpointFile)))(t)
	for _, p := range loaded.Network.Parameters() {
		for _, w := range p.Data {
			if math.IsNaN(float64(w)) || math.IsInf(float64(w), 0) {
				t.Fatalf("learning_rate %v: the checkpoint has a weight %v", c.LearningRate, w)
			}
		}
	}
}

// Learns demands that after training the gap of validation is at most half of that before.
// The training begins without what the network knows at first, the weight of the regret.
func Learns(t *testing.T, c train.Config) {
	network := must.Get(models.New(c.Model, rand.New(rand.NewPCG(c.Seed, 2))))(t)
	for _, p := range network.Parameters() {
		if p.Name == "advantage.skip" {
			clear(p.Data)
		}
	}
	data := must.Get(export.Marshal(network, ""))(t)
	c.Init = filepath.Join(t.TempDir(), "first.onnx")
	if err := os.WriteFile(c.Init, data, 0o666); err != nil {
		t.Fatal(err)
	}
	trainer := newTrainer(t, c)
	if err := trainer.Run(t.Context(), train.Options{Dir: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	s := trainer.Summary()
	if s.ValidationGap == nil || s.FirstGap == nil {
		t.Fatalf("nothing was measured: %+v", s)
	}
	t.Logf("gap %.3f before, %.3f after %d updates", *s.FirstGap, *s.ValidationGap, s.Updates)
	if *s.ValidationGap > *s.FirstGap/2 {
		t.Errorf("validation gap %.3f, before training %.3f: want at most half", *s.ValidationGap, *s.FirstGap)
	}
}

// Imitates demands that by a guide alone, tabu search, the cross-entropy with it falls.
func Imitates(t *testing.T, c train.Config) {
	c.Guide, c.GuideShare, c.LearningRate, c.Episodes, c.ValidationEvery = train.GuideTabu, 1, 2e-3, 1<<30, 10
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var falls []float64
	err := newTrainer(t, c).Run(ctx, train.Options{Dir: t.TempDir(), Metrics: func(l train.Line) {
		if falls = append(falls, *l.Imitation); len(falls) == 15 {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	first, last := statistics.Mean(falls[:2]), statistics.Mean(falls[len(falls)-2:])
	t.Logf("cross-entropy %.3f, then %.3f", first, last)
	if last > 0.8*first {
		t.Errorf("cross-entropy %.3f after 150 updates, %.3f at first: want at most 0.8 of it", last, first)
	}
}

// Refuses demands errors of configurations, each with a text.
func Refuses(t *testing.T, wrong map[string]train.Config) {
	t.Helper()
	for want, c := range wrong {
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
