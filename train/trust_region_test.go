package train

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rgm-go/rgm/models"
)

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
		x, err := conjugateGradients(product, b, steps)
		if err != nil {
			t.Fatal(err)
		}
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

// trpoTrainer returns a training by TRPO whose first segment is played.
func trpoTrainer(t *testing.T, change func(*Config)) *policyGradient {
	t.Helper()
	c := tinyConfig(t)
	c.Learner, c.Segment, c.Environments, c.Temperature, c.FisherShare, c.Damping, c.Episodes = LearnerTRPO, 6, 4, 0.3, 1, 1e-3, 1<<30
	change(&c)
	g := newTrainer(t, c).algorithm.(*policyGradient)
	for range c.Segment {
		if _, err := g.round(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// TestFisherProductIsTheCurvatureOfTheDivergence compares xᵀFz with second differences of
// the mean KL(π_old‖π), for directions x and z.
func TestFisherProductIsTheCurvatureOfTheDivergence(t *testing.T) {
	for architecture, temperature := range map[string]float64{models.ArchitectureGain: 0.3, models.ArchitecturePaper: 0.01} { // its first Q hardly differ
		g := trpoTrainer(t, func(c *Config) { c.Model.Architecture, c.Temperature, c.Damping = architecture, temperature, 0 })
		first := models.Clone(g.net.network)
		rng := rand.New(rand.NewPCG(3, 4))
		n := models.Count(g.net.network)
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
				models.Copy(g.region.aside[0].network, first)
				setMoved(g.net.network, first, along, s)
				_, d, err := g.judgeStep(t.Context(), g.batch(), aims{})
				if err != nil {
					t.Fatal(err)
				}
				sum += d / 2
			}
			models.Copy(g.net.network, first)
			return sum
		}
		for range 4 {
			x, z, fx := random(), random(), make([]float64, n)
			if err := g.fisherProduct(t.Context(), g.split(g.batch()), fx, x); err != nil {
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
		g := trpoTrainer(t, func(c *Config) { c.KLLimit, c.Epochs, c.LearningRate = limit, 2, 0.01 })
		first, whole := models.Clone(g.net.network), g.batch()
		about := aims{reward: 1}
		before, err := g.differentiate(t.Context(), whole, about)
		if err != nil {
			t.Fatal(err)
		}
		judge := func() (loss, divergence float64) {
			models.Copy(g.region.aside[0].network, first)
			loss, divergence, err := g.judgeStep(t.Context(), whole, about)
			if err != nil {
				t.Fatal(err)
			}
			return loss, divergence
		}
		if _, err := g.round(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		loss, divergence := judge()
		if !(divergence <= limit) || limit < 0.1 && divergence < limit/8 || loss >= before.loss {
			t.Errorf("limit %v: divergence %v, loss %v, before %v", limit, divergence, loss, before.loss)
		}
		moved := 0
		for k, critic := range g.region.critic {
			for i, w := range g.net.network.Parameters()[k].Data {
				if w != first.Parameters()[k].Data[i] {
					if moved++; critic {
						t.Fatalf("limit %v: the policy's step moves weights of the critic", limit)
					}
				}
			}
		}
		updates := 0
		for ; g.segment.Steps > 0; updates++ {
			if _, err := g.round(t.Context(), 0); err != nil {
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
	g := trpoTrainer(t, func(c *Config) { c.Entropy = 0 })
	for k := range g.segment.Samples {
		g.segment.Samples[k].Advantage = 0
	}
	first := models.Clone(g.net.network)
	if _, err := g.round(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	for k, p := range g.net.network.Parameters() {
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
	g := trpoTrainer(t, func(c *Config) { c.KLLimit = 1 })
	first, about := models.Clone(g.net.network), aims{reward: 1}
	u, err := g.differentiate(t.Context(), g.batch(), about)
	if err != nil {
		t.Fatal(err)
	}
	g.region.keepPolicy(g.sum)
	moved, err := g.searchLine(t.Context(), g.batch(), about, flattened(g.sum), u.loss)
	if err != nil || moved {
		t.Errorf("moved %t, error %v", moved, err)
	}
	for k, p := range g.net.network.Parameters() {
		if !slices.Equal(p.Data, first.Parameters()[k].Data) {
			t.Errorf("%s has moved", p.Name)
		}
	}
}
