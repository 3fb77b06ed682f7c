package serve

import (
	"context"
	"fmt"
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// Graph is one of two graphs to match. What is compared comes from what they have, as
// by rgm match.
type Graph struct {
	Points   [][]float64 `json:"points,omitempty" doc:"a place for each node: [x, y], or of more coordinates"`
	Edges    [][]int     `json:"edges,omitempty" doc:"pairs [i, j] of nodes, from 0 (of points: chosen)"`
	Features [][]float64 `json:"features,omitempty" doc:"a vector for each node"`
}

// maxEdgePairs bounds the pairs of edges that are compared: an affinity takes up to
// 100 bytes a pair while it is made.
const maxEdgePairs = 2_000_000

// matchGraphs returns the problem of matching two graphs.
func matchGraphs(ctx context.Context, graph1, graph2 *Graph, limits limits) (*qap.Instance, error) {
	var both [2]graphs.Graph
	for k, g := range []*Graph{graph1, graph2} {
		pointer := fmt.Sprintf("/instance/graph%d", k+1)
		if g == nil {
			return nil, invalid(pointer, "the graph is missing")
		}
		n := max(len(g.Points), len(g.Features))
		if err := g.check(n, pointer); err != nil {
			return nil, err
		}
		both[k] = graphs.Graph{Name: fmt.Sprintf("graph%d", k+1), Nodes: n, Points: g.Points, Features: g.Features, Edges: g.edges()}
	}
	n1, n2 := both[0].Nodes, both[1].Nodes
	if err := limits.checkNodes(n1, n2); err != nil {
		return nil, err
	}
	if pairs := mostEdges(&both[0], n1*n2) * mostEdges(&both[1], n1*n2); pairs > maxEdgePairs {
		return nil, tooLarge("/instance", "the graphs have up to %d pairs of edges: the limit is %d", pairs, maxEdgePairs)
	}
	if work := comparisons(&both[0], &both[1]); work > maxComparisons {
		return nil, tooLarge("/instance", "features or points of so many numbers take %.2g operations to compare: the limit is %.2g", work, float64(maxComparisons))
	}
	p, err := graphs.Design{}.Problem(ctx, both[0], both[1])
	if ctx.Err() != nil {
		return nil, err
	}
	return orInvalid("/instance")(p.Instance, err)
}

// maxComparisons bounds the operations that compare nodes by their features and places:
// some seconds.
const maxComparisons = 1 << 30

// comparisons returns about how many operations it takes to compare the nodes of two
// graphs: of their features all pairs, and a sorted sample for the scale of each; of
// their places the distances within each graph.
func comparisons(g1, g2 *graphs.Graph) float64 {
	const sample, sorting = 300, 20
	n1, n2 := float64(g1.Nodes), float64(g2.Nodes)
	work := 0.0
	if len(g1.Features) > 0 && len(g2.Features) > 0 {
		work += float64(len(g1.Features[0])) * (n1*n2 + sorting*min(n1, sample)*min(n2, sample))
	}
	for _, g := range []*graphs.Graph{g1, g2} {
		if len(g.Points) > 0 {
			work += float64(len(g.Points[0])) * float64(g.Nodes) * float64(g.Nodes)
		}
	}
	return work
}

// mostEdges bounds the edges of a graph that are compared: those it has, or else all
// where the graphs are small, and at most so many neighbours of each point.
func mostEdges(g *graphs.Graph, vertices int) int {
	const small, neighbours = 2500, 8
	switch {
	case g.Edges != nil:
		return len(g.Edges)
	case g.Points == nil:
		return 0
	case vertices <= small:
		return g.Nodes * (g.Nodes - 1) / 2
	case len(g.Points[0]) == 2:
		return 3 * g.Nodes // of a triangulation
	}
	return neighbours * g.Nodes
}

// check returns the problem of a graph of n nodes.
func (g *Graph) check(n int, pointer string) error {
	switch {
	case n == 0:
		return invalid(pointer, "want points or features of at least one node")
	case g.Points != nil && len(g.Points) != n:
		return invalid(pointer+"/points", "%d points for %d nodes", len(g.Points), n)
	case g.Features != nil && len(g.Features) != n:
		return invalid(pointer+"/features", "%d vectors for %d nodes", len(g.Features), n)
	}
	for _, vectors := range []struct {
		name string
		of   [][]float64
	}{{"points", g.Points}, {"features", g.Features}} {
		for i, v := range vectors.of {
			if len(v) == 0 || len(v) != len(vectors.of[0]) {
				return invalid(fmt.Sprintf("%s/%s/%d", pointer, vectors.name, i), "%d numbers: want as many as in the first one, and one at least", len(v))
			}
		}
	}
	for k, e := range g.Edges {
		place := fmt.Sprintf("%s/edges/%d", pointer, k)
		if len(e) != 2 {
			return invalid(place, "%d numbers: want two nodes [i, j]", len(e))
		}
		if min(e[0], e[1]) < 0 || max(e[0], e[1]) >= n || e[0] == e[1] {
			return invalid(place, "[%d, %d]: want two nodes from 0 to %d", e[0], e[1], n-1)
		}
	}
	return nil
}

// edges returns the edges, sorted, each once.
func (g *Graph) edges() []graphs.Edge {
	if g.Edges == nil {
		return nil
	}
	edges := make([]graphs.Edge, len(g.Edges))
	for k, e := range g.Edges {
		edges[k] = graphs.Edge{I: min(e[0], e[1]), J: max(e[0], e[1])}
	}
	slices.SortFunc(edges, func(x, y graphs.Edge) int {
		if x.I != y.I {
			return x.I - y.I
		}
		return x.J - y.J
	})
	return slices.Compact(edges)
}
