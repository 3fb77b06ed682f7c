package serve

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// Graph is one of two graphs to match. What is compared comes from what they have, as
// by rgm match.
type Graph struct {
	Points   *Matrix `json:"points,omitempty" doc:"a place for each node: [x, y], or of more coordinates"`
	Edges    *Matrix `json:"edges,omitempty" doc:"pairs [i, j] of nodes, from 0 (of points: chosen)"`
	Features *Matrix `json:"features,omitempty" doc:"a vector for each node"`
}

// maxEdgePairs bounds the pairs of edges that are compared: an affinity takes up to
// perEdgePair bytes a pair while it is made.
const (
	maxEdgePairs = 2_000_000
	perEdgePair  = 100
)

// matchGraphs returns the problem of matching two graphs.
func matchGraphs(ctx context.Context, graph1, graph2 *Graph, limits limits) (*qap.Instance, error) {
	var both [2]graphs.Graph
	for k, g := range []*Graph{graph1, graph2} {
		pointer := fmt.Sprintf("/instance/graph%d", k+1)
		if g == nil {
			return nil, invalid(pointer, "the graph is missing")
		}
		n := max(g.Points.length(), g.Features.length())
		if err := g.check(n, pointer); err != nil {
			return nil, err
		}
		both[k] = graphs.Graph{Name: fmt.Sprintf("graph%d", k+1), Nodes: n, Points: g.Points.rows(), Features: g.Features.rows(), Edges: g.edges()}
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
	case len(g.Points[0]) == 2: // of a triangulation, in which points at one place have the same neighbours
		at, most := map[[2]float64]int{}, 0
		for _, p := range g.Points {
			place := [2]float64(p)
			at[place]++
			most = max(most, at[place])
		}
		return min(3*g.Nodes*most*most, g.Nodes*(g.Nodes-1)/2)
	}
	return neighbours * g.Nodes
}

// check returns the problem of a graph of n nodes.
func (g *Graph) check(n int, pointer string) error {
	if n == 0 {
		return invalid(pointer, "want points or features of at least one node")
	}
	for _, part := range []struct {
		name string
		m    *Matrix
	}{{"points", g.Points}, {"features", g.Features}} {
		switch {
		case part.m == nil:
		case part.m.Rows != n:
			return invalid(pointer+"/"+part.name, "%d rows for %d nodes", part.m.Rows, n)
		case part.m.Cols == 0:
			return invalid(pointer+"/"+part.name, "no numbers: want one a node at least")
		}
	}
	if g.Edges != nil && g.Edges.Rows > 0 && g.Edges.Cols != 2 {
		return invalid(pointer+"/edges/0", "%d numbers: want two nodes [i, j]", g.Edges.Cols)
	}
	for k, e := range g.Edges.rows() {
		node := func(v float64) bool { return v == math.Trunc(v) && v >= 0 && v < float64(n) }
		if !node(e[0]) || !node(e[1]) || e[0] == e[1] {
			return invalid(fmt.Sprintf("%s/edges/%d", pointer, k), "[%v, %v]: want two nodes from 0 to %d", e[0], e[1], n-1)
		}
	}
	return nil
}

// edges returns the edges, sorted, each once.
func (g *Graph) edges() []graphs.Edge {
	if g.Edges == nil {
		return nil
	}
	edges := make([]graphs.Edge, g.Edges.Rows)
	for k, e := range g.Edges.rows() {
		edges[k] = graphs.Edge{I: int(min(e[0], e[1])), J: int(max(e[0], e[1]))}
	}
	slices.SortFunc(edges, func(x, y graphs.Edge) int {
		if x.I != y.I {
			return x.I - y.I
		}
		return x.J - y.J
	})
	return slices.Compact(edges)
}
