package align_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

// TestAssignment: whatever the graphs, flows and distances value a matching as the alignment does,
// each side of an edge once, and what the smaller graph lacks is unmatched.
func TestAssignment(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	random := func(n int, directed bool) *align.Graph {
		edges, weights := make([][2]int, 3*n), make([]float64, 3*n)
		for k := range edges {
			edges[k], weights[k] = [2]int{rng.IntN(n), rng.IntN(n)}, float64(1+rng.IntN(4))
		}
		g, err := align.NewGraph(n, len(edges), func(k int) (i, j int) { return edges[k][0], edges[k][1] }, weights, directed)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for _, sizes := range [][2]int{{7, 7}, {5, 9}, {9, 5}} {
		for _, directed := range []bool{false, true} {
			p := align.Problem{A: random(sizes[0], directed), B: random(sizes[1], directed)}
			in, err := p.Assignment()
			if err != nil {
				t.Fatal(err)
			}
			n, _ := in.Size()
			m := qap.RandomMatching(n, n, rng)
			told := p.Assigned(m)
			if got, want := in.Objective(in.Score(m)), float64(p.Sides())*p.Objective(told); got != want {
				t.Errorf("%v, directed %v: flows and distances give %v, the alignment %v", sizes, directed, got, want)
			}
			if len(told) != sizes[0] || told.Size() != min(sizes[0], sizes[1]) {
				t.Errorf("%v: %d of %d nodes are matched", sizes, told.Size(), len(told))
			}
		}
	}
	p := align.Problem{A: random(align.MostAssigned+1, false), B: random(4, false)}
	if _, err := p.Assignment(); !errors.Is(err, qap.ErrUnsupported) {
		t.Errorf("%d nodes: error %v", p.A.Nodes(), err)
	}
}
