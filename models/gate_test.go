package models

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/qap/features"
)

// gateSubject is a gate with inputs, and its definition for each row of them.
func gateSubject(t testing.TB, rng *rand.Rand) subject {
	return rowSubject(t, ArchitectureGate, "gate", 2, 3, features.GateChannels, rng)
}

// TestStandardizeGate: a gate that is given inputs as they are answers as it did for
// standardised ones.
func TestStandardizeGate(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	s := gateSubject(t, rng)
	const in = features.GateChannels
	mean, scale := make([]float32, in), make([]float32, in)
	for k := range mean {
		mean[k], scale[k] = float32(rng.NormFloat64()), float32(0.5+rng.Float64())
	}
	before, after := s.network.NewPass(1, s.n1, s.n2), s.network.NewPass(1, s.n1, s.n2)
	copy(after.Inputs()[0], s.inputs[0])
	for k, x := range s.inputs[0] {
		before.Inputs()[0][k] = (x - mean[k%in]) / scale[k%in]
	}
	want := before.Forward()
	s.network.(*Gate).Standardize(mean, scale)
	for v, q := range after.Forward() {
		if math.Abs(float64(q-want[v])) > 1e-4 {
			t.Errorf("Q[%d] is %v, want %v", v, q, want[v])
		}
	}
}
