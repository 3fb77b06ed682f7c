package graphs

import (
	"context"
	"fmt"
)

// Point is a place in the plane.
type Point struct{ X, Y float64 }

// Bounds returns the corners of the smallest box that holds points, two zeros of none.
func Bounds(points []Point) (low, high Point) {
	if len(points) > 0 {
		low, high = points[0], points[0]
	}
	for _, p := range points {
		low = Point{min(low.X, p.X), min(low.Y, p.Y)}
		high = Point{max(high.X, p.X), max(high.Y, p.Y)}
	}
	return low, high
}

// Edge joins two nodes of a graph, I < J where it has no direction.
type Edge struct{ I, J int }

// EdgeRule says which nodes of a graph of points are joined.
type EdgeRule int8

const (
	Complete EdgeRule = iota // every two nodes
	Delaunay                 // the neighbours of a Delaunay triangulation
)

// String returns "complete" or "delaunay".
func (r EdgeRule) String() string {
	if r == Delaunay {
		return "delaunay"
	}
	return "complete"
}

// ParseEdgeRule reads "complete" or "delaunay".
func ParseEdgeRule(text string) (EdgeRule, error) {
	for _, r := range []EdgeRule{Complete, Delaunay} {
		if text == r.String() {
			return r, nil
		}
	}
	return 0, fmt.Errorf("graphs: edges %q: want complete or delaunay", text)
}

// Edges returns the edges between points, each once, sorted.
func (r EdgeRule) Edges(points []Point) []Edge {
	if r == Delaunay {
		return DelaunayEdges(context.Background(), points)
	}
	var edges []Edge
	for i := range points {
		for j := i + 1; j < len(points); j++ {
			edges = append(edges, Edge{i, j})
		}
	}
	return edges
}
