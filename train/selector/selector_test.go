package selector

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/auto"
	"github.com/rgm-go/rgm/train"
)

func smallConfig() Config {
	c := Default()
	c.Instances, c.Validation, c.LeastNodes, c.MostNodes, c.MostTime = 6, 6, 8, 16, 15*time.Millisecond
	c.LeastTime, c.Rounds, c.Searches, c.Updates = 10*time.Millisecond, 3, 100, 50
	return c
}

// run trains from the beginning to the end.
func run(t *testing.T, c Config) *Trainer {
	t.Helper()
	trainer, err := New(c)
	if err == nil {
		err = trainer.Run(t.Context(), Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return trainer
}

// TestTrain: a short training is the same on any number of processors.
func TestTrain(t *testing.T) {
	c := smallConfig()
	trainer := run(t, c)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	again := run(t, c)
	if !equal(trainer.weights(), again.weights()) || trainer.Validation() != again.Validation() {
		t.Error("on one processor the training differs")
	}
	v := trainer.Validation()
	if v.Instances != 6 || v.Oracle > v.Fixed || v.Oracle > v.Learned+1e-12 || math.IsNaN(v.Rule+v.RoundRobin) {
		t.Errorf("%+v", v)
	}
	if lines := trainer.Metrics(); len(lines) != c.Rounds || lines[2].Round != 3 || lines[0].Examples < c.Searches {
		t.Errorf("metrics %+v", lines)
	}
}

// TestFit: the network comes to fit what it is shown.
func TestFit(t *testing.T) {
	c := smallConfig()
	trainer, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	for k := range 3 {
		r, err := c.record(t.Context(), nil, k)
		if err != nil {
			t.Fatal(err)
		}
		trainer.state.Records = append(trainer.state.Records, r)
	}
	examples, err := draw(t.Context(), &c, trainer.state.Records, Forward(trainer.network), 0)
	if err != nil {
		t.Fatal(err)
	}
	before, err1 := fit(t.Context(), &c, trainer.network, trainer.adam, examples, 0)
	after, err2 := fit(t.Context(), &c, trainer.network, trainer.adam, examples, 1)
	if !(after < before) || err1 != nil || err2 != nil {
		t.Errorf("misfit %v (%v), then %v (%v)", before, err1, after, err2)
	}
}

func equal(x, y [][]float32) bool { return slices.EqualFunc(x, y, slices.Equal[[]float32]) }

// TestValuesAreThoseOfReplays: what is learned of a state is what its search leaves where
// it is gone on with.
func TestValuesAreThoseOfReplays(t *testing.T) {
	c := smallConfig()
	r, err := c.record(t.Context(), nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	const d = 8 * time.Millisecond
	chosen := []auto.Component{auto.Restarts, auto.Trajectory, auto.LongPopulation, auto.Trajectory, auto.ShortPopulation}
	for turns := range 3 {
		visit := &visitor{trace: r.Trace, time: d, best: r.Best(), rule: auto.Rule(), chosen: chosen[:turns]}
		var e example
		r.Replay(seen(func(s *auto.State) auto.Component {
			byRule := visit.rule.Next(s)
			if s.Turns-1 == turns {
				visit.fill(&e, s, byRule)
			}
			return chosen[min(s.Turns-1, len(chosen)-1)]
		}), d)
		for k := range auto.Options {
			then := auto.Rule()
			if k < auto.Components {
				then = auto.Fixed(auto.Component(k))
			}
			s := r.Replay(&repeater{chosen: chosen[:turns], then: then}, d)
			if got, want := e.values[k], LogGap(&r.Features, s.BestCost, r.Best()); math.Abs(got-want) > 1e-9 {
				t.Errorf("option %d after %d turns: %v, the search leaves %v", k, turns, got, want)
			}
		}
	}
}

// seen is a chooser that is a function.
type seen func(*auto.State) auto.Component

func (f seen) Next(s *auto.State) auto.Component { return f(s) }

// TestMisfit compares the derivative with central differences.
func TestMisfit(t *testing.T) {
	e := example{values: [auto.Options]float64{0.2, -0.9, 0.5, 1, 0.1}}
	q, dq := []float32{0.3, -0.2, 1, 0.1, 0.4}, make([]float32, 5)
	e.misfit(q, dq)
	const step = 1e-2
	for k := range q {
		up, down := slices.Clone(q), slices.Clone(q)
		up[k] += step
		down[k] -= step
		scratch := make([]float32, 5)
		want := (e.misfit(up, scratch) - e.misfit(down, scratch)) / (2 * step) / batchStates
		if math.Abs(float64(dq[k])-want) > 1e-6 {
			t.Errorf("derivative %d is %v, want %v", k, dq[k], want)
		}
	}
}

func TestConfigIsChecked(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"width":         func(c *Config) { c.Width = 0 },
		"nodes":         func(c *Config) { c.MostNodes = c.LeastNodes - 1 },
		"time":          func(c *Config) { c.LeastTime = time.Millisecond },
		"learning rate": func(c *Config) { c.LearningRate = math.NaN() },
		"family":        func(c *Config) { c.HeldOut = []string{"nosuch"} },
		"all families":  func(c *Config) { c.HeldOut = c.families() },
	} {
		c := smallConfig()
		c.HeldOut = nil
		if change(&c); c.Validate() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	c := smallConfig()
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
}

// TestResumedEqualsUninterrupted: wherever a training is broken off, while it records or
// between rounds, it ends with the same network and metrics.
func TestResumedEqualsUninterrupted(t *testing.T) {
	c := smallConfig()
	want := run(t, c)
	dir := t.TempDir()
	trainer, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	breaks := 0
	for ; ; breaks++ {
		ctx, cancel := context.WithCancel(t.Context())
		o := Options{Dir: dir, CheckpointEvery: time.Nanosecond, Recording: func(int, int) { cancel() }, Progress: func(Metrics) { cancel() }}
		err := trainer.Run(ctx, o)
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) || breaks > 10 {
			t.Fatalf("after %d breaks: %v", breaks, err)
		}
		if trainer, err = Resume(filepath.Join(dir, CheckpointFile)); err != nil {
			t.Fatal(err)
		}
	}
	if breaks < 4 {
		t.Errorf("%d breaks, want 4 or more", breaks)
	}
	if !equal(want.weights(), trainer.weights()) || !slices.Equal(want.Metrics(), trainer.Metrics()) || want.Validation() != trainer.Validation() {
		t.Errorf("%+v and %+v, want %+v and %+v", trainer.Metrics(), trainer.Validation(), want.Metrics(), want.Validation())
	}
}

// TestDamagedCheckpointIsRefused: also where the checksum is right.
func TestDamagedCheckpointIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), CheckpointFile)
	// recorded is a record that is right but for what spoil does.
	recorded := func(spoil func(*Recorded)) func(*checkpoint) {
		return func(c *checkpoint) {
			r := Recorded{Trace: &auto.Trace{Features: auto.Features{N: 9}}, Time: leastTime}
			for k := range r.Curves {
				r.Curves[k] = []auto.Point{{Cost: 1}}
			}
			spoil(&r)
			c.State.Records = []Recorded{r}
		}
	}
	for name, spoil := range map[string]func(*checkpoint){
		"round":         func(c *checkpoint) { c.State.Round = 1 },
		"record":        func(c *checkpoint) { c.State.Records = []Recorded{{}} },
		"nodes":         recorded(func(r *Recorded) { r.Features.N = 1 << 32 }), // whose square is 0
		"time":          recorded(func(r *Recorded) { r.Time = 1 << 60 }),
		"cost":          recorded(func(r *Recorded) { r.Curves[1][0].Cost = math.NaN() }),
		"weights":       func(c *checkpoint) { c.Network = c.Network[1:] },
		"number":        func(c *checkpoint) { c.Network[0][0] = float32(math.NaN()) },
		"moments":       func(c *checkpoint) { c.Adam = &models.Adam{} },
		"configuration": func(c *checkpoint) { c.Config.Width = 0 },
	} {
		trainer, err := New(smallConfig())
		if err != nil {
			t.Fatal(err)
		}
		c := checkpoint{Config: trainer.config, Network: trainer.weights(), Adam: trainer.adam}
		spoil(&c)
		if err := checkpointFormat.Write(path, c); err != nil {
			t.Fatal(err)
		}
		if _, err := Resume(path); err == nil {
			t.Errorf("a wrong %s is accepted", name)
		}
	}
}

// TestForwardAgrees: the search evaluates the network as training does.
func TestForwardAgrees(t *testing.T) {
	trainer, err := New(Default())
	if err != nil {
		t.Fatal(err)
	}
	pass := trainer.network.NewPass(1, 1, auto.Options)
	batch, err := Forward(trainer.network).NewBatch(1, 1, auto.Options)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range pass.Inputs()[0] {
		x := float32(rng.NormFloat64())
		pass.Inputs()[0][i], batch.Inputs()[0][i] = x, x
	}
	q, err := batch.Evaluate()
	for k, want := range pass.Forward() {
		if err != nil || math.Abs(float64(q[k]-want)) > 1e-5 {
			t.Errorf("answer %d is %v, in training %v (%v)", k, q[k], want, err)
		}
	}
}

func TestLogGap(t *testing.T) {
	f := auto.Features{RandomCost: 100}
	for _, test := range []struct{ cost, best, want float64 }{
		{50, 50, -2}, {50.5, 50, math.Log10(1.01)}, {-49.5, -50, math.Log10(1.01)}, {1, 0, math.Log10(1.01)},
	} {
		if got := LogGap(&f, test.cost, test.best); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("cost %v over %v: %v, want %v", test.cost, test.best, got, test.want)
		}
	}
}

// writeFiles writes generated instances into a folder, and returns it.
func writeFiles(t *testing.T, count int) string {
	t.Helper()
	dir := t.TempDir()
	for k := range count {
		in, err := datasets.Generate("blocks", 12, rand.New(rand.NewPCG(3, uint64(k))))
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := errors.Join(datasets.WriteDAT(&text, in), os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.dat", k)), text.Bytes(), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestFilesAndFirstWeights: a training on files from a model records those to validate with
// apart, says what the model left there, and a resumed one is the uninterrupted one, also
// where the model is gone; files that have changed are refused.
func TestFilesAndFirstWeights(t *testing.T) {
	c := smallConfig()
	c.Files, c.From, c.Width = writeFiles(t, 12), "selector", 3
	f, err := openFiles(c.Files)
	if err != nil || len(f.training)+len(f.validation) != 12 || len(f.validation) == 0 {
		t.Fatalf("%+v, %v", f, err)
	}
	want := run(t, c)
	first, err := readSelector("selector")
	if err != nil {
		t.Fatal(err)
	}
	if v := want.Validation(); v.First == nil || *v.First != meanLogGap(t.Context(), want.held(), ChooserOf(Forward(first))) || want.Config().Width != 16 {
		t.Errorf("%+v of width %d", v, want.Config().Width)
	}
	if equal(want.weights(), weightsOf(first)) {
		t.Error("nothing was learned")
	}
	for k, r := range want.state.Records {
		of := f.training
		if k >= c.Instances {
			of = f.validation
		}
		if !slices.ContainsFunc(of, func(g train.Given) bool { return g.Instance.Name == r.Name }) {
			t.Errorf("record %d is of %s", k, r.Name)
		}
	}
	dir := t.TempDir()
	trainer, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	trainer.config.From = "gone.onnx"
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := trainer.Run(ctx, Options{Dir: dir}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	path := filepath.Join(dir, CheckpointFile)
	if trainer, err = Resume(path); err == nil {
		err = trainer.Run(t.Context(), Options{})
	}
	if err != nil || !equal(want.weights(), trainer.weights()) || *trainer.Validation().First != *want.Validation().First {
		t.Errorf("%v, %+v, want %+v", err, trainer.Validation(), want.Validation())
	}
	if err := os.Remove(filepath.Join(c.Files, "0.dat")); err != nil {
		t.Fatal(err)
	}
	if _, err := Resume(path); err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("error %v", err)
	}
}

// TestModelsThatChooseNothingAreRefused: neither another architecture nor no file.
func TestModelsThatChooseNothingAreRefused(t *testing.T) {
	for _, name := range []string{"qap", "absent.onnx"} {
		c := smallConfig()
		c.From = name
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	c := smallConfig()
	c.Files = "generated"
	if _, err := New(c); err == nil {
		t.Error("files that are none are accepted")
	}
}
