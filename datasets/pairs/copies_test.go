package pairs_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/datasets/graphs"
	. "github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/qap"
)

// things returns points with a number and a word each and, where joined, edges with the same.
func things(n int, joined bool, rng *rand.Rand) graphs.Graph {
	g := graphs.Graph{Name: "things", Nodes: n}
	words, bonds, numbers := make([]string, n), []string{}, []float64{}
	for i := range n {
		words[i] = fmt.Sprint(rng.IntN(3))
		g.Points = append(g.Points, []float64{100 * rng.Float64(), 100 * rng.Float64()})
		g.Features = append(g.Features, []float64{rng.NormFloat64()})
		g.Names = append(g.Names, fmt.Sprint("n", i))
	}
	g.NodeWords = []graphs.Attribute[string]{{Name: "colour", Values: words}}
	for i := range n {
		for j := range i {
			if joined && rng.Float64() < .1 {
				g.Edges = append(g.Edges, graphs.Edge{I: j, J: i})
				bonds, numbers = append(bonds, fmt.Sprint(rng.IntN(2))), append(numbers, rng.NormFloat64())
				g.Weights = append(g.Weights, rng.NormFloat64())
			}
		}
	}
	if joined {
		g.EdgeWords, g.EdgeNumbers = []graphs.Attribute[string]{{Name: "kind", Values: bonds}}, []graphs.Attribute[float64]{{Name: "size", Values: numbers}}
	}
	return g
}

// TestCopiesAreAsNoisy: what is measured of copies by their truth is the noise that they were made with.
func TestCopiesAreAsNoisy(t *testing.T) {
	for _, joined := range []bool{false, true} {
		rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
		want := Noise{Places: .05, Numbers: .2, Words: .2, Strangers: .25}
		if joined {
			want.Edges = .2
		}
		var sum Noise
		const count = 60
		for range count {
			g := things(40, joined, rng)
			before := fmt.Sprint(g)
			g1, g2, truth, err := want.Copies(&g, rng)
			if err != nil || g1.Check() != nil || g2.Check() != nil || g1.Names != nil || fmt.Sprint(g) != before {
				t.Fatal("wrong graphs", err)
			}
			n := Estimate(&g1, &g2, truth)
			sum.Places += n.Places / count
			sum.Numbers += n.Numbers / count
			sum.Words += n.Words / count
			sum.Edges += n.Edges / count
			sum.Strangers += n.Strangers / count
		}
		// Edges that move may go where the other copy has one. Words that change may become what they were, one of three or of two: .2 of them differ less.
		for name, of := range map[string][3]float64{
			"places": {sum.Places, .85 * want.Places, 1.15 * want.Places}, "numbers": {sum.Numbers, .8 * want.Numbers, 1.2 * want.Numbers},
			"words": {sum.Words, .08, .16}, "edges": {sum.Edges, .7*want.Edges - 1e-9, 1.15*want.Edges + 1e-9}, "strangers": {sum.Strangers, .22, .28},
		} {
			if of[0] < of[1] || of[0] > of[2] {
				t.Errorf("joined %v: %s %.3f, want %.3f to %.3f", joined, name, of[0], of[1], of[2])
			}
		}
	}
}

// TestCopiesWithoutNoise: they are the same but for the order of their nodes, also of small graphs and whatever the share
// of strangers is.
func TestCopiesWithoutNoise(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 2))
	for range 100 {
		g := things(1+rng.IntN(9), rng.IntN(2) == 0, rng)
		g1, g2, truth, err := Noise{Strangers: rng.Float64()}.Copies(&g, rng)
		if err != nil {
			t.Fatal(err)
		}
		if truth.Size() < min(4, g.Nodes) {
			t.Errorf("%d of %d nodes in both", truth.Size(), g.Nodes)
		}
		for i, a := range truth {
			if a != qap.Unmatched && !slices.Equal(g1.Points[i], g2.Points[a]) {
				t.Errorf("node %d is at %v and %v", i, g1.Points[i], g2.Points[a])
			}
		}
		if n := Estimate(&g1, &g2, truth); n.Places > 1e-9 || n.Numbers > 1e-9 || n.Words > 0 || math.Abs(n.Edges) > 1e-9 {
			t.Errorf("noise %+v", n)
		}
	}
}
