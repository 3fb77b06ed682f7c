package affinity

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
)

// mixture draws pairs on complete graphs.
type mixture struct{}

func (mixture) Problem(n int, rng *rand.Rand) (*qap.Instance, qap.Matching, error) {
	p, err := pairs.Mixture{}.Pair(n, rng)
	return p.Instance, p.Truth, err
}

func smallConfig() Config {
	c := Default()
	c.Width, c.LeastNodes, c.MostNodes, c.LargestNodes, c.Pairs, c.SizePairs, c.ValidationPairs, c.Updates, c.SizeUpdates = 8, 5, 9, 9, 60, 40, 40, 200, 1000
	return c
}

// TestTrain: a short training is the same on any number of processors, lowers
// both losses, and chooses sizes better than matching everything.
func TestTrain(t *testing.T) {
	c := smallConfig()
	learn := func() (*models.Affinity, Validation, map[string][]float64) {
		losses := map[string][]float64{}
		n, v, err := Train(context.Background(), c, mixture{}, func(m Metrics) {
			losses[m.Stage] = append(losses[m.Stage], m.Loss)
		})
		if err != nil {
			t.Fatal(err)
		}
		return n, v, losses
	}
	n, v, losses := learn()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	again, w, _ := learn()
	for k, p := range n.Parameters() {
		if !slices.Equal(p.Data, again.Parameters()[k].Data) {
			t.Fatalf("%s differs on one processor", p.Name)
		}
	}
	if v != w {
		t.Errorf("validations %+v and %+v", v, w)
	}
	if edge := losses["edge"]; len(edge) != 2 || edge[1] >= edge[0] || edge[1] > math.Ln2 {
		t.Errorf("losses of φ %v", edge)
	}
	if v.F1 <= v.F1Full || v.F1 > v.F1Best || v.F1Count > v.F1Best {
		t.Errorf("%+v", v)
	}
}

func TestTrainEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	_, _, err := Train(ctx, smallConfig(), mixture{}, func(Metrics) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestExpectedF1 compares the derivative with central differences.
func TestExpectedF1(t *testing.T) {
	l := sizeExample{f1: []float64{0.2, 0.9, 0.5}}
	q, dq := []float32{0.3, -0.2, 1}, make([]float32, 3)
	l.expected(q, dq, 64)
	const step = 1e-2
	for k := range q {
		up, down := slices.Clone(q), slices.Clone(q)
		up[k] += step
		down[k] -= step
		scratch := make([]float32, 3)
		want := -(l.expected(up, scratch, 64) - l.expected(down, scratch, 64)) / (2 * step) / 64
		if math.Abs(float64(dq[k])-want) > 1e-6 {
			t.Errorf("derivative %d is %v, want %v", k, dq[k], want)
		}
	}
}

func TestConfigIsChecked(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"width":         func(c *Config) { c.Width = 0 },
		"pairs":         func(c *Config) { c.Pairs = 1 << 40 },
		"least nodes":   func(c *Config) { c.LeastNodes = 3 },
		"most nodes":    func(c *Config) { c.MostNodes = c.LeastNodes - 1 },
		"learning rate": func(c *Config) { c.LearningRate = math.NaN() },
		"decay":         func(c *Config) { c.SizeDecay = -1 },
	} {
		c := smallConfig()
		if change(&c); c.Validate() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	c := smallConfig()
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
}

// TestResumedEqualsUninterrupted: wherever a training is broken off, in either stage,
// between them or in the validation, it ends with the same network and metrics.
func TestResumedEqualsUninterrupted(t *testing.T) {
	c := smallConfig()
	c.Pairs, c.SizePairs, c.ValidationPairs, c.SizeUpdates = 20, 15, 5, 100
	want, err := New(c, mixture{})
	if err == nil {
		err = want.Run(t.Context(), Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, CheckpointFile)
	trainer := must.Get(New(c, mixture{}))(t)
	breaks := 0
	for reports := 0; ; breaks++ {
		ctx, cancel := context.WithCancel(t.Context())
		err := trainer.Run(ctx, Options{Dir: dir, CheckpointEvery: time.Nanosecond, Progress: func(Metrics) { reports++; cancel() }})
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) || breaks > 10 {
			t.Fatalf("after %d breaks: %v", breaks, err)
		}
		if trainer, err = Resume(t.Context(), path, mixture{}); err != nil {
			t.Fatal(err)
		}
	}
	if breaks != 3 { // a report each at 100 and 200 of 200 updates, and at 100 of 100
		t.Errorf("%d breaks, want 3", breaks)
	}
	for k, p := range want.Network().Parameters() {
		if !slices.Equal(p.Data, trainer.Network().Parameters()[k].Data) {
			t.Errorf("%s differs", p.Name)
		}
	}
	if !slices.Equal(want.Metrics(), trainer.Metrics()) || want.Validation() != trainer.Validation() {
		t.Errorf("metrics %v and %+v, want %v and %+v", trainer.Metrics(), trainer.Validation(), want.Metrics(), want.Validation())
	}
	if again, err := Resume(t.Context(), path, mixture{}); err != nil || again.Validation() != want.Validation() {
		t.Errorf("a training that is through: %v", err)
	}
}

// TestDamagedCheckpointIsRefused: also where the checksum is right.
func TestDamagedCheckpointIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), CheckpointFile)
	for name, spoil := range map[string]func(*checkpoint[Config, Validation]){
		"stage":         func(c *checkpoint[Config, Validation]) { c.State.Stage = 3 },
		"update":        func(c *checkpoint[Config, Validation]) { c.State.Update = -1 },
		"weights":       func(c *checkpoint[Config, Validation]) { c.Network = c.Network[1:] },
		"moments":       func(c *checkpoint[Config, Validation]) { c.Adam = &models.Adam{} },
		"configuration": func(c *checkpoint[Config, Validation]) { c.Config.Width = 0 },
	} {
		trainer := must.Get(New(smallConfig(), mixture{}))(t)
		c := checkpoint[Config, Validation]{Config: trainer.config}
		for _, p := range trainer.network.Parameters() {
			c.Network = append(c.Network, p.Data)
		}
		spoil(&c)
		if err := checkpointFormat.Write(path, c); err != nil {
			t.Fatal(err)
		}
		if _, err := Resume(t.Context(), path, mixture{}); err == nil {
			t.Errorf("a wrong %s is accepted", name)
		}
	}
}

// TestNearlyConstantInputs: an input that hardly varies is not divided by how little it does: a network of weights of about 1 on
// it would differ by rounding from its file, and answer other inputs of this kind by thousands.
func TestNearlyConstantInputs(t *testing.T) {
	s := newScaling(3, 0, func(yield func([]float32) bool) {
		for k := range 1000 {
			if !yield([]float32{1, 5 + .009*float32(k%2*2-1), 5 + .02*float32(k%2*2-1)}) {
				return
			}
		}
	})
	if s.deviation[0] != 1 || s.mean[0] != 0 || s.deviation[1] != 1 || math.Abs(float64(s.deviation[2])-.02) > 1e-3 || math.Abs(float64(s.mean[1])-5) > 1e-3 {
		t.Errorf("%+v", s)
	}
}
