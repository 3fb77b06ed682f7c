package kdtree

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTree: with all leaves allowed the nearest are those of a search through all points.
func TestTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	points := make([]float32, 700*5)
	for k := range points {
		points[k] = float32(rng.IntN(20))
	}
	tree := New(points, 5, func() bool { return false })
	var q Query
	x := make([]float32, 5)
	for range 50 {
		for r := range x {
			x[r] = float32(rng.NormFloat64()*5 + 10)
		}
		var all []float32
		for i := range 700 {
			all = append(all, Squared(x, tree.Row(i)))
		}
		slices.Sort(all)
		tree.Search(x, 12, 700, &q)
		for k, f := range q.Nearest {
			if f.Distance != all[k] || Squared(x, tree.Row(int(f.ID))) != f.Distance {
				t.Fatalf("neighbour %d is at %v, want %v", k, f.Distance, all[k])
			}
		}
	}
}
