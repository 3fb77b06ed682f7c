package serve

import (
	"fmt"
	"math"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/qap"
)

// Graph is one of two graphs to match. Edges of points are compared by relative
// length and direction, node features by distance.
type Graph struct {
	Points   [][]float64 `json:"points,omitempty" doc:"a place [x, y] for each node"`
	Edges    [][]int     `json:"edges,omitempty" doc:"pairs [i, j] of nodes, from 0 (of points: every two of up to 30 nodes, else a Delaunay triangulation)"`
	Features [][]float64 `json:"features,omitempty" doc:"a vector for each node"`
}

const (
	completeUpTo = 30        // nodes of which every two are joined by default
	maxPairs     = 4_000_000 // pairs of arcs, each of which is an entry of the affinity matrix
	edgeWidth    = 0.2       // that of graphs.LengthDirection
	nodeWidth    = 1
)

// matchGraphs returns the problem of matching two graphs.
func matchGraphs(graph1, graph2 *Graph, limits limits) (*qap.Instance, error) {
	var nodes [2]int
	for k, g := range []*Graph{graph1, graph2} {
		pointer := fmt.Sprintf("/instance/graph%d", k+1)
		if g == nil {
			return nil, invalid(pointer, "the graph is missing")
		}
		nodes[k] = max(len(g.Points), len(g.Features))
		if err := g.check(nodes[k], pointer); err != nil {
			return nil, err
		}
	}
	if err := limits.checkNodes(nodes[0], nodes[1]); err != nil {
		return nil, err
	}
	rule := graphs.Complete
	if max(nodes[0], nodes[1]) > completeUpTo {
		rule = graphs.Delaunay
	}
	withPoints := graph1.Points != nil && graph2.Points != nil
	featured1, featured2 := graph1.featured(nodes[0], rule, withPoints), graph2.featured(nodes[1], rule, withPoints)
	if pairs := len(featured1.Arcs) * len(featured2.Arcs); pairs > maxPairs {
		return nil, tooLarge("/instance", "the graphs have %d and %d arcs, %d pairs: the limit is %d", len(featured1.Arcs), len(featured2.Arcs), pairs, maxPairs)
	}
	return orInvalid("/instance")(graphs.Gaussian{Node: nodeWidth, Edge: edgeWidth}.Instance(featured1, featured2))
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
	case g.Points == nil && g.Edges == nil && len(g.Features[0]) == 0:
		return invalid(pointer+"/features", "the vectors are empty")
	}
	for i, p := range g.Points {
		if len(p) != 2 {
			return invalid(fmt.Sprintf("%s/points/%d", pointer, i), "%d numbers: want a place [x, y]", len(p))
		}
	}
	for i, f := range g.Features {
		if len(f) != len(g.Features[0]) {
			return invalid(fmt.Sprintf("%s/features/%d", pointer, i), "%d numbers: want %d as in the first one", len(f), len(g.Features[0]))
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

// featured returns the graph with arcs in both directions. Where both graphs have
// points, the features of an arc are its length in units of the mean length, and
// its direction as a point of the unit circle.
func (g *Graph) featured(n int, rule graphs.EdgeRule, withPoints bool) graphs.Featured {
	f := graphs.Featured{Nodes: n, NodeFeatures: g.Features}
	if g.Edges == nil && withPoints {
		for _, e := range rule.Edges(g.places()) {
			f.Arcs = append(f.Arcs, e, graphs.Edge{I: e.J, J: e.I})
		}
	}
	for _, e := range g.Edges {
		f.Arcs = append(f.Arcs, graphs.Edge{I: e[0], J: e[1]}, graphs.Edge{I: e[1], J: e[0]})
	}
	f.ArcFeatures = make([][]float64, len(f.Arcs))
	if !withPoints {
		return f
	}
	mean := 0.0
	for _, arc := range f.Arcs {
		dx, dy := g.between(arc)
		mean += math.Hypot(dx, dy) / float64(len(f.Arcs))
	}
	if mean == 0 {
		mean = 1
	}
	for k, arc := range f.Arcs {
		dx, dy := g.between(arc)
		length := math.Hypot(dx, dy)
		unit := max(length, math.SmallestNonzeroFloat64)
		f.ArcFeatures[k] = []float64{length / mean, dx / unit, dy / unit}
	}
	return f
}

// between returns the way along an arc.
func (g *Graph) between(arc graphs.Edge) (dx, dy float64) {
	from, to := g.Points[arc.I], g.Points[arc.J]
	return to[0] - from[0], to[1] - from[1]
}

// places returns the points.
func (g *Graph) places() []graphs.Point {
	places := make([]graphs.Point, len(g.Points))
	for i, p := range g.Points {
		places[i] = graphs.Point{X: p[0], Y: p[1]}
	}
	return places
}
