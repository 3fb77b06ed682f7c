package isomorphism

import (
	"context"

	"github.com/rgm-go/rgm/internal/splitmix"
	"github.com/rgm-go/rgm/qap"
)

// Equivalent decides whether automorphisms of two graphs take one matching of theirs to another. What the budget does not
// settle is no equivalence.
func Equivalent(ctx context.Context, g1, g2 *Graph, m, other qap.Matching, o Options) bool {
	if m.Size() != other.Size() {
		return false
	}
	o.NoGroup = true
	return Compare(ctx, pairing(g1, g2, m), pairing(g1, g2, other), o).Verdict == Isomorphic
}

// pairing returns two graphs as one, of which matched nodes are joined.
func pairing(g1, g2 *Graph, m qap.Matching) *Graph {
	const side1, side2, matched = 0x51de1, 0x51de2, 0x3a7c4
	n1 := int32(g1.Nodes())
	g := &Graph{start: []int32{0}, edges: g1.edges + g2.edges + m.Size(), loops: g1.loops + g2.loops, label: []uint64{}}
	add := func(to int32, label uint64) { g.to, g.label = append(g.to, to), append(g.label, splitmix.Mix(label)) }
	inverse := make([]int32, g2.Nodes())
	for i, a := range m {
		if a != qap.Unmatched {
			inverse[a] = int32(i) + 1
		}
	}
	for i := range n1 {
		for e := g1.start[i]; e < g1.start[i+1]; e++ {
			add(g1.to[e], g1.weight(e))
		}
		if a := m[i]; a != qap.Unmatched {
			add(n1+int32(a), matched)
		}
		g.start, g.colours = append(g.start, int32(len(g.to))), append(g.colours, splitmix.Mix(g1.colourOf(i)^side1))
	}
	for a := range int32(g2.Nodes()) {
		if i := inverse[a]; i > 0 {
			add(i-1, matched)
		}
		for e := g2.start[a]; e < g2.start[a+1]; e++ {
			add(n1+g2.to[e], g2.weight(e))
		}
		g.start, g.colours = append(g.start, int32(len(g.to))), append(g.colours, splitmix.Mix(g2.colourOf(a)^side2))
	}
	return g
}
