package compare

import (
	"context"
	"hash/fnv"
	"math"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/isomorphism"
)

// Same returns a bijection of two graphs that takes edges to edges and keeps all that both graphs have exactly: places,
// features and words of nodes, directions, weights, features, numbers and words of edges; nil where there is none, or
// none was found within the work (0 for isomorphism.DefaultWork). What nodes are called does not count, but for what
// must agree (nil for nothing).
func Same(ctx context.Context, g1, g2 *graphs.Graph, agree *Agreement, work int) qap.Matching {
	if g1.Nodes != g2.Nodes || len(g1.Edges) != len(g2.Edges) || g1.Edges == nil || g2.Edges == nil || g1.Check() != nil || g2.Check() != nil {
		return nil
	}
	made := exact(g1, g2, agree)
	if made == nil {
		return nil
	}
	return isomorphism.Compare(ctx, made[0], made[1], isomorphism.Options{MaxWork: work, NoGroup: true}).Matching
}

// exact returns two graphs with all that both have as colours, nil where they cannot be compared.
func exact(g1, g2 *graphs.Graph, agree *Agreement) []*isomorphism.Graph {
	one, two := *g1, *g2
	if _, err := byName(&one, &two); err != nil {
		return nil
	}
	var made []*isomorphism.Graph
	for k, g := range []*graphs.Graph{&one, &two} {
		other := []*graphs.Graph{&two, &one}[k]
		nodes, edges := colours(g, other)
		if agree != nil {
			mixClasses(nodes, [][]int32{agree.Nodes1, agree.Nodes2}[k])
			mixClasses(edges, [][]int32{agree.Edges1, agree.Edges2}[k])
		}
		c, err := isomorphism.NewGraph(g.Nodes, len(g.Edges), func(k int) (i, j int) { return g.Edges[k].I, g.Edges[k].J }, g.Directed && other.Directed, nodes, edges)
		if err != nil {
			return nil
		}
		made = append(made, c)
	}
	return made
}

// Equivalent returns what says whether symmetries of two graphs, which keep all that both have, take one matching to another;
// nil where that is not known.
func Equivalent(ctx context.Context, g1, g2 *graphs.Graph, agree *Agreement, o isomorphism.Options) func(m, other qap.Matching) bool {
	made := exact(g1, g2, agree)
	if made == nil {
		return nil
	}
	return func(m, other qap.Matching) bool { return isomorphism.Equivalent(ctx, made[0], made[1], m, other, o) }
}

// colours returns numbers of nodes and of edges that are equal where all is that both graphs have.
func colours(g, other *graphs.Graph) (nodes, edges []uint64) {
	nodes, edges = make([]uint64, g.Nodes), make([]uint64, len(g.Edges))
	if g.Points != nil && other.Points != nil {
		mixVectors(nodes, g.Points)
	}
	if g.Features != nil && other.Features != nil {
		mixVectors(nodes, g.Features)
	}
	mixWords(nodes, g.NodeWords)
	if g.Weights != nil && other.Weights != nil {
		mixNumbers(edges, g.Weights)
	}
	if g.Relation != nil && other.Relation != nil {
		mixVectors(edges, g.Relation)
	}
	mixWords(edges, g.EdgeWords)
	for _, a := range g.EdgeNumbers {
		mixNumbers(edges, a.Values)
	}
	return nodes, edges
}

// mixColour returns the colour of what had one and has a further property.
func mixColour(c, property uint64) uint64 {
	c = (c ^ property) * 0x9e3779b97f4a7c15
	c = (c ^ c>>29) * 0xbf58476d1ce4e5b9
	return c ^ c>>32
}

func mixClasses(colours []uint64, classes []int32) {
	for k, class := range classes {
		colours[k] = mixColour(colours[k], uint64(class))
	}
}

func mixNumbers(colours []uint64, values []float64) {
	for k, v := range values {
		colours[k] = mixColour(colours[k], math.Float64bits(v+0)) // −0 is 0
	}
}

func mixVectors(colours []uint64, vectors [][]float64) {
	for k, v := range vectors {
		for _, x := range v {
			colours[k] = mixColour(colours[k], math.Float64bits(x+0))
		}
	}
}

func mixWords(colours []uint64, words []graphs.Attribute[string]) {
	for _, a := range words {
		for k, w := range a.Values {
			h := fnv.New64a()
			h.Write([]byte(w))
			colours[k] = mixColour(colours[k], h.Sum64())
		}
	}
}
