package align_test

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rgm-go/rgm/compare"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/networks"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

// lattice is a grid of a side, whose symmetries are 8.
func lattice(side int) graphs.Graph {
	g := graphs.Graph{Nodes: side * side}
	for i := range g.Nodes {
		if (i+1)%side > 0 {
			g.Edges = append(g.Edges, graphs.Edge{I: i, J: i + 1})
		}
		if i+side < g.Nodes {
			g.Edges = append(g.Edges, graphs.Edge{I: i, J: i + side})
		}
	}
	return g
}

// TestSameGraph: a graph and itself in another order are matched by an isomorphism, told as optimal before any swap, and
// what is said of it are the orbits: a node is sure that no symmetry moves.
func TestSameGraph(t *testing.T) {
	const side = 21
	g := lattice(side)
	shuffled, _ := networks.Noise{Seed: rand.Uint64()}.Copy(g)
	p := &align.Problem{A: structure(t, g), B: structure(t, shuffled)}
	r := solve(t, p, align.Options{})
	if r.Status != qap.Optimal || r.FoundBy != align.ByIsomorphism || r.Steps != 0 || r.Shared != p.Bound() {
		t.Errorf("%s by %s after %d steps: %d edges of %d", r.Status, r.FoundBy, r.Steps, r.Shared, p.Bound())
	}
	known := align.Assess(t.Context(), p, r.Matching)
	inGroups := 0
	for _, group := range known.Groups {
		inGroups += len(group)
	}
	const middle = 1
	if known.Automorphisms == nil || known.Automorphisms.Int64() != 8 || known.Sure != middle || inGroups != side*side-middle || !known.Matches[side*side/2].Sure() {
		t.Errorf("%v automorphisms, %d sure, %d nodes in groups", known.Automorphisms, known.Sure, inGroups)
	}

	if len(known.Ask) != 1 {
		t.Fatalf("nodes to ask of: %v, want one, off the axes of the grid", known.Ask)
	}
	p.Known = []align.Pair{{I: known.Ask[0], J: r.Matching[known.Ask[0]]}}
	settled := align.Assess(t.Context(), p, solve(t, p, align.Options{}).Matching)
	if settled.Sure != side*side || settled.Ask != nil {
		t.Errorf("with the partner of node %d known %d of %d are sure", known.Ask[0], settled.Sure, side*side)
	}

	p.Known = []align.Pair{{I: 0, J: r.Matching[0]}, {I: side - 1, J: r.Matching[side-1]}} // two corners leave nothing open
	again := solve(t, p, align.Options{})
	known = align.Assess(t.Context(), p, again.Matching)
	if again.Status != qap.Optimal || known.Sure != side*side || known.Automorphisms.Int64() != 1 || again.Matching.Right(r.Matching) != side*side {
		t.Errorf("two known corners: %s, %d of %d sure, %v automorphisms", again.Status, known.Sure, side*side, known.Automorphisms)
	}
}

// TestSameWithLoneNodes: nodes without edges, which are left out, do not hide that two graphs are the same: their exchanges count among the
// symmetries, and nobody is asked about them.
func TestSameWithLoneNodes(t *testing.T) {
	const side, lone = 7, 3
	g := lattice(side)
	g.Nodes += lone
	shuffled, _ := networks.Noise{Seed: rand.Uint64()}.Copy(g)
	p := &align.Problem{A: structure(t, g), B: structure(t, shuffled)}
	r := solve(t, p, align.Options{})
	known := align.Assess(t.Context(), p, r.Matching)
	if r.Status != qap.Optimal || known.Automorphisms == nil || known.Automorphisms.Int64() != 8*6 || known.Sure != 1 {
		t.Errorf("%s, %v automorphisms, %d sure", r.Status, known.Automorphisms, known.Sure)
	}
	for _, i := range append(slices.Concat(known.Groups...), known.Ask...) {
		if r.Matching[i] == qap.Unmatched {
			t.Errorf("node %d has no partner: groups %v, asked of %v", i, known.Groups, known.Ask)
		}
	}
	if len(known.Ask) != 1 {
		t.Errorf("asked of %v, want one node off the axes", known.Ask)
	}
}

// TestSameWeights: weights and directions count: an isomorphism keeps them, and is told as optimal.
func TestSameWeights(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	for _, directed := range []bool{false, true} {
		g := must.Get(networks.Generate("erdos-renyi", 80, 4, seed))(t)
		g.Directed = directed
		for range g.Edges {
			g.Weights = append(g.Weights, float64(1+rng.IntN(3)))
		}
		order := rng.Perm(g.Nodes)
		h := graphs.Graph{Nodes: g.Nodes, Directed: directed}
		for _, k := range rng.Perm(len(g.Edges)) {
			e := graphs.Edge{I: order[g.Edges[k].I], J: order[g.Edges[k].J]}
			h.Edges, h.Weights = append(h.Edges, e), append(h.Weights, g.Weights[k])
		}
		p := &align.Problem{A: structure(t, g), B: structure(t, h)}
		r := solve(t, p, align.Options{})
		want := p.Objective(qap.Matching(order))
		if r.Status != qap.Optimal || r.FoundBy != align.ByIsomorphism || r.Objective < want-1e-9 {
			t.Errorf("seed %d, directed %v: %s by %s, objective %v, want %v", seed, directed, r.Status, r.FoundBy, r.Objective, want)
		}
		h.Weights[0] += 1 // no isomorphism any more
		p.B = structure(t, h)
		if r := solve(t, p, steps(20_000)); r.FoundBy == align.ByIsomorphism {
			t.Errorf("seed %d, directed %v: another weight, and still found by %s", seed, directed, r.FoundBy)
		}
	}
}

// TestSameAttributes: an isomorphism keeps words of nodes: of two matchings of a ring that share all its edges it is the
// one that takes each word to itself.
func TestSameAttributes(t *testing.T) {
	const n = 30
	g := graphs.Graph{Nodes: n, NodeWords: []graphs.Attribute[string]{{Name: "kind"}}}
	for i := range n {
		g.Edges = append(g.Edges, graphs.Edge{I: i, J: (i + 1) % n})
		g.NodeWords[0].Values = append(g.NodeWords[0].Values, string(rune('a'+i*i%7)))
	}
	normalise(t, &g)
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	order := rng.Perm(n)
	h := graphs.Graph{Nodes: n, NodeWords: []graphs.Attribute[string]{{Name: "kind", Values: make([]string, n)}}}
	for i, j := range order {
		h.NodeWords[0].Values[j] = g.NodeWords[0].Values[i]
	}
	for _, e := range g.Edges {
		h.Edges = append(h.Edges, graphs.Edge{I: order[e.I], J: order[e.J]})
	}
	normalise(t, &h)
	weight := 1.0
	a := must.Get(compare.Design{NodeWeight: &weight}.Alignment(t.Context(), g, h, nil))(t)
	r := solve(t, &a.Problem, align.Options{})
	for i, j := range r.Matching {
		if g.NodeWords[0].Values[i] != h.NodeWords[0].Values[j] {
			t.Errorf("node %d, %q, is matched with %q", i, g.NodeWords[0].Values[i], h.NodeWords[0].Values[j])
		}
	}
	if r.FoundBy != align.ByIsomorphism || r.Shared != n {
		t.Errorf("found by %s, %s, %d edges", r.FoundBy, r.Status, r.Shared)
	}
}

func normalise(t *testing.T, g *graphs.Graph) {
	t.Helper()
	if err := g.Normalise(); err != nil {
		t.Fatal(err)
	}
}

func TestSymmetriesText(t *testing.T) {
	for want, order := range map[string]*big.Int{
		"1": big.NewInt(1), "1961990553600": big.NewInt(1961990553600), "9.333e+157": new(big.Int).MulRange(1, 100),
	} {
		if got := align.SymmetriesText(order); got != want {
			t.Errorf("%v is told as %s, want %s", order, got, want)
		}
	}
}
