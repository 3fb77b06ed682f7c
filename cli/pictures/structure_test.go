package pictures

import (
	"math"
	"testing"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// TestLayoutByEdges: a path is drawn along the first axis in its order, a grid as wide as it
// is high, and nodes of a graph without places beside their partners.
func TestLayoutByEdges(t *testing.T) {
	path := graphs.Graph{Nodes: 30}
	for i := range 29 {
		path.Edges = append(path.Edges, graphs.Edge{I: i, J: i + 1})
	}
	at := path.Places()
	for i := 1; i < 29; i++ {
		if (at[i].X-at[i-1].X)*(at[i+1].X-at[i].X) <= 0 {
			t.Fatalf("node %d of a path is not between its neighbours: %v", i, at[i-1:i+2])
		}
	}
	const side = 12
	grid := graphs.Graph{Nodes: side * side}
	for i := range side * side {
		if i%side > 0 {
			grid.Edges = append(grid.Edges, graphs.Edge{I: i - 1, J: i})
		}
		if i >= side {
			grid.Edges = append(grid.Edges, graphs.Edge{I: i - side, J: i})
		}
	}
	low, high := graphs.Bounds(grid.Places())
	if ratio := (high.X - low.X) / (high.Y - low.Y); math.Abs(ratio-1) > .1 {
		t.Errorf("a square grid is %v times as wide as high", ratio)
	}
	m := qap.NewMatching(30)
	for i := range 29 {
		m[i] = 29 - i
	}
	points1, points2 := places(&path, &path, m)
	for i, a := range m {
		if a != qap.Unmatched && points1[i] != points2[a] {
			t.Errorf("node %d is at %v, its partner at %v", i, points1[i], points2[a])
		}
	}
	if points2[0] != points2[1] { // unmatched: where its only neighbour is
		t.Errorf("a node without a partner is at %v, its neighbour at %v", points2[0], points2[1])
	}
	placed := graphs.Graph{Nodes: 30, Points: make([][]float64, 30)}
	for i := range placed.Points {
		placed.Points[i] = []float64{float64(i), 1}
	}
	if points1, _ := places(&path, &placed, m); points1[3] != (graphs.Point{X: 26, Y: 1}) {
		t.Errorf("a node is at %v, not where its partner is", points1[3])
	}
}
