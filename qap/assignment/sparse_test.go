package assignment

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestMaximizeSparse: the sum is that of the dense solver, and no column is assigned twice.
func TestMaximizeSparse(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for range 300 {
		n1, n2 := 1+rng.IntN(12), 1+rng.IntN(12)
		choices := make([][]Choice, n1)
		n := n1 + n2 // every row and every column may have one of its own that is worth 0
		dense := make([]float64, n*n)
		score := make([]float64, n1*n2)
		for k := range dense {
			if k/n < n1 && k%n < n2 {
				dense[k] = -1e6
			}
		}
		for i := range n1 {
			for a := range n2 {
				if rng.Float64() < .4 {
					v := float64(rng.IntN(9)-2) / 2
					choices[i] = append(choices[i], Choice{a, v})
					dense[i*n+a], score[i*n2+a] = v, v
				}
			}
		}
		assigned := MaximizeSparse(t.Context(), choices, n2)
		sum, taken := 0.0, map[int]bool{}
		for i, a := range assigned {
			if a == Unassigned {
				continue
			}
			if taken[a] {
				t.Fatal("a column twice", assigned)
			}
			taken[a] = true
			sum += score[i*n2+a]
		}
		want := 0.0
		for i, a := range new(Solver).Maximize(dense, n, n) {
			want += dense[i*n+a]
		}
		if math.Abs(sum-want) > 1e-9 {
			t.Fatalf("%v: sum %v, want %v", choices, sum, want)
		}
	}
}

// TestMaximizeSparseRounding: scores that are not exact end, too, where many rows want the same columns.
func TestMaximizeSparseRounding(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 2))
	const n = 3000
	choices := make([][]Choice, n)
	for i := range choices {
		for range 12 {
			a := min(max(i+rng.IntN(25)-12, 0), n-1)
			choices[i] = append(choices[i], Choice{a, 5 + math.Log(rng.Float64())/3})
		}
	}
	taken := map[int]bool{}
	for _, a := range MaximizeSparse(t.Context(), choices, n) {
		if a != Unassigned && taken[a] {
			t.Fatal("a column twice")
		}
		taken[a] = true
	}
}
