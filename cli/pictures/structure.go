package pictures

import (
	"cmp"
	"math"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// MostNodes is how many nodes of a graph a picture shows.
const MostNodes = 5000

// Views are the values of Graphs.View: auto, the zero value's, leaves the choice to the graphs.
var Views = []string{"auto", "alike", "apart"}

// placed says where the nodes of two graphs are drawn.
type placed struct {
	points [2][]graphs.Point
	alike  bool   // matched nodes are at the same place in both graphs
	about  string // for the legend
}

// places returns where the nodes of two graphs are drawn: at their own points where both have
// such; else both graphs look alike, and a node is where its partner is. A view may ask for either.
func places(g1, g2 *graphs.Graph, m qap.Matching, view string) placed {
	back := qap.NewMatching(g2.Nodes)
	for i, a := range m {
		if a != qap.Unmatched {
			back[a] = i
		}
	}
	switch {
	case view == "apart":
		return placed{points: [2][]graphs.Point{g1.Places(), g2.Places()}, about: "nodes are at their own points, or placed by the edges of their own graph"}
	case g1.Points != nil && g2.Points != nil && view != "alike":
		return placed{points: [2][]graphs.Point{g1.Places(), g2.Places()}, about: "nodes are at their own points"}
	case g1.Points != nil:
		points := g1.Places()
		return placed{[2][]graphs.Point{points, besidePartners(g2, back, points)}, true, "nodes of A are at their own points, those of B where their partners are"}
	case g2.Points != nil:
		points := g2.Places()
		return placed{[2][]graphs.Point{besidePartners(g1, m, points), points}, true, "nodes of B are at their own points, those of A where their partners are"}
	case len(g1.Edges) == 0 && len(g2.Edges) > 0:
		points2, points1 := byEdges(g2, g1, back, m)
		return placed{[2][]graphs.Point{points1, points2}, true, "nodes of B are placed by its edges, those of A where their partners are"}
	}
	points1, points2 := byEdges(g1, g2, m, back)
	return placed{[2][]graphs.Point{points1, points2}, true, "nodes of A are placed by its edges, those of B where their partners are"}
}

// byEdges places the nodes of one graph by its edges, those of the other where their partners are,
// and those without a partner by their own edges.
func byEdges(one, other *graphs.Graph, m, back qap.Matching) (points, others []graphs.Point) {
	whole := graphs.Graph{Nodes: one.Nodes, Edges: append([]graphs.Edge(nil), one.Edges...)}
	node := make([]int, other.Nodes) // of the other, in the whole
	for a, i := range back {
		if node[a] = i; i == qap.Unmatched {
			node[a] = whole.Nodes
			whole.Nodes++
		}
	}
	for _, e := range other.Edges {
		if back[e.I] == qap.Unmatched || back[e.J] == qap.Unmatched {
			whole.Edges = append(whole.Edges, graphs.Edge{I: node[e.I], J: node[e.J]})
		}
	}
	all := whole.Places()
	others = make([]graphs.Point, other.Nodes)
	for a, i := range node {
		others[a] = all[i]
	}
	return all[:one.Nodes:one.Nodes], others
}

// besidePartners returns the places of the partners of nodes; nodes without one are near the middle of
// their neighbours that have one, or in a row below all others.
func besidePartners(g *graphs.Graph, partner qap.Matching, of []graphs.Point) []graphs.Point {
	points, sums, counts := make([]graphs.Point, g.Nodes), make([]graphs.Point, g.Nodes), make([]float64, g.Nodes)
	for i, a := range partner {
		if a != qap.Unmatched {
			points[i] = of[a]
		}
	}
	beside := func(i, j int) {
		if partner[j] != qap.Unmatched {
			sums[i], counts[i] = graphs.Point{X: sums[i].X + points[j].X, Y: sums[i].Y + points[j].Y}, counts[i]+1
		}
	}
	for _, e := range g.Edges {
		beside(e.I, e.J)
		beside(e.J, e.I)
	}
	low, high := graphs.Bounds(of)
	// Not at one place where they have the same neighbours.
	step := cmp.Or(max(high.X-low.X, high.Y-low.Y), 1) / math.Sqrt(float64(len(of)+1))
	below := 0
	for i, a := range partner {
		switch {
		case a != qap.Unmatched:
		case counts[i] > 0:
			sin, cos := math.Sincos(2.4 * float64(i))
			points[i] = graphs.Point{X: sums[i].X/counts[i] + step*cos/3, Y: sums[i].Y/counts[i] + step*sin/3}
		default:
			points[i] = graphs.Point{X: low.X + step*float64(below), Y: low.Y - step}
			below++
		}
	}
	return points
}
