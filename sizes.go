package rgm

import (
	"fmt"

	"github.com/rgm-go/rgm/compare"
	"github.com/rgm-go/rgm/datasets/graphs"
)

// Limits bound what a call may ask for. The zero value bounds nothing.
type Limits struct {
	Nodes       int     // of a graph
	Pairs       int     // of nodes, of what is not aligned
	EdgePairs   int     // pairs of edges that are compared (as package graphs allows); with more, graphs are aligned
	Comparisons float64 // operations that compare the nodes of two graphs
}

// LimitError is that of what is over one of the Limits.
type LimitError struct{ Reason string }

func (e *LimitError) Error() string { return e.Reason }

func tooLarge(format string, values ...any) error { return &LimitError{fmt.Sprintf(format, values...)} }

// CheckNodes returns the error of graphs that are too large.
func (l Limits) CheckNodes(n1, n2 int) error {
	if l.Nodes > 0 && max(n1, n2) > l.Nodes {
		return tooLarge("graphs of %d and %d nodes: the limit is %d", n1, n2, l.Nodes)
	}
	return nil
}

// CheckInstance returns the error of an instance that is too large.
func (l Limits) CheckInstance(n1, n2 int) error {
	if err := l.CheckNodes(n1, n2); err != nil {
		return err
	}
	if l.Pairs > 0 && float64(n1)*float64(n2) > float64(l.Pairs) {
		return tooLarge("graphs of %d and %d nodes have %.0f pairs: the limit is %d", n1, n2, float64(n1)*float64(n2), l.Pairs)
	}
	return nil
}

// checkWork returns the error of so many operations.
func (l Limits) checkWork(what string, work float64) error {
	if l.Comparisons > 0 && work > l.Comparisons {
		return tooLarge("%s %.2g operations to compare: the limit is %.2g", what, work, l.Comparisons)
	}
	return nil
}

// checkEdgePairs returns the error of two graphs that have too many pairs of edges to compare.
func (l Limits) checkEdgePairs(g1, g2 *graphs.Graph, joins compare.Joins) error {
	if pairs := float64(mostEdges(g1, g2, joins)) * float64(mostEdges(g2, g1, joins)); l.EdgePairs > 0 && pairs > float64(l.EdgePairs) {
		return tooLarge("the graphs have up to %.0f pairs of edges: the limit is %d", pairs, l.EdgePairs)
	}
	return nil
}

// comparisons returns about how many operations it takes to compare the nodes of two
// graphs: of their features all pairs, and a sorted sample for the scale of each; of
// their places the distances within each graph, of large ones those to some neighbours.
func comparisons(g1, g2 *graphs.Graph) float64 {
	const sample, sorting, neighbours = 300, 20, 1 << 12
	n1, n2 := float64(g1.Nodes), float64(g2.Nodes)
	work := 0.0
	if len(g1.Features) > 0 && len(g2.Features) > 0 {
		work += float64(len(g1.Features[0])) * (n1*n2 + sorting*min(n1, sample)*min(n2, sample))
	}
	for _, g := range []*graphs.Graph{g1, g2} {
		if len(g.Points) > 0 {
			work += float64(len(g.Points[0])) * float64(g.Nodes) * min(float64(g.Nodes), neighbours)
		}
	}
	return work
}

// mostEdges bounds the edges of a graph that are compared: those that a rule makes; by default those it
// has, or else all where the graphs are small, and at most so many neighbours of each point.
func mostEdges(g, other *graphs.Graph, joins compare.Joins) int {
	const small, neighbours = 2500, 8
	switch {
	case joins.Rule == compare.JoinComplete:
		return g.Nodes * (g.Nodes - 1) / 2
	case joins.Rule == compare.JoinNearest:
		return joins.Nearest * g.Nodes
	case joins.Rule == compare.JoinGiven:
		return len(g.Edges)
	case joins.Rule == compare.JoinAuto && g.Edges != nil && (other.Edges != nil || g.Points == nil || other.Points == nil):
		return len(g.Edges)
	case g.Points == nil:
		return 0
	case joins.Rule == compare.JoinAuto && g.Nodes*other.Nodes <= small:
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

// ways returns how many ways of two edges a graph has: an alignment looks at each.
func ways(g *graphs.Graph) (sum float64) {
	degrees := make([]float64, g.Nodes)
	for _, e := range g.Edges {
		degrees[e.I]++
		degrees[e.J]++
	}
	for _, d := range degrees {
		sum += d * d
	}
	return sum
}
