package networks

import (
	"math"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
)

// TestGenerate: graphs are valid, of nearly the degree that is wanted, and a seed gives one.
func TestGenerate(t *testing.T) {
	for _, kind := range Kinds() {
		g := must.Get(Generate(kind, 2000, 10, 1))(t)
		again, _ := Generate(kind, 2000, 10, 1)
		degree := 2 * float64(len(g.Edges)) / 2000
		if err := g.Check(); err != nil || math.Abs(degree-10) > 1 || !slices.Equal(g.Edges, again.Edges) {
			t.Errorf("%s: mean degree %v, error %v", kind, degree, err)
		}
	}
	for _, size := range []float64{0.5, 2, math.NaN()} {
		if _, err := Generate("geometric", 3, size, 1); err == nil {
			t.Errorf("3 nodes of mean degree %v", size)
		}
	}
	if _, err := Generate("lattice", 10, 2, 1); err == nil {
		t.Error("a model of an unknown name")
	}
}

// TestCopy: the truth takes the edges of the copy to edges of the graph, so many are gone,
// and no node has lost its last.
func TestCopy(t *testing.T) {
	g := must.Get(Generate("barabasi-albert", 500, 4, 2))(t)
	for _, noise := range []Noise{{Removed: 0.25, Seed: 1}, {Removed: 0.05, Gone: 0.1, Seed: 2}} {
		noisy, truth := noise.Copy(g)
		back := qap.NewMatching(noisy.Nodes)
		for i, j := range truth {
			if j != qap.Unmatched {
				back[j] = i
			}
		}
		degree := make([]int, noisy.Nodes)
		for _, e := range noisy.Edges {
			degree[e.I]++
			degree[e.J]++
			i, j := back[e.I], back[e.J]
			if _, found := slices.BinarySearchFunc(g.Edges, graphs.Edge{I: min(i, j), J: max(i, j)}, func(x, y graphs.Edge) int {
				if x.I != y.I {
					return x.I - y.I
				}
				return x.J - y.J
			}); !found {
				t.Fatalf("the copy joins %v, the graph not %d and %d", e, i, j)
			}
		}
		if gone := 1 - float64(len(noisy.Edges))/float64(len(g.Edges)); noise.Gone == 0 && (gone < 0.2 || gone > 0.25 || slices.Min(degree) < 1) {
			t.Errorf("%d of %d edges are left, the least degree is %d", len(noisy.Edges), len(g.Edges), slices.Min(degree))
		}
		if noise.Gone > 0 && noisy.Nodes != 450 {
			t.Errorf("%d of 500 nodes are left", noisy.Nodes)
		}
	}
}
