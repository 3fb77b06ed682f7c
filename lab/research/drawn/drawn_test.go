package drawn

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/internal/sealed"
	"github.com/rgm-go/rgm/lab/research/lcs"
	"github.com/rgm-go/rgm/lab/research/ngm"
	"github.com/rgm-go/rgm/lab/research/rewriter"
	"github.com/rgm-go/rgm/lab/research/soft"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/train"
)

// assignments draws problems without a known truth.
type assignments struct{}

func (assignments) Problem(n int, rng *rand.Rand) (*qap.Instance, qap.Matching, error) {
	in, err := datasets.Mixture{}.Instance(n, rng)
	return in, nil, err
}

func sourceOf(c Config) train.PairSource {
	if c.Loss == LossObjective || c.Loss == LossScore {
		return assignments{}
	}
	return pairs.Training{Unsigned: true}
}

func small(architecture, loss string) Config {
	c := Default(architecture)
	c.Loss, c.Hidden, c.Layers, c.LeastNodes, c.MostNodes, c.ValidationPairs, c.Updates, c.Batch = loss, 8, 2, 4, 7, 20, 100, 4
	return c
}

func newTrainer(t *testing.T, c Config) *Trainer {
	t.Helper()
	return must.Get(New(c, sourceOf(c)))(t)
}

// TestTraining: a short training is the same on any number of processors and when it is
// resumed, and lowers the loss.
func TestTraining(t *testing.T) {
	configs := []Config{
		small("", LossTruth), small(rewriter.Name, LossScore), small(ngm.Name, LossObjective),
		small(lcs.Name, LossTruth), small(lcs.Name, LossObjective),
	}
	if testing.Short() { // as with the race detector, which takes ten times as long: the others run the same loop
		configs = configs[:2]
	}
	for _, c := range configs {
		loss := c.Architecture + " " + c.Loss
		whole := newTrainer(t, c)
		untrained := must.Get(whole.validate(t.Context()))(t)
		if err := whole.Run(t.Context(), Options{}); err != nil {
			t.Fatal(err)
		}
		if lines := whole.Metrics(); len(lines) != 2 || whole.Validation().Loss >= untrained.Loss {
			t.Errorf("%s: validation loss %v, untrained %v, losses %+v", loss, whole.Validation().Loss, untrained.Loss, lines)
		}
		v := whole.Validation()
		if v.Pairs != 20 || (v.F1 != nil) != (c.Loss == LossTruth) || (v.OverGreedy != nil) != (c.Loss == LossScore) || v.F1 != nil && (*v.F1 <= 0.2 || *v.F1 > 1) {
			t.Errorf("%s: %+v", loss, v)
		}
		processors := runtime.GOMAXPROCS(1)
		again := interrupted(t, c)
		runtime.GOMAXPROCS(processors)
		for k, p := range whole.Network().Parameters() {
			if !slices.Equal(p.Data, again.Network().Parameters()[k].Data) {
				t.Fatalf("%s: %s differs where the training was resumed on one processor", loss, p.Name)
			}
		}
		if w := again.Validation(); w.Loss != v.Loss || !slices.Equal(whole.Metrics(), again.Metrics()) {
			t.Errorf("%s: validation %v, resumed %v", loss, v, w)
		}
	}
}

// interrupted stops a training at its first line, and twice before an update, and resumes it.
func interrupted(t *testing.T, c Config) *Trainer {
	t.Helper()
	dir := t.TempDir()
	trainer := newTrainer(t, c)
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		err := trainer.Run(ctx, Options{Dir: dir, Progress: func(Metrics) { cancel() }})
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if trainer, err = Resume(filepath.Join(dir, CheckpointFile(c.architecture())), sourceOf); err != nil {
			t.Fatal(err)
		}
	}
	if err := trainer.Run(t.Context(), Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	return trainer
}

// TestLossesHaveTheirDerivatives compares with central differences.
func TestLossesHaveTheirDerivatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	in := must.Get(datasets.Mixture{}.Instance(4, rng))(t)
	inputs := features.Make(soft.Set, 1, 4, 4)
	if err := soft.Fill(inputs, 0, in); err != nil {
		t.Fatal(err)
	}
	truth := qap.Matching{2, qap.Unmatched, 0, 1}
	logs, d, spare := make([]float32, 16), make([]float32, 16), make([]float32, 16)
	for v := range logs {
		logs[v] = float32(-rng.Float64() - 0.5)
	}
	const share, step = 0.5, 1.0 / 256
	for name, loss := range map[string]func(d []float32) float64{
		"truth":     func(d []float32) float64 { return crossEntropy(logs, d, truth, 4, share) },
		"objective": func(d []float32) float64 { return objective(logs, d, inputs, share) },
	} {
		loss(d)
		for v := range logs {
			at := logs[v]
			logs[v] = at + step
			up := loss(spare)
			logs[v] = at - step
			down := loss(spare)
			logs[v] = at
			if want := share * (up - down) / (2 * step); math.Abs(float64(d[v])-want) > 1e-4*(1+math.Abs(want)) {
				t.Errorf("%s: derivative %d is %v, want %v", name, v, d[v], want)
			}
		}
	}
}

// TestRewritingsHaveTheirDerivatives: the advantage counts as a constant.
func TestRewritingsHaveTheirDerivatives(t *testing.T) {
	s := rewriting{region: 1, rule: 2, openRules: []bool{true, false, true, true}}
	regions, rules := []float32{0.3, 0.8, -0.5}, []float32{0.4, 9, -0.6, 0.9}
	const sum, share, step = 0.5, 0.25, 1.0 / 256
	dregions, drules := make([]float32, 3), make([]float32, 4)
	s.learn(regions, rules, dregions, drules, sum, share)
	for k, d := range dregions {
		want := 0.0
		if k == s.region {
			want = share * (float64(regions[k]) - sum)
		}
		if math.Abs(float64(d)-want) > 1e-6 {
			t.Errorf("derivative by region %d is %v, want %v", k, d, want)
		}
	}
	loss := func() float64 { // the terms of the rules only: regions stay
		return s.learn(regions, rules, make([]float32, 3), make([]float32, 4), sum, share)
	}
	for k, d := range drules {
		at := rules[k]
		rules[k] = at + step
		up := loss()
		rules[k] = at - step
		down := loss()
		rules[k] = at
		if want := share * (up - down) / (2 * step); math.Abs(float64(d)-want) > 1e-4 {
			t.Errorf("derivative by rule %d is %v, want %v", k, d, want)
		}
	}
}

// TestGoodRulesBecomeLikelier: descent raises the value of a rule after which more came than the
// region promised, and lowers it where less came.
func TestGoodRulesBecomeLikelier(t *testing.T) {
	s := rewriting{region: 1, rule: 2, openRules: []bool{true, false, true, true}}
	regions, rules := []float32{0.3, 0.8, -0.5}, []float32{0.4, 9, -0.6, 0.9}
	for _, sum := range []float64{2.8, -1.2} {
		d := make([]float32, 4)
		s.learn(regions, rules, make([]float32, 3), d, sum, 1)
		if better := sum > 0.8; (d[2] < 0) != better || (d[0] > 0) != better || (d[3] > 0) != better || d[1] != 0 {
			t.Errorf("a sum of %v where 0.8 was promised: derivatives %v", sum, d)
		}
	}
}

// TestSumsAreDiscounted: a reward counts 0.9 of what it would have a step later.
func TestSumsAreDiscounted(t *testing.T) {
	sums := discounted([]rewriting{{reward: 1}, {reward: -2}, {reward: 4}})
	for k, want := range []float64{1 - 2*0.9 + 4*0.81, -2 + 4*0.9, 4} {
		if math.Abs(sums[k]-want) > 1e-12 {
			t.Errorf("sums %v: want %v at %d", sums, want, k)
		}
	}
}

// TestObjectiveIsTheScore: of a hard matching it is −J over the mean degree of K.
func TestObjectiveIsTheScore(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	in := must.Get(datasets.Mixture{}.Instance(5, rng))(t)
	inputs := features.Make(soft.Set, 1, 5, 5)
	if err := soft.Fill(inputs, 0, in); err != nil {
		t.Fatal(err)
	}
	total, row := 0.0, make([]float64, 25)
	for p := range 25 {
		clear(row)
		in.Affinity.AddRow(row, p, 1)
		for _, k := range row {
			total += math.Abs(k)
		}
	}
	m := qap.RandomMatching(5, 5, rng)
	logs := make([]float32, 25)
	for v := range logs {
		logs[v] = -200
	}
	for i, a := range m {
		logs[i*5+a] = 0
	}
	want := -in.Score(m) / (total / 25)
	if got := objective(logs, make([]float32, 25), inputs, 1); math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
		t.Errorf("objective %v, want %v", got, want)
	}
}

func TestWrongConfigurationsAreRefused(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"loss": func(c *Config) { c.Loss = "f1" }, "nodes": func(c *Config) { c.MostNodes = 65 }, "order": func(c *Config) { c.MostNodes = 3 },
		"rate": func(c *Config) { c.LearningRate = math.NaN() }, "batch": func(c *Config) { c.Batch = 0 }, "layers": func(c *Config) { c.Layers = 100 },
		"score": func(c *Config) { c.Loss = LossScore }, "rewriter": func(c *Config) { c.Architecture = rewriter.Name },
		"architecture": func(c *Config) { c.Architecture = "gain" },
	} {
		c := small(ngm.Name, LossTruth)
		change(&c)
		if _, err := New(c, sourceOf(c)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	c := small(ngm.Name, LossTruth)
	trainer := must.Get(New(c, assignments{}))(t)
	if err := trainer.Run(t.Context(), Options{}); err == nil {
		t.Error("instances of unknown truth are learned from")
	}
}

// TestDamagedCheckpointsAreRefused: cut short, changed, or of another network.
func TestDamagedCheckpointsAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), CheckpointFile("ngm"))
	trainer := newTrainer(t, small(ngm.Name, LossTruth))
	if err := trainer.WriteCheckpoint(path); err != nil {
		t.Fatal(err)
	}
	good := must.Get(os.ReadFile(path))(t)
	flipped := slices.Clone(good)
	flipped[len(flipped)/2] ^= 1
	for name, data := range map[string][]byte{"short": good[:len(good)-3], "flipped": flipped, "empty": nil} {
		if _, err := resume(data, sourceOf); !errors.Is(err, sealed.ErrNotWhole) {
			t.Errorf("%s: %v", name, err)
		}
	}
	trainer.config.Hidden++
	if err := trainer.WriteCheckpoint(path); err != nil {
		t.Fatal(err)
	}
	if _, err := Resume(path, sourceOf); !errors.Is(err, sealed.ErrNotWhole) {
		t.Errorf("weights of another network: %v", err)
	}
	trainer.config.Hidden--
	trainer.state.Update = 1 << 30
	if err := trainer.WriteCheckpoint(path); err != nil {
		t.Fatal(err)
	}
	if _, err := Resume(path, sourceOf); !errors.Is(err, sealed.ErrNotWhole) {
		t.Errorf("an update beyond the last: %v", err)
	}
}

// BenchmarkUpdate times an update of the default configurations.
func BenchmarkUpdate(b *testing.B) {
	for _, architecture := range Architectures() {
		b.Run(architecture, func(b *testing.B) {
			c := Default(architecture)
			trainer := must.Get(New(c, sourceOf(c)))(b)
			for b.Loop() {
				if _, err := trainer.update(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*c.Batch)/b.Elapsed().Seconds(), "instances/s")
		})
	}
}
