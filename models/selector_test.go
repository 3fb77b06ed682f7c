package models

import (
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/qap/features"
)

func selectorSubject(t testing.TB, rng *rand.Rand) subject {
	return rowSubject(t, ArchitectureSelector, "choice", 1, 5, features.SelectorChannels, rng)
}

// rowSubject is a perceptron that answers for each row of its inputs, whose weights begin
// with a prefix, and its definition.
func rowSubject(t testing.TB, architecture, prefix string, n1, n2, in int, rng *rand.Rand) subject {
	net, err := New(Config{Architecture: architecture, Hidden: 5, Head: 4}, rng)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range net.Parameters() {
		if len(p.Shape) == 1 { // biases of 0 leave units just where a ReLU bends
			normalInit(p, 0.3, rng)
		}
	}
	s := subject{name: architecture, network: net, n1: n1, n2: n2}
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
			h := rectified(sum(product(f, w[prefix+".w1"]), w[prefix+".b1"]))
			u := rectified(sum(product(h, w[prefix+".w2"]), w[prefix+".b2"]))
			q = append(q, product(u, w[prefix+".w3"])[0]+w[prefix+".b3"][0])
		}
		return q
	}
	return s
}
