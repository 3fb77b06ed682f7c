package models

import (
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/qap/features"
)

func selectorSubject(t testing.TB, rng *rand.Rand) subject {
	net, err := New(Config{Architecture: ArchitectureSelector, Hidden: 5, Head: 4}, rng)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range net.Parameters() {
		if len(p.Shape) == 1 { // biases of 0 leave units just where a ReLU bends
			normalInit(p, 0.3, rng)
		}
	}
	const n1, n2, in = 1, 5, features.SelectorChannels
	s := subject{name: "selector", network: net, n1: n1, n2: n2}
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
			h := rectified(sum(product(f, w["choice.w1"]), w["choice.b1"]))
			u := rectified(sum(product(h, w["choice.w2"]), w["choice.b2"]))
			q = append(q, product(u, w["choice.w3"])[0]+w["choice.b3"][0])
		}
		return q
	}
	return s
}
