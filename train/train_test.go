package train

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/internal/solvertest"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
)

// randomSource makes instances with real-valued matrices, whose incremental sums
// round: what resumes exactly with them resumes exactly with all.
type randomSource struct{}

func (randomSource) Instance(n int, rng *rand.Rand) (*qap.Instance, error) {
	a, b := make([]float64, n*n), make([]float64, n*n)
	for k := range a {
		a[k], b[k] = rng.Float64()*10, math.Floor(rng.Float64()*10)
	}
	return qap.NewKoopmansBeckmann(n, n, a, b, nil, qap.Minimize)
}

func tinyConfig(t testing.TB) Config {
	c, err := Preset("smoke")
	if err != nil {
		t.Fatal(err)
	}
	c.Sizes, c.Pool, c.Episodes, c.Environments = []int{4, 5}, 4, 60, 3
	c.Warmup, c.Replay, c.Batch, c.ValidationEvery, c.ValidationPool = 40, 200, 16, 20, 2
	return c
}

func newTrainer(t testing.TB, c Config) *Trainer {
	t.Helper()
	trainer, err := New(context.Background(), c, randomSource{})
	if err != nil {
		t.Fatal(err)
	}
	return trainer
}

// metricsWithoutClock returns the lines of metrics.jsonl less what depends on the
// machine.
func metricsWithoutClock(t testing.TB, dir string) string {
	data, err := os.ReadFile(filepath.Join(dir, MetricsFile))
	if err != nil {
		t.Fatal(err)
	}
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
	c, err := readCheckpoint(filepath.Join(dir, CheckpointFile))
	if err != nil {
		t.Fatal(err)
	}
	c.Spent, c.Counters.MetricsSize = 0, 0
	return *c
}

func sameState(a, b checkpoint) bool {
	x, errX := json.Marshal(printable(a))
	y, errY := json.Marshal(printable(b))
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// printable drops what JSON cannot hold and which transitions share a state.
func printable(c checkpoint) checkpoint {
	var states [][]byte
	for k := range c.Replay.State {
		states = append(states, c.Replay.States[c.Replay.State[k]], c.Replay.States[c.Replay.Next[k]])
	}
	c.Replay.States, c.Replay.State, c.Replay.Next = states, nil, nil
	if math.IsNaN(c.Counters.BestGap) {
		c.Counters.BestGap = -1
	}
	return c
}

// variants are tiny trainings that differ in what they hold between two rounds.
func variants(t testing.TB) map[string]Config {
	base := tinyConfig(t)
	list := map[string]Config{}
	add := func(name string, change func(c *Config)) {
		c := base
		change(&c)
		if err := c.Validate(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		list[name] = c
	}
	add("dqn", func(*Config) {})
	add("dqn paper", func(c *Config) {
		c.Model = models.Config{Architecture: models.ArchitecturePaper, Hidden: 8, Head: 8}
	})
	add("dqn without double and dueling, demonstrated and guided", func(c *Config) {
		c.Double, c.Dueling, c.Reward, c.Demonstrators = false, false, RewardPotential, 0.34
		c.Guide, c.GuideShare, c.GuideWeight = GuideTabu, 0.5, 0.1
	})
	add("a2c", func(c *Config) { c.Learner, c.Segment, c.ValidationEvery = LearnerA2C, 5, 3 })
	add("ppo guided", func(c *Config) {
		c.Learner, c.Segment, c.Epochs = LearnerPPO, 5, 2
		c.Guide, c.GuideShare, c.GuideWeight = GuideTabu, 0, 0.1
	})
	add("trpo guided", func(c *Config) {
		c.Learner, c.Segment, c.Epochs, c.ConjugateSteps = LearnerTRPO, 5, 2, 3
		c.Guide, c.GuideShare, c.GuideWeight = GuideTabu, 0, 0.1
	})
	add("acer", func(c *Config) {
		c.Learner, c.Segment, c.ReplayRatio, c.KLLimit, c.Truncation = LearnerACER, 5, 2, 1, 1.5
	})
	add("es", func(c *Config) { c.Learner, c.ESPairs, c.ESInstances, c.ValidationEvery = LearnerES, 2, 3, 2 })
	return list
}

// TestSeedDecidesEverything: the number of processors changes no bit of weights,
// replay or metrics; another seed does.
func TestSeedDecidesEverything(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for name, c := range variants(t) {
		if testing.Short() { // as with the race detector, which takes ten times as long
			c.Episodes /= 4
		}
		runtime.GOMAXPROCS(1)
		one, oneMetrics := trainWhole(t, c)
		runtime.GOMAXPROCS(4)
		four, fourMetrics := trainWhole(t, c)
		if !sameState(one, four) || oneMetrics != fourMetrics {
			t.Errorf("%s: training differs between 1 and 4 processors", name)
		}
		if testing.Short() {
			continue
		}
		c.Seed++
		other, _ := trainWhole(t, c)
		if reflect.DeepEqual(one.Network, other.Network) {
			t.Errorf("%s: another seed gives the same weights", name)
		}
	}
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

// TestDivergenceKeepsTheCheckpoint: an absurd learning rate ends the training with
// an error that says so, and leaves a checkpoint of finite weights.
func TestDivergenceKeepsTheCheckpoint(t *testing.T) {
	for _, diverges := range []struct {
		learner string
		rate    float64
	}{{LearnerDQN, 1e20}, {LearnerDQN, 1e39}, {LearnerA2C, 1e38}, {LearnerPPO, 1e38}, {LearnerTRPO, 1e38}, {LearnerACER, 1e38}, {LearnerES, 1e39}} { // 1e39 is beyond float32
		rate := diverges.rate
		c := tinyConfig(t)
		c.Learner, c.LearningRate, c.AverageDecay, c.ValidationEvery = diverges.learner, rate, 0, 1
		dir := t.TempDir()
		err := newTrainer(t, c).Run(context.Background(), Options{Dir: dir, CheckpointEvery: time.Nanosecond})
		if !errors.Is(err, ErrNotFinite) || !strings.Contains(err.Error(), "lower learning_rate") || !strings.Contains(err.Error(), "kept") {
			t.Errorf("rate %v: error %v", rate, err)
		}
		loaded, err := Load(filepath.Join(dir, CheckpointFile))
		if err != nil || !finiteWeights(loaded.Network) {
			t.Errorf("rate %v: the checkpoint is of no use: %v", rate, err)
		}
	}
}

// TestTrainingLearns: after a short training the network's rollouts end nearer to
// the reference than the network's it began with. Without a prior on the skip
// connection, so that there is something to learn at once.
func TestTrainingLearns(t *testing.T) {
	base := tinyConfig(t)
	base.Sizes, base.Pool, base.Episodes, base.ValidationPool, base.ValidationRuns = []int{7}, 20, 60, 8, 4
	base.Warmup, base.Replay, base.Batch, base.LearningRate = 200, 5000, 32, 2e-3
	for learner, change := range map[string]func(c *Config){
		LearnerDQN:  func(c *Config) {},
		LearnerA2C:  func(c *Config) { c.Episodes, c.Environments, c.ValidationEvery, c.AverageDecay = 500, 8, 10, 0.9 },
		LearnerPPO:  func(c *Config) { c.Episodes, c.Environments, c.ValidationEvery, c.AverageDecay = 300, 8, 40, 0.9 },
		LearnerTRPO: func(c *Config) { c.Episodes, c.Environments, c.ValidationEvery, c.AverageDecay = 150, 8, 40, 0.9 },
		LearnerACER: func(c *Config) {
			c.Episodes, c.Environments, c.ValidationEvery, c.AverageDecay, c.KLLimit, c.Warmup = 150, 8, 40, 0.9, 1, 32
		},
		LearnerES: func(c *Config) {
			c.ESWeights, c.ESPairs, c.ESInstances, c.LearningRate = ESWeightsSkip, 8, 8, 0.05
			c.Episodes, c.ValidationEvery, c.AverageDecay = 20*2*8*8, 5, 0.5
		},
	} {
		c := base
		c.Learner = learner
		change(&c)
		t.Run(learner, func(t *testing.T) { checkLearning(t, c) })
	}
}

func checkLearning(t *testing.T, c Config) {
	trainer := newTrainer(t, c)
	networks := []models.Network{trainer.algorithm.Trainable().Network, trainer.algorithm.Trainable().Average}
	if d, ok := trainer.algorithm.(*dqn); ok {
		networks = append(networks, d.learner.target)
	}
	for _, n := range networks {
		for _, p := range n.Parameters() {
			if p.Name == skipWeights {
				clear(p.Data)
			}
		}
	}
	judged, err := trainer.judge(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	before := judged.gap
	if err := trainer.Run(context.Background(), Options{Dir: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	t.Logf("gap %.3f before, %.3f after %d updates", before, trainer.counters.BestGap, trainer.counters.Updates)
	if trainer.counters.BestGap > before/2 {
		t.Errorf("validation gap %.3f, before training %.3f: want at most half", trainer.counters.BestGap, before)
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
	c.Gamma, c.Batch, c.Loss, c.Sizes = 1.5, 0, "cubic", []int{1}
	err := c.Validate()
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{"gamma is 1.5", "batch is 0", `loss "cubic"`, "size 1"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not say %q", err, want)
		}
	}
	for _, name := range Presets() {
		c, err := Preset(name)
		if err != nil || c.Validate() != nil {
			t.Errorf("preset %s: %v, %v", name, err, c.Validate())
		}
	}
	if _, err := Preset("none"); err == nil {
		t.Error("an unknown preset is accepted")
	}
}
