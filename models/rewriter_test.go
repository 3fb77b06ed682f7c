package models

import (
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/qap/features"
)

// rewriterSubject is a rewriter with questions of both kinds, and its definition.
func rewriterSubject(t testing.TB, rng *rand.Rand) subject {
	net, err := New(Config{Architecture: ArchitectureRewriter, Hidden: 5, Head: 4}, rng)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range net.Parameters() {
		for i := range p.Data {
			p.Data[i] += float32(0.3 * rng.NormFloat64())
		}
	}
	const n1, n2, in = 2, 3, features.RewriteChannels
	s := subject{name: "rewriter", network: net, n1: n1, n2: n2}
	values := make([]float32, n1*n2*in)
	for k := range values {
		if values[k] = float32(rng.NormFloat64()); k%in == features.AsksRule {
			values[k] = float32(k / in % 2)
		}
	}
	s.inputs = [][]float32{values}
	s.reference = func(w weights64) (q []float64) {
		for v := range n1 * n2 {
			f := make([]float64, in)
			for k, x := range values[v*in:][:in] {
				f[k] = float64(x)
			}
			name := []string{"region", "rule"}[v%2]
			h := rectified(sum(product(f, w[name+".w1"]), w[name+".b1"]))
			u := rectified(sum(product(h, w[name+".w2"]), w[name+".b2"]))
			q = append(q, product(u, w[name+".w3"])[0]+w[name+".b3"][0]+product(f, w[name+".skip"])[0])
		}
		return q
	}
	return s
}
