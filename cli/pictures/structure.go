package pictures

import (
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// MostNodes is how many nodes of a graph a picture shows.
const MostNodes = 5000

// places returns where the nodes of two graphs are drawn: at their own places; those of a
// graph without, at the places of their partners, or where its edges put them.
func places(g1, g2 *graphs.Graph, m qap.Matching) (points1, points2 []graphs.Point) {
	back := qap.NewMatching(g2.Nodes)
	for i, a := range m {
		if a != qap.Unmatched {
			back[a] = i
		}
	}
	if g1.Points == nil && g2.Points != nil {
		points2 = g2.Places()
		return besidePartners(g1, m, points2), points2
	}
	if points1 = g1.Places(); g2.Points != nil {
		return points1, g2.Places()
	}
	return points1, besidePartners(g2, back, points1)
}

// besidePartners returns the places of the partners of nodes; nodes without one are in the
// middle of their neighbours that have, or of all.
func besidePartners(g *graphs.Graph, partner qap.Matching, of []graphs.Point) []graphs.Point {
	points, sums, counts := make([]graphs.Point, g.Nodes), make([]graphs.Point, g.Nodes), make([]float64, g.Nodes)
	var all graphs.Point
	matched := 0.0
	for i, a := range partner {
		if a != qap.Unmatched {
			points[i] = of[a]
			all, matched = graphs.Point{X: all.X + of[a].X, Y: all.Y + of[a].Y}, matched+1
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
	for i, a := range partner {
		switch {
		case a != qap.Unmatched:
		case counts[i] > 0:
			points[i] = graphs.Point{X: sums[i].X / counts[i], Y: sums[i].Y / counts[i]}
		case matched > 0:
			points[i] = graphs.Point{X: all.X / matched, Y: all.Y / matched}
		}
	}
	return points
}
