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
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/qap/reweigh"
)

func smallGateConfig() GateConfig {
	c := DefaultGate()
	c.Width, c.LeastNodes, c.MostNodes, c.LargestNodes, c.Pairs, c.ValidationPairs, c.Updates = 8, 5, 9, 12, 60, 30, 200
	return c
}

func shippedAffinity(t testing.TB) *reweigh.Affinity {
	data, err := pretrained.Model("affinity")
	if err != nil {
		t.Fatal(err)
	}
	n, _, err := models.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	a, err := reweigh.New(models.QFunction(n))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestTrainGate: a short training lowers its loss, chooses better than by J, and no
// better than in hindsight; broken off and resumed, or on one processor, it is the same.
func TestTrainGate(t *testing.T) {
	a, c := shippedAffinity(t), smallGateConfig()
	want, err := NewGate(c, a, pairs.Wide{})
	if err == nil {
		err = want.Run(t.Context(), Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := want.Metrics()
	if v := want.Validation(); len(lines) != 2 || lines[1].Loss >= lines[0].Loss || v.F1 <= v.J || v.F1 > v.Best || v.Pairs > c.ValidationPairs {
		t.Errorf("metrics %v, validation %+v", lines, v)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	dir := t.TempDir()
	trainer, err := NewGate(c, a, pairs.Wide{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = trainer.Run(ctx, Options{Dir: dir, CheckpointEvery: time.Nanosecond, Progress: func(Metrics) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("broken off: %v", err)
	}
	if trainer, err = ResumeGate(t.Context(), filepath.Join(dir, GateFile), a, pairs.Wide{}); err == nil {
		err = trainer.Run(t.Context(), Options{Dir: dir})
	}
	if err != nil {
		t.Fatal(err)
	}
	for k, p := range want.Network().Parameters() {
		if !slices.Equal(p.Data, trainer.Network().Parameters()[k].Data) {
			t.Errorf("%s differs once resumed", p.Name)
		}
	}
	if !slices.Equal(lines, trainer.Metrics()) || want.Validation() != trainer.Validation() {
		t.Errorf("metrics %v and %+v, want %v and %+v", trainer.Metrics(), trainer.Validation(), lines, want.Validation())
	}
	if _, err := Resume(t.Context(), filepath.Join(dir, GateFile), mixture{}); err == nil {
		t.Error("the checkpoint of a gate is taken for that of an affinity")
	}
}

// TestGateExampleEnds: of a pair that is cut short nothing is learned.
func TestGateExampleEnds(t *testing.T) {
	in, truth, err := pairs.Wide{}.Problem(9, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newGateExample(ctx, shippedAffinity(t), in, truth); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the error of the context", err)
	}
}

// TestGateLoss compares the derivative with central differences.
func TestGateLoss(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	e := gateExample{F1: []float32{.2, .9, .5, .4}, Choices: 3}
	for range 20 {
		q, dq := make([]float32, 4), make([]float32, 4)
		for k := range q {
			q[k] = float32(.1 * rng.NormFloat64())
		}
		e.loss(q, dq, 1)
		const step = 1e-2
		for k := range q {
			up, down, scratch := slices.Clone(q), slices.Clone(q), make([]float32, 4)
			up[k] += step
			down[k] -= step
			want := (e.loss(up, scratch, 1) - e.loss(down, scratch, 1)) / (2 * step)
			if math.Abs(float64(dq[k])-want) > 1e-2 {
				t.Errorf("derivative %d of %v is %v, want %v", k, q, dq[k], want)
			}
		}
	}
}

func TestGateConfigIsChecked(t *testing.T) {
	for name, change := range map[string]func(*GateConfig){
		"width":         func(c *GateConfig) { c.Width = 0 },
		"pairs":         func(c *GateConfig) { c.Pairs = 1 << 40 },
		"least nodes":   func(c *GateConfig) { c.LeastNodes = 3 },
		"largest nodes": func(c *GateConfig) { c.LargestNodes = c.MostNodes - 1 },
		"learning rate": func(c *GateConfig) { c.LearningRate = math.NaN() },
		"decay":         func(c *GateConfig) { c.Decay = -1 },
	} {
		c := smallGateConfig()
		if change(&c); c.Validate() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if c := DefaultGate(); c.Validate() != nil {
		t.Error(c.Validate())
	}
}
