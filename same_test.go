package rgm_test

import (
	"math/rand/v2"
	"testing"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

// molecule is a ring of six with a chain, with elements and bonds: benzene with a chain of oxygen and carbon.
func molecule(order []int) *graphs.Graph {
	elements := []string{"C", "C", "C", "C", "C", "C", "O", "C", "N", "C"}
	bonds := []struct {
		i, j int
		kind string
	}{{0, 1, "double"}, {1, 2, "single"}, {2, 3, "double"}, {3, 4, "single"}, {4, 5, "double"}, {0, 5, "single"}, {0, 6, "single"}, {6, 7, "single"}, {7, 8, "double"}, {8, 9, "single"}}
	g := &graphs.Graph{
		Name: "molecule", Nodes: len(elements), NodeWords: []graphs.Attribute[string]{{Name: "element", Values: make([]string, len(elements))}},
		EdgeWords: []graphs.Attribute[string]{{Name: "bond"}},
	}
	for i, e := range elements {
		g.NodeWords[0].Values[order[i]] = e
	}
	for _, b := range bonds {
		g.Edges = append(g.Edges, graphs.Edge{I: min(order[b.i], order[b.j]), J: max(order[b.i], order[b.j])})
		g.EdgeWords[0].Values = append(g.EdgeWords[0].Values, b.kind)
	}
	return g
}

// TestMatchOfTheSame: a molecule and itself in another order are matched by a bijection that keeps elements and bonds, told
// as optimal; with another bond they are compared.
func TestMatchOfTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	order := rng.Perm(10)
	plain := make([]int, len(order))
	for i := range plain {
		plain[i] = i
	}
	one, other := molecule(plain), molecule(order)
	for _, g := range []*graphs.Graph{one, other} {
		if err := g.Normalise(); err != nil {
			t.Fatal(err)
		}
	}
	r, err := rgm.Match(t.Context(), one, other, rgm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != qap.Optimal || r.FoundBy != align.ByIsomorphism || r.Matching.Right(order) != 10 || r.Aligned == nil || r.Aligned.Automorphisms != "1" {
		t.Errorf("%s by %s, %d of 10 right, %+v", r.Status, r.FoundBy, r.Matching.Right(order), r.Aligned)
	}
	other.EdgeWords[0].Values[3] = "triple"
	if r, err = rgm.Match(t.Context(), one, other, rgm.Options{MaxSteps: 50}); err != nil || r.Aligned != nil || r.Compared == nil {
		t.Errorf("with another bond: %+v, %v", r, err)
	}
}
