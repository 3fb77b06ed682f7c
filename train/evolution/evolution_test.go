package evolution

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/traintest"
)

func tiny(t testing.TB, own Config, change func(c *train.Config)) train.Config {
	c := traintest.Tiny(t, Name)
	c.Own = own
	change(&c)
	return c
}

// TestTraining: what every learner must do.
func TestTraining(t *testing.T) {
	traintest.Test(t, tiny(t, Config{WeightsAll, 2, 3, 0.03}, func(c *train.Config) { c.ValidationEvery = 1 }))
}

// TestLearns within twenty generations.
func TestLearns(t *testing.T) {
	traintest.Learns(t, tiny(t, Config{WeightsSkip, 8, 8, 0.03}, func(c *train.Config) {
		c.Sizes, c.Pool, c.Episodes, c.ValidationPool, c.ValidationRuns = []int{7}, 20, 20*2*8*8, 8, 4
		c.LearningRate, c.ValidationEvery, c.AverageDecay = 0.05, 5, 0.5
	}))
}

// TestCheck names what does not go together.
func TestCheck(t *testing.T) {
	traintest.Refuses(t, map[string]train.Config{
		`es_weights "some"`:       tiny(t, Config{"some", 2, 3, 0.03}, func(*train.Config) {}),
		`es_weights "skip": only`: tiny(t, Config{WeightsSkip, 2, 3, 0.03}, func(c *train.Config) { c.Model.Architecture = "paper" }),
		"the learner es cannot":   tiny(t, defaults, func(c *train.Config) { c.Guide = train.GuideTabu }),
		"es_pairs is 100000":      tiny(t, Config{WeightsAll, 1e5, 3, 0.03}, func(*train.Config) {}),
	})
	if c := preset(); c.Validate() != nil {
		t.Error(c.Validate())
	}
}

func TestCentredRanks(t *testing.T) {
	for _, test := range []struct{ values, want []float64 }{
		{[]float64{3, 1, 2}, []float64{0.5, -0.5, 0}},
		{[]float64{5, 5, 1, 9, 5}, []float64{0, 0, -0.5, 0.5, 0}},
		{[]float64{2, 2}, []float64{0, 0}},
		{[]float64{7}, []float64{-0.5}},
	} {
		if got := centredRanks(test.values); !slices.Equal(got, test.want) {
			t.Errorf("ranks of %v are %v, want %v", test.values, got, test.want)
		}
	}
}

// TestEvolutionEstimate: members are antithetic, differ in what is searched only,
// and play the same; the estimate is Σ worth·ε/(2·pairs·σ), downhill.
func TestEvolutionEstimate(t *testing.T) {
	for _, kind := range []string{WeightsAll, WeightsSkip} {
		c := tiny(t, Config{kind, 3, 2, 0.25}, func(*train.Config) {})
		problems, network := traintest.Problems(t, c)
		e := newEvolution(&c, problems, network)
		e.mutate()
		worth := []float64{0.5, -0.25, 0, 0.125, -0.5, 1}
		e.estimate(worth)
		center := e.net.Network.Parameters()
		for k, p := range center {
			searched := kind == WeightsAll || p.Name == skipWeights
			if kind == WeightsSkip && p.Name == otherWeights && slices.Max(p.Data) != 0 {
				t.Error("the policy is not linear at first")
			}
			for i, w := range p.Data {
				want := 0.0
				for m := range e.members {
					epsilon := float64(e.members[m].Parameters()[k].Data[i]-w) / 0.25
					opposite := float64(e.members[m^1].Parameters()[k].Data[i]-w) / 0.25
					if math.Abs(epsilon+opposite) > 1e-4 || (epsilon != 0) != searched {
						t.Fatalf("%s: %s[%d] is tried with ε = %v and %v", kind, p.Name, i, epsilon, opposite)
					}
					want -= worth[m] * epsilon / (6 * 0.25)
				}
				if got := float64(e.gradient[k][i]); math.Abs(got-want) > 1e-4 {
					t.Fatalf("%s: estimate by %s[%d] is %v, want %v", kind, p.Name, i, got, want)
				}
			}
		}
		for _, m := range e.members {
			models.Copy(m, e.net.Network)
		}
		fitness, err := e.play(context.Background())
		if err != nil || slices.Min(fitness) != slices.Max(fitness) {
			t.Errorf("equal members reach %v, error %v", fitness, err)
		}
	}
}
