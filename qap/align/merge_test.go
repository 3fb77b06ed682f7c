package align

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// TestMerge: what two matchings have together is at least as good as either, its score is the sum that merge
// tells, and no partner is lost or had twice.
func TestMerge(t *testing.T) {
	parts := 0
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 0x3e46))
		n1 := 20 + rng.IntN(200)
		n2 := n1 + 1 + rng.IntN(20)
		edges := make([][2]int, 3*n1/2)
		for k := range edges {
			i := rng.IntN(n1)
			edges[k] = [2]int{i, (i + 1 + rng.IntN(n1-1)) % n1}
		}
		graph := func(n int) *Graph {
			return must.Get(NewGraph(n, len(edges), func(k int) (i, j int) { return edges[k][0], edges[k][1] }, nil, false))(t)
		}
		e := newEngine(&Problem{A: graph(n1), B: graph(n2)})
		wrong := func() matching {
			m := newMatching(n1)
			for i := range m {
				m[i] = int32(i)
			}
			for range 1 + rng.IntN(n1/10) {
				i, k := rng.IntN(n1), rng.IntN(n1)
				m[i], m[k] = m[k], m[i]
			}
			m[rng.IntN(n1)] = int32(n2 - 1 + rng.IntN(2)) // a free node, or none
			return m
		}
		m, other := wrong(), wrong()
		s := e.newSwaps(e.matched(append(matching(nil), m...)), seed)
		value := func(m matching) float64 { return e.value(s.matched(append(matching(nil), m...))) }
		before, rival := value(m), value(other)
		merged := append(matching(nil), m...)
		gain := newMerger(s).merge(merged, other)
		score := value(merged)
		if math.Abs(score-before-gain) > 1e-9 || score < before || score < rival {
			t.Errorf("seed %d: %v with a gain of %v, from %v and %v", seed, score, gain, before, rival)
		}
		if score > max(before, rival) {
			parts++
		}
		taken := map[int32]bool{}
		for i, j := range merged {
			if j != m[i] && j != other[i] || int(j) < n2 && taken[j] {
				t.Fatalf("seed %d: node %d has partner %d", seed, i, j)
			}
			taken[j] = true
		}
	}
	if parts < 10 {
		t.Errorf("%d of 30 are better than both: want at least 10", parts)
	}
}
