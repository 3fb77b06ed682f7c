package train

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/models"
)

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
	for _, kind := range []string{ESWeightsAll, ESWeightsSkip} {
		c := tinyConfig(t)
		c.Learner, c.ESWeights, c.ESPairs, c.ESInstances, c.ESSigma = LearnerES, kind, 3, 2, 0.25
		e := newTrainer(t, c).algorithm.(*evolution)
		e.mutate()
		worth := []float64{0.5, -0.25, 0, 0.125, -0.5, 1}
		e.estimate(worth)
		center := e.net.network.Parameters()
		for k, p := range center {
			searched := kind == ESWeightsAll || p.Name == skipWeights
			if kind == ESWeightsSkip && p.Name == otherWeights && slices.Max(p.Data) != 0 {
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
			models.Copy(m, e.net.network)
		}
		fitness, err := e.play(context.Background())
		if err != nil || slices.Min(fitness) != slices.Max(fitness) {
			t.Errorf("equal members reach %v, error %v", fitness, err)
		}
	}
}
