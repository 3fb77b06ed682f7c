package models

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestOfStateValue: the parameters that serve the state value alone move all Q of a state
// alike; of the others each has a part in the advantages.
func TestOfStateValue(t *testing.T) {
	for _, architecture := range []string{ArchitectureGain, ArchitecturePaper, ArchitectureWeighted, ArchitectureMatched} {
		rng := rand.New(rand.NewPCG(5, 6))
		n, err := New(Config{Architecture: architecture, Hidden: 6, Head: 5, Iterations: 2}, rng)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range n.Parameters() {
			for i := range p.Data {
				p.Data[i] += float32(0.1 * rng.NormFloat64())
			}
		}
		const batch, n1, n2 = 2, 3, 4
		pass := n.NewPass(batch, n1, n2)
		for _, tensor := range pass.Inputs() {
			for i := range tensor {
				tensor[i] = float32(rng.NormFloat64())
			}
		}
		advantages := func() []float64 {
			q := pass.Forward()
			a := make([]float64, len(q))
			for v := range a {
				state := q[v/(n1*n2)*n1*n2:][:n1*n2]
				a[v] = float64(q[v]) - float64(mean(state))
			}
			return a
		}
		before := advantages()
		for k, own := range OfStateValue(n) {
			p := n.Parameters()[k]
			old := append([]float32(nil), p.Data...)
			for i := range p.Data {
				p.Data[i] += float32(1 + rng.Float64())
			}
			moved := 0.0
			for v, a := range advantages() {
				moved = max(moved, math.Abs(a-before[v]))
			}
			copy(p.Data, old)
			// b3 of Paper's advantages cancels in their mean.
			if own && moved > 1e-5 || !own && moved < 1e-3 && p.Name != "b3" {
				t.Errorf("%s: of the state value alone: %v, yet %s moves advantages by %v", architecture, own, p.Name, moved)
			}
		}
	}
}
