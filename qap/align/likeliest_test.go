package align

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLikeliest: candidates are sorted by how likely they are, and equal ones stay in their order.
func TestLikeliest(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 0))
	c := newCandidates(1000, 5)
	for i := range c.count {
		for range rng.IntN(7) {
			c.add(i, rng.Int32N(50), float32(rng.IntN(40))*float32(rng.ExpFloat64()*float64(rng.IntN(2))+1e-9))
		}
	}
	var want []uint32
	for i, n := range c.count {
		for k := range n {
			want = append(want, uint32(i*c.most)+uint32(k))
		}
	}
	slices.SortStableFunc(want, func(x, y uint32) int {
		switch {
		case c.p[x] > c.p[y]:
			return -1
		case c.p[x] < c.p[y]:
			return 1
		}
		return 0
	})
	if got := c.likeliest(); !slices.Equal(got, want) {
		t.Error("another order than that of a stable sort")
	}
}

// BenchmarkGreedy tells how long a node takes with ten candidates.
func BenchmarkGreedy(b *testing.B) {
	const n = 200_000
	rng := rand.New(rand.NewPCG(1, 0))
	c := newCandidates(n, 10)
	for i := range n {
		for range c.most {
			c.add(i, rng.Int32N(n), rng.Float32())
		}
	}
	for b.Loop() {
		c.greedy(n, nil)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/node")
}
