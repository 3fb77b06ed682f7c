package trpo

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/lab/research/learners/policygradient"
	"github.com/rgm-go/rgm/lab/research/paper"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/traintest"
)

// own returns the learner's configuration for segments of some steps.
func own(segment int) Config {
	o := Config{policygradient.Defaults(), 2, 0.01, 3, 0.1, 0.1}
	o.Segment = segment
	return o
}

// TestTraining: what every learner must do.
func TestTraining(t *testing.T) {
	c := traintest.Tiny(t, Name)
	c.Guide, c.GuideShare, c.GuideWeight = train.GuideTabu, 0, 0.1
	c.Own = own(5)
	traintest.Test(t, c)
}

// TestLearns within 150 episodes.
func TestLearns(t *testing.T) {
	c := traintest.Tiny(t, Name)
	c.Sizes, c.Pool, c.Episodes, c.ValidationPool, c.ValidationRuns = []int{7}, 20, 150, 8, 4
	c.Batch, c.LearningRate, c.Environments, c.ValidationEvery, c.AverageDecay = 32, 2e-3, 8, 40, 0.9
	traintest.Learns(t, c)
}

// TestCheck names what cannot be.
func TestCheck(t *testing.T) {
	with := func(change func(*Config)) train.Config {
		c := traintest.Tiny(t, Name)
		o := own(5)
		change(&o)
		c.Own = o
		return c
	}
	traintest.Refuses(t, map[string]train.Config{
		"kl_limit is 0":        with(func(o *Config) { o.KLLimit = 0 }),
		"conjugate_steps is 0": with(func(o *Config) { o.ConjugateSteps = 0 }),
		"fisher_share is 2":    with(func(o *Config) { o.FisherShare = 2 }),
		"damping is NaN":       with(func(o *Config) { o.Damping = math.NaN() }),
		"segment is 0":         with(func(o *Config) { o.Segment = 0 }),
	})
	if c, err := train.Preset(Name); err != nil || c.Validate() != nil {
		t.Errorf("%v, %v", err, c.Validate())
	}
}

// TestConjugateGradientsSolve compares with a dense solver: exact after as many steps as
// there are unknowns, and nearer in the norm of A with every step before.
func TestConjugateGradientsSolve(t *testing.T) {
	const n = 12
	rng := rand.New(rand.NewPCG(1, 2))
	m := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			m.Set(i, j, rng.NormFloat64())
		}
	}
	a, identity := mat.NewDense(n, n, nil), mat.NewDiagDense(n, nil)
	for i := range n {
		identity.SetDiag(i, 0.5)
	}
	a.Mul(m.T(), m)
	a.Add(a, identity)
	b := make([]float64, n)
	for i := range b {
		b[i] = rng.NormFloat64()
	}
	product := func(y, x []float64) error {
		mat.NewVecDense(n, y).MulVec(a, mat.NewVecDense(n, x))
		return nil
	}
	var want mat.VecDense
	if err := want.SolveVec(a, mat.NewVecDense(n, b)); err != nil {
		t.Fatal(err)
	}
	before := math.Inf(1)
	for steps := range n + 4 {
		x := must.Get(conjugateGradients(product, b, steps))(t)
		var miss, image mat.VecDense
		miss.SubVec(mat.NewVecDense(n, x), &want)
		image.MulVec(a, &miss)
		energy := mat.Dot(&miss, &image)
		if energy > before*(1+1e-9)+1e-20 || steps >= n && energy > 1e-14 {
			t.Errorf("after %d steps the error is %v, before %v", steps, energy, before)
		}
		before = energy
	}
}

// played returns a learner whose first segment is played.
func played(t *testing.T, change func(*train.Config, *Config)) *learner {
	t.Helper()
	c, o := traintest.Tiny(t, Name), own(6)
	c.Environments, c.Temperature, o.FisherShare, o.Damping, o.ConjugateSteps, o.Epochs = 4, 0.3, 1, 1e-3, 10, 3
	change(&c, &o)
	c.Own = o
	problems, network := traintest.Problems(t, c)
	g := newLearner(&c, problems, network)
	for range o.Segment {
		if _, err := g.Round(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// TestFisherProductIsTheCurvatureOfTheDivergence compares xᵀFz with second differences of
// the mean KL(π_old‖π), for directions x and z.
func TestFisherProductIsTheCurvatureOfTheDivergence(t *testing.T) {
	for architecture, temperature := range map[string]float64{models.ArchitectureGain: 0.3, paper.Name: 0.01} { // its first Q hardly differ
		g := played(t, func(c *train.Config, o *Config) {
			c.Model.Architecture, c.Temperature, o.Damping = architecture, temperature, 0
		})
		first := models.Clone(g.Net.Network)
		rng := rand.New(rand.NewPCG(3, 4))
		n := models.Count(g.Net.Network)
		random := func() []float64 {
			x := make([]float64, n)
			for k := range x {
				x[k] = rng.NormFloat64() / math.Sqrt(float64(n))
			}
			return x
		}
		divergence := func(x, z []float64, sign, step float64) float64 {
			sum, along := 0.0, make([]float64, n)
			for k := range along {
				along[k] = x[k] + sign*z[k]
			}
			for _, s := range []float64{step, -step} { // odd orders cancel
				models.Copy(g.aside[0].network, first)
				setMoved(g.Net.Network, first, along, s)
				_, d, err := g.judgeStep(t.Context(), g.Batch(g.plan()), train.Aims{})
				if err != nil {
					t.Fatal(err)
				}
				sum += d / 2
			}
			models.Copy(g.Net.Network, first)
			return sum
		}
		for range 4 {
			x, z, fx := random(), random(), make([]float64, n)
			if err := g.fisherProduct(t.Context(), g.Split(g.Batch(g.plan())), fx, x); err != nil {
				t.Fatal(err)
			}
			zero := make([]float64, n)
			step := math.Sqrt(2 * 2e-4 / dot(x, fx)) // to a divergence far above rounding
			square := 2 * divergence(x, zero, 1, step) / (step * step)
			cross := (divergence(x, z, 1, step) - divergence(x, z, -1, step)) / (2 * step * step)
			if got := dot(x, fx); math.Abs(got-square) > 0.03*square {
				t.Errorf("%s: xᵀFx is %v, by differences %v", architecture, got, square)
			}
			if got := dot(z, fx); math.Abs(got-cross) > 0.03*square {
				t.Errorf("%s: zᵀFx is %v, by differences %v", architecture, got, cross)
			}
		}
	}
}

// TestStepKeepsTheLimit: after TRPO's step the mean divergence is at most the limit, and
// near it where the quadratic model holds; the surrogate has fallen; the critic's weights
// are as they were; and what the critic learns then leaves the policy in its place.
func TestStepKeepsTheLimit(t *testing.T) {
	for _, limit := range []float64{1e-4, 1e-2, 1} {
		g := played(t, func(c *train.Config, o *Config) { o.KLLimit, o.Epochs, c.LearningRate = limit, 2, 0.01 })
		first, whole := models.Clone(g.Net.Network), g.Batch(g.plan())
		about := train.Aims{Reward: 1}
		before := must.Get(g.Differentiate(t.Context(), whole, about))(t)
		judge := func() (loss, divergence float64) {
			models.Copy(g.aside[0].network, first)
			loss, divergence, err := g.judgeStep(t.Context(), whole, about)
			if err != nil {
				t.Fatal(err)
			}
			return loss, divergence
		}
		if _, err := g.Round(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		loss, divergence := judge()
		if !(divergence <= limit) || limit < 0.1 && divergence < limit/8 || loss >= before.Loss {
			t.Errorf("limit %v: divergence %v, loss %v, before %v", limit, divergence, loss, before.Loss)
		}
		moved := 0
		for k, critic := range g.critic {
			for i, w := range g.Net.Network.Parameters()[k].Data {
				if w != first.Parameters()[k].Data[i] {
					if moved++; critic {
						t.Fatalf("limit %v: the policy's step moves weights of the critic", limit)
					}
				}
			}
		}
		updates := 0
		for ; g.Segment.Steps > 0; updates++ {
			if _, err := g.Round(t.Context(), 0); err != nil {
				t.Fatal(err)
			}
		}
		if _, after := judge(); moved == 0 || updates != 2*3 || math.Abs(after-divergence) > 1e-5*(1+divergence) {
			t.Errorf("limit %v: %d weights moved; %d updates of the critic take the divergence from %v to %v", limit, moved, updates, divergence, after)
		}
	}
}

// TestNoStepWithoutAGradient: where all advantages are 0 the policy stays.
func TestNoStepWithoutAGradient(t *testing.T) {
	g := played(t, func(c *train.Config, o *Config) { o.Entropy = 0 })
	for k := range g.Segment.Samples {
		g.Segment.Samples[k].Advantage = 0
	}
	first := models.Clone(g.Net.Network)
	if _, err := g.Round(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	for k, p := range g.Net.Network.Parameters() {
		for i, w := range p.Data {
			if w != first.Parameters()[k].Data[i] {
				t.Fatalf("%s moves", p.Name)
			}
		}
	}
}

// TestPolicyStaysWhereNoStepIsFound: up the gradient no step lowers the loss, and the weights
// are what they were to the last bit.
func TestPolicyStaysWhereNoStepIsFound(t *testing.T) {
	g := played(t, func(c *train.Config, o *Config) { o.KLLimit = 1 })
	first, about := models.Clone(g.Net.Network), train.Aims{Reward: 1}
	u := must.Get(g.Differentiate(t.Context(), g.Batch(g.plan()), about))(t)
	g.keepPolicy(g.Sum)
	moved, err := g.searchLine(t.Context(), g.Batch(g.plan()), about, flattened(g.Sum), u.Loss)
	if err != nil || moved {
		t.Errorf("moved %t, error %v", moved, err)
	}
	for k, p := range g.Net.Network.Parameters() {
		if !slices.Equal(p.Data, first.Parameters()[k].Data) {
			t.Errorf("%s has moved", p.Name)
		}
	}
}
