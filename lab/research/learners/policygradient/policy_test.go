package policygradient

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train/traintest/instances"
)

// TestPolicyIsASoftmax compares probabilities with the definition, and draws with
// the probabilities.
func TestPolicyIsASoftmax(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	in := must.Get(instances.Assignments{}.Instance(4, rng))(t)
	env := qap.NewEnvironment(in, qap.EnvironmentOptions{})
	env.Step(5)
	env.Step(0)
	q := make([]float32, 16)
	for v := range q {
		q[v] = float32(rng.NormFloat64())
	}
	p := NewPolicy(0.7)
	p.Set(env, q)
	total, entropy := 0.0, 0.0
	for v, value := range q {
		if env.Allowed(v) {
			total += math.Exp(float64(value) / 0.7)
		}
	}
	counts := make([]float64, 16)
	const draws = 40000
	for range draws {
		v, logarithm := p.Sample(rng)
		if logarithm != p.Logarithm(v) {
			t.Fatal("a sample comes with another probability")
		}
		counts[v]++
	}
	for v, value := range q {
		want := math.Exp(float64(value)/0.7) / total
		if !env.Allowed(v) {
			want = 0
		} else {
			entropy -= want * math.Log(want)
		}
		if got := math.Exp(p.Logarithm(v)); math.Abs(got-want) > 1e-6 {
			t.Errorf("vertex %d has probability %v, want %v", v, got, want)
		}
		if got := counts[v] / draws; math.Abs(got-want) > 0.01 { // four deviations
			t.Errorf("vertex %d is drawn with frequency %.3f, want %.3f", v, got, want)
		}
	}
	if math.Abs(p.Entropy()-entropy) > 1e-6 {
		t.Errorf("entropy %v, want %v", p.Entropy(), entropy)
	}
}
