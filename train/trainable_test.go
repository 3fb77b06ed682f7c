package train

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/models"
)

// TestAverageFollows: the mean of all weights while that is younger than the
// decay, exponential forgetting afterwards.
func TestAverageFollows(t *testing.T) {
	c := tinyConfig(t)
	c.AverageDecay = 0.75
	network := must.Get(models.New(c.Model, nil))(t)
	l := NewTrainable(&c, network)
	want := 0.0
	for step := 1; step <= 8; step++ {
		l.Adam.Updates = step
		network.Parameters()[0].Data[0] = float32(step * step)
		l.Follow()
		share := max(1/float64(step), 0.25)
		want += share * (float64(step*step) - want)
		if got := l.Average.Parameters()[0].Data[0]; math.Abs(float64(got)-want) > 1e-4 {
			t.Fatalf("average %v after step %d, want %v", got, step, want)
		}
	}
}

func TestSchedules(t *testing.T) {
	var c Config
	c.EpsilonFrom, c.EpsilonTo, c.EpsilonShare, c.PriorityBeta, c.LearningRate = 1, 0.2, 0.5, 0.4, 1
	for _, test := range []struct{ progress, epsilon, beta, rate float64 }{
		{0, 1, 0.4, 1}, {0.25, 0.6, 0.55, 1}, {0.5, 0.2, 0.7, 1}, {0.75, 0.2, 0.85, 0.75}, {1, 0.2, 1, 0.5}, {2, 0.2, 1, 0.5},
	} {
		e, b, r := c.Epsilon(test.progress), c.Beta(test.progress), c.Rate(test.progress)
		if math.Abs(e-test.epsilon)+math.Abs(b-test.beta)+math.Abs(r-test.rate) > 1e-12 {
			t.Errorf("progress %v: ε %v β %v η %v, want %+v", test.progress, e, b, r, test)
		}
	}
}

// TestNoStepIsMadeWithoutNumbers: a loss or a gradient that is not finite is an error, and
// leaves the network as it was.
func TestNoStepIsMadeWithoutNumbers(t *testing.T) {
	c := tinyConfig(t)
	network := must.Get(models.New(c.Model, rand.New(rand.NewPCG(1, 1))))(t)
	before := models.Clone(network)
	s := NewTrainable(&c, network)
	gradient := models.NewGradient(network)
	for _, loss := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if _, err := s.Descend(loss, gradient, 0.1); !errors.Is(err, ErrNotFinite) {
			t.Errorf("a loss of %v: %v", loss, err)
		}
	}
	gradient[0][0] = float32(math.NaN())
	if _, err := s.Descend(1, gradient, 0.1); !errors.Is(err, ErrNotFinite) {
		t.Errorf("a gradient that is no number: %v", err)
	}
	if s.Adam.Updates != 0 || !reflect.DeepEqual(models.Weights(network), models.Weights(before)) {
		t.Error("the network is another")
	}
}
