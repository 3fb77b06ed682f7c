package rewriter

import (
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/models/modeltest"
)

// rewriterSubject is a rewriter with questions of both kinds, and its definition.
func rewriterSubject(t testing.TB, rng *rand.Rand) modeltest.Subject {
	net := must.Get(models.New(models.Config{Architecture: Name, Hidden: 5, Head: 4}, rng))(t)
	for _, p := range net.Parameters() {
		for i := range p.Data {
			p.Data[i] += float32(0.3 * rng.NormFloat64())
		}
	}
	const n1, n2, in = 2, 3, Channels
	s := modeltest.Subject{Name: "rewriter", Network: net, N1: n1, N2: n2}
	values := make([]float32, n1*n2*in)
	for k := range values {
		if values[k] = float32(rng.NormFloat64()); k%in == AsksRule {
			values[k] = float32(k / in % 2)
		}
	}
	s.Inputs = [][]float32{values}
	s.Reference = func(w modeltest.Weights) (q []float64) {
		for v := range n1 * n2 {
			f := make([]float64, in)
			for k, x := range values[v*in:][:in] {
				f[k] = float64(x)
			}
			name := []string{"region", "rule"}[v%2]
			h := modeltest.Rectified(modeltest.Sum(modeltest.Product(f, w[name+".w1"]), w[name+".b1"]))
			u := modeltest.Rectified(modeltest.Sum(modeltest.Product(h, w[name+".w2"]), w[name+".b2"]))
			q = append(q, modeltest.Product(u, w[name+".w3"])[0]+w[name+".b3"][0]+modeltest.Product(f, w[name+".skip"])[0])
		}
		return q
	}
	return s
}

func TestNetwork(t *testing.T) {
	modeltest.Test(t, rewriterSubject(t, rand.New(rand.NewPCG(1, 2))))
}
