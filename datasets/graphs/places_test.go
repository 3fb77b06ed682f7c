package graphs

import (
	"math/rand/v2"
	"testing"
)

// TestPartsAreDrawnApart: connected parts have places whose boxes do not meet, and no two nodes of a
// graph have the same place.
func TestPartsAreDrawnApart(t *testing.T) {
	for range 30 {
		seed := rand.Uint64()
		rng := rand.New(rand.NewPCG(seed, 1))
		g := Graph{Nodes: 2 + rng.IntN(80)}
		for range 1 + rng.IntN(2*g.Nodes) {
			if i, j := rng.IntN(g.Nodes), rng.IntN(g.Nodes); i != j {
				g.Edges = append(g.Edges, Edge{I: i, J: j})
			}
		}
		if len(g.Edges) == 0 {
			continue
		}
		at := g.Places()
		parts := connected(g.nextNodes())
		var boxes [][2]Point
		for _, part := range parts {
			var points []Point
			for _, i := range part {
				points = append(points, at[i])
			}
			low, high := Bounds(points)
			boxes = append(boxes, [2]Point{low, high})
		}
		for k, a := range boxes {
			for l, b := range boxes[:k] {
				if a[0].X <= b[1].X && b[0].X <= a[1].X && a[0].Y <= b[1].Y && b[0].Y <= a[1].Y {
					t.Errorf("seed %d: parts %v and %v are drawn over each other", seed, parts[k], parts[l])
				}
			}
		}
		seen := map[Point]int{}
		for i, p := range at {
			if j, met := seen[p]; met {
				t.Errorf("seed %d: nodes %d and %d are both at %v", seed, i, j, p)
			}
			seen[p] = i
		}
	}
}
