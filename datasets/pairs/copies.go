package pairs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// leastCommon is how many nodes of a graph both copies keep at least.
const leastCommon = 4

// Copies returns two noisy copies of a graph, and which node of one is which of the other. Of points without edges
// each copy has strangers in place of some, in the box of all points, with the attributes of other points; of graphs with edges
// each copy lacks other nodes. The nodes of both are in random orders and have no names.
func (n Noise) Copies(g *graphs.Graph, rng *rand.Rand) (g1, g2 graphs.Graph, truth qap.Matching, err error) {
	common, own := g.Nodes, 0 // nodes that both have, and that only one has
	share := min(max(n.Strangers, 0), 0.9)
	if g.Edges == nil {
		own = max(min(int(math.Round(share*float64(common))), common-leastCommon), 0)
		common -= own
	} else {
		own = min(int(math.Round(share*float64(common)/(1+share))), (common-leastCommon)/2)
		common -= 2 * max(own, 0)
	}
	own = max(own, 0)
	order := rng.Perm(g.Nodes)
	made := [2]graphs.Graph{}
	var at [2][]int // where each common node is
	for k := range made {
		nodes := slices.Clone(order[:common])
		for s := range own {
			if g.Edges == nil {
				nodes = append(nodes, order[rng.IntN(g.Nodes)])
			} else {
				nodes = append(nodes, order[common+k*own+s])
			}
		}
		perm := rng.Perm(len(nodes))
		shuffled := make([]int, len(nodes))
		for from, to := range perm {
			shuffled[to] = nodes[from]
		}
		at[k] = perm[:common]
		made[k] = part(g, shuffled)
		if g.Edges == nil {
			place(&made[k], perm[common:], g.Points, rng)
		}
		n.disturb(&made[k], rng)
		made[k].Name = fmt.Sprintf("%s copy %d", g.Name, k+1)
		if err := made[k].Normalise(); err != nil {
			return g1, g2, nil, err
		}
	}
	truth = qap.NewMatching(made[0].Nodes)
	for k := range at[0] {
		truth[at[0][k]] = at[1][k]
	}
	return made[0], made[1], truth, nil
}

// part returns a graph of some nodes of another, in an order, with copies of all that it has but names.
func part(g *graphs.Graph, nodes []int) graphs.Graph {
	p := graphs.Graph{Nodes: len(nodes), Directed: g.Directed, PointNames: g.PointNames, FeatureNames: g.FeatureNames}
	p.Points, p.Features = vectorsOf(g.Points, nodes), vectorsOf(g.Features, nodes)
	for _, a := range g.NodeWords {
		p.NodeWords = append(p.NodeWords, graphs.Attribute[string]{Name: a.Name, Values: valuesOf(a.Values, nodes)})
	}
	if g.Edges == nil {
		return p
	}
	at := make(map[int]int, len(nodes))
	for k, i := range nodes {
		at[i] = k
	}
	var edges []int
	p.Edges = []graphs.Edge{}
	for k, e := range g.Edges {
		i, has1 := at[e.I]
		j, has2 := at[e.J]
		if has1 && has2 {
			edges, p.Edges = append(edges, k), append(p.Edges, ordered(graphs.Edge{I: i, J: j}, g.Directed))
		}
	}
	p.Weights, p.Relation = valuesOf(g.Weights, edges), vectorsOf(g.Relation, edges)
	for _, a := range g.EdgeWords {
		p.EdgeWords = append(p.EdgeWords, graphs.Attribute[string]{Name: a.Name, Values: valuesOf(a.Values, edges)})
	}
	for _, a := range g.EdgeNumbers {
		p.EdgeNumbers = append(p.EdgeNumbers, graphs.Attribute[float64]{Name: a.Name, Values: valuesOf(a.Values, edges)})
	}
	return p
}

// ordered returns an edge as graphs have it.
func ordered(e graphs.Edge, directed bool) graphs.Edge {
	if !directed && e.I > e.J {
		e.I, e.J = e.J, e.I
	}
	return e
}

func valuesOf[T any](values []T, of []int) []T {
	if values == nil {
		return nil
	}
	some := make([]T, len(of))
	for k, i := range of {
		some[k] = values[i]
	}
	return some
}

func vectorsOf(vectors [][]float64, of []int) [][]float64 {
	some := valuesOf(vectors, of)
	for k := range some {
		some[k] = slices.Clone(some[k])
	}
	return some
}

// place puts some points anywhere in the box of others.
func place(g *graphs.Graph, some []int, others [][]float64, rng *rand.Rand) {
	for c := range graphs.Width(others) {
		low, high := others[0][c], others[0][c]
		for _, p := range others {
			low, high = min(low, p[c]), max(high, p[c])
		}
		for _, i := range some {
			g.Points[i][c] = low + (high-low)*rng.Float64()
		}
	}
}

// disturb adds noise to all that a graph has.
func (n Noise) disturb(g *graphs.Graph, rng *rand.Rand) {
	if g.Points != nil && n.Places > 0 {
		var all []float64
		for i, p := range g.Points {
			for _, q := range g.Points[:i] {
				all = append(all, apart(p, q))
			}
		}
		size := n.Places * median(all)
		for _, p := range g.Points {
			for c := range p {
				p[c] += size * rng.NormFloat64()
			}
		}
	}
	column := func(count int, at func(int) *float64) {
		values := make([]float64, count)
		for k := range values {
			values[k] = *at(k)
		}
		size := n.Numbers * spreadOf(values)
		for k := range values {
			*at(k) += size * rng.NormFloat64()
		}
	}
	for _, of := range [][][]float64{g.Features, g.Relation} {
		for c := range graphs.Width(of) {
			column(len(of), func(k int) *float64 { return &of[k][c] })
		}
	}
	column(len(g.Weights), func(k int) *float64 { return &g.Weights[k] })
	for _, a := range g.EdgeNumbers {
		column(len(a.Values), func(k int) *float64 { return &a.Values[k] })
	}
	for _, of := range [][]graphs.Attribute[string]{g.NodeWords, g.EdgeWords} {
		for _, a := range of {
			n.rename(a.Values, rng)
		}
	}
	n.rewire(g, rng)
}

// half is the share of things that change in one of two copies where a share differs between both.
func half(share float64) float64 { return 1 - math.Sqrt(1-min(max(share, 0), 1)) }

// rename gives some words the value of another node or edge.
func (n Noise) rename(words []string, rng *rand.Rand) {
	before := slices.Clone(words)
	for k := range words {
		if rng.Float64() < half(n.Words) {
			words[k] = before[rng.IntN(len(words))]
		}
	}
}

// rewire moves some edges between random nodes that are not joined.
func (n Noise) rewire(g *graphs.Graph, rng *rand.Rand) {
	has := make(map[graphs.Edge]bool, len(g.Edges))
	for _, e := range g.Edges {
		has[e] = true
	}
	for k, e := range g.Edges {
		if rng.Float64() >= half(n.Edges) {
			continue
		}
		for range 10 { // or it stays
			other := ordered(graphs.Edge{I: rng.IntN(g.Nodes), J: rng.IntN(g.Nodes)}, g.Directed)
			if other.I != other.J && !has[other] {
				delete(has, e)
				has[other], g.Edges[k] = true, other
				break
			}
		}
	}
}
