package qap

import (
	"math/rand/v2"
	"testing"
)

// TestReduce: each release is the best one, by recomputed scores.
func TestReduce(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	const n1, n2 = 6, 7
	k := make([]float64, n1*n2*n1*n2)
	for e := range k {
		k[e] = rng.NormFloat64()
	}
	in, err := NewDense(n1, n2, k, Maximize)
	if err != nil {
		t.Fatal(err)
	}
	m := RandomMatching(n1, n2, rng)
	for size := n1; size >= 0; size-- {
		reduced := in.Reduce(m, size)
		if reduced.Size() != size {
			t.Fatalf("%d matches, want %d", reduced.Size(), size)
		}
		if size == 0 {
			break
		}
		next := in.Score(in.Reduce(m, size-1))
		for i, a := range reduced {
			if a == Unmatched {
				continue
			}
			reduced[i] = Unmatched
			if score := in.Score(reduced); score > next+1e-12 {
				t.Errorf("%d matches: releasing node %d leaves %v, Reduce %v", size, i, score, next)
			}
			reduced[i] = a
		}
	}
}
