package qap

import (
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// TestProductsOfFlows: products with Koopmans–Beckmann affinities, by rows and by lists of entries,
// symmetric or not, with diagonals and places that cost by themselves, are those with the entries
// of K; that with a matching has the bits of that with its 0/1 vector where all are integers.
func TestProductsOfFlows(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 9))
	for trial := range 64 {
		n1, n2 := 5+trial%3, 6
		matrix := func(n int, symmetric bool, share float64) []float64 {
			m := make([]float64, n*n)
			for i := range n {
				for j := range n {
					if rng.Float64() < share {
						m[i*n+j] = float64(rng.IntN(9) - 4)
					}
					if symmetric && j < i {
						m[i*n+j] = m[j*n+i]
					}
				}
			}
			return m
		}
		share := []float64{0.1, 0.9}[trial>>2&1]
		linear := matrix(8, false, 1)[:n1*n2]
		if trial>>3&1 == 0 {
			linear = nil
		}
		in := must.Get(NewKoopmansBeckmann(n1, n2, matrix(n1, trial&1 == 0, share), matrix(n2, trial>>1&1 == 0, 1.1-share), linear, Sense(trial>>4&1)))(t)
		n := n1 * n2
		x, got, want, row := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		check := func(what string) {
			for p := range n {
				in.Affinity.Row(row, p)
				want[p] = 0
				for q, v := range row {
					want[p] += v * x[q]
				}
			}
			for p := range got {
				if !near(got[p], want[p]) {
					t.Fatalf("trial %d, %s: %v at %d, want %v", trial, what, got[p], p, want[p])
				}
			}
		}
		for p := range x {
			x[p] = rng.Float64()
		}
		in.Affinity.Multiply(got, x)
		check("Multiply")
		m := randomState(in, rng)
		clear(x)
		for i, a := range m {
			if a != Unmatched {
				x[i*n2+a] = 1
			}
		}
		in.Affinity.(*KoopmansBeckmann).MultiplyMatching(got, m)
		check("MultiplyMatching")
		in.Affinity.Multiply(want, x)
		for p := range got {
			if got[p] != want[p] {
				t.Fatalf("trial %d: other bits at %d: %v, %v", trial, p, got[p], want[p])
			}
		}
	}
}

// TestProductsOfSparseGraphs: the product of two graphs of 1,000 nodes and 5,000 edges with a
// matching takes some edges a node, not 1,000 rows a node.
func TestProductsOfSparseGraphs(t *testing.T) {
	const n, edges = 1000, 5000
	rng := rand.New(rand.NewPCG(1, 2))
	graph := func() []float64 {
		m := make([]float64, n*n)
		for range edges {
			i, j := rng.IntN(n), rng.IntN(n)
			m[i*n+j], m[j*n+i] = 1, 1
		}
		return m
	}
	in := must.Get(NewKoopmansBeckmann(n, n, graph(), graph(), nil, Maximize))(t)
	dst, m, looks := make([]float64, n*n), RandomMatching(n, n, rng), 0
	look := func() bool { looks++; return false }
	if !in.Affinity.(*KoopmansBeckmann).MultiplyMatchingUntil(dst, m, look) {
		t.Fatal("stopped")
	}
	if most := 20 * n * n / workBetweenLooks; looks > most {
		t.Errorf("%d looks at the clock, want at most %d", looks, most)
	}
	stop := func() bool { return true }
	if in.Affinity.(*KoopmansBeckmann).MultiplyMatchingUntil(dst, m, stop) {
		t.Error("went on")
	}
}
