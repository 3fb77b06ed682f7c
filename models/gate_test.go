package models

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/qap/features"
)

// gateSubject is a gate with inputs, and its definition for each row of them.
func gateSubject(t testing.TB, rng *rand.Rand) subject {
	net, err := New(Config{Architecture: ArchitectureGate, Hidden: 5, Head: 4}, rng)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range net.Parameters() {
		if len(p.Shape) == 1 {
			normalInit(p, 0.3, rng)
		}
	}
	const n1, n2, in = 2, 3, features.GateChannels
	s := subject{name: "gate", network: net, n1: n1, n2: n2}
	values := make([]float32, n1*n2*in)
	for k := range values {
		values[k] = float32(rng.NormFloat64())
	}
	s.inputs = [][]float32{values}
	s.reference = func(w weights64) (q []float64) {
		for v := range n1 * n2 {
			f := make([]float64, in)
			for k, x := range values[v*in:][:in] {
				f[k] = float64(x)
			}
			h := rectified(sum(product(f, w["gate.w1"]), w["gate.b1"]))
			u := rectified(sum(product(h, w["gate.w2"]), w["gate.b2"]))
			q = append(q, product(u, w["gate.w3"])[0]+w["gate.b3"][0])
		}
		return q
	}
	return s
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
