package graphs

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Graph is a graph, or a set of points, to be matched with another. Whatever is nil
// the graph does not have. A million nodes and five million edges are at home in it: no
// part is larger than the nodes or the edges are many.
type Graph struct {
	Name     string
	Nodes    int
	Names    []string    // of the nodes; they are called by their numbers, from 0, where this is nil
	Points   [][]float64 // places of the nodes, all of the same number of coordinates, NaN where one is unknown
	Features [][]float64 // of the nodes, all of one length, NaN where one is unknown
	Edges    []Edge      // sorted, each once; I < J where they have no direction
	Directed bool
	Weights  []float64   // one an edge
	Relation [][]float64 // features of the edges, all of one length

	// What the file calls the columns of Points and of Features. Two graphs that both have
	// names are compared by them, in whatever order their files have the columns; else by
	// their places.
	PointNames, FeatureNames []string

	NodeWords, EdgeWords []Attribute[string]  // attributes that are compared as equal or not
	EdgeNumbers          []Attribute[float64] // numbers of edges, NaN where one has none; Weigh makes one of them the weight

	Notices []string // what the file holds and its reader left out

	Identifiers []Attribute[string] // whose values all differ: of these the nodes are called by one
	NamedBy     string              // its name, "" of none
}

// MaxNodes bounds a graph, and MaxCompared one whose affinities are made, as package qap does.
const MaxNodes, MaxCompared = 1 << 30, 1 << 15

// checkClaimed returns an error where a file claims many more nodes than its edges can
// join, so that memory grows with the file and not with what it claims.
func checkClaimed(nodes, edges int) error {
	if most := MaxCompared + 8*edges; nodes > most {
		return fmt.Errorf("%d nodes with %d edges: want at most %d, since nearly all of them would be without an edge", nodes, edges, most)
	}
	return nil
}

// NodeName returns what node i is called.
func (g *Graph) NodeName(i int) string {
	if g.Names == nil {
		return fmt.Sprint(i)
	}
	return g.Names[i]
}

// Check returns an error unless the parts of the graph fit together and all numbers
// are finite, or unknown features and coordinates of nodes.
func (g *Graph) Check() error {
	err := func() error {
		switch {
		case g.Nodes < 1:
			return errors.New("no nodes: want one at least")
		case g.Nodes > MaxNodes:
			return fmt.Errorf("%d nodes: want at most %d", g.Nodes, MaxNodes)
		case g.Names != nil && len(g.Names) != g.Nodes:
			return fmt.Errorf("%d names of %d nodes", len(g.Names), g.Nodes)
		case g.Weights != nil && len(g.Weights) != len(g.Edges):
			return fmt.Errorf("%d weights of %d edges", len(g.Weights), len(g.Edges))
		}
		for k, w := range g.Weights {
			if err := CheckNumber(w); err != nil {
				return fmt.Errorf("the weight of edge %d is %v: %w", k, w, err)
			}
		}
		for k, e := range g.Edges {
			if err := g.checkEdge(e); err != nil {
				return fmt.Errorf("edge %d: %w", k, err)
			}
		}
		return errors.Join(
			checkVectors("point", "node", g.Points, g.Nodes, true), checkExtent(g.Points), checkVectors("feature vector", "node", g.Features, g.Nodes, true),
			checkVectors("feature vector", "edge", g.Relation, len(g.Edges), false), g.checkAttributes())
	}()
	if err != nil {
		return fmt.Errorf("graphs: %s: %w", cmp.Or(g.Name, "a graph"), err)
	}
	return nil
}

func (g *Graph) checkEdge(e Edge) error {
	if e.I == e.J && e.I >= 0 && e.I < g.Nodes {
		return fmt.Errorf("it joins node %s with itself: leave such edges out", g.NodeName(e.I))
	}
	return g.checkEnds(e)
}

// checkEnds is checkEdge but for edges from a node to itself, which readers leave out.
func (g *Graph) checkEnds(e Edge) error {
	if min(e.I, e.J) < 0 || max(e.I, e.J) >= g.Nodes {
		return fmt.Errorf("it joins %d and %d: want nodes from 0 to %d", e.I, e.J, g.Nodes-1)
	}
	return nil
}

// checkVectors returns an error unless vectors, if there are any, are as many as their
// owners, of one length, and finite or, where they may be, unknown.
func checkVectors(kind, owner string, vectors [][]float64, owners int, mayMiss bool) error {
	if vectors == nil {
		return nil
	}
	if len(vectors) != owners {
		return fmt.Errorf("%ss of %d %ss, but there are %d", kind, len(vectors), owner, owners)
	}
	for k, v := range vectors {
		if len(v) == 0 || len(v) != len(vectors[0]) {
			return fmt.Errorf("%s %d has %d numbers, that of %s 0 has %d", kind, k, len(v), owner, len(vectors[0]))
		}
		for _, x := range v {
			if err := CheckNumber(x); err != nil && !(mayMiss && math.IsNaN(x)) {
				return fmt.Errorf("%s %d is %v: %w", kind, k, v, err)
			}
		}
	}
	return nil
}

// mostSize bounds the numbers of a graph. Of larger ones the products of four, which
// Delaunay triangulations and sums of squares take, can be infinite, and all edges alike.
const mostSize = 1e60

// CheckNumber says what is wrong with a number of a graph.
func CheckNumber(v float64) error {
	switch {
	case !finite(v):
		return errors.New("want a finite number")
	case math.Abs(v) > mostSize:
		return fmt.Errorf("want a number of at most %.0e in size: scale all of them down", mostSize)
	}
	return nil
}

// leastExtent bounds the largest difference of coordinates, if it is not 0: of smaller ones
// the products of four are 0, and all edges alike.
const leastExtent = 1e-60

// checkExtent refuses points that are not at one place, but too near each other.
func checkExtent(points [][]float64) error {
	extent := 0.0
	for k := range Width(points) {
		first := math.NaN()
		for _, p := range points {
			switch {
			case k >= len(p) || math.IsNaN(p[k]):
			case math.IsNaN(first):
				first = p[k]
			default:
				extent = max(extent, math.Abs(p[k]-first))
			}
		}
	}
	if extent > 0 && extent < leastExtent {
		return fmt.Errorf("all points lie within %.0e of the first: scale all of them up", extent)
	}
	return nil
}

// parseNumber reads a number of a graph.
func parseNumber(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		v = math.NaN()
	}
	return v, CheckNumber(v)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Known reports whether all of some numbers are.
func Known(numbers []float64) bool { return !slices.ContainsFunc(numbers, math.IsNaN) }

// Dimensions returns the number of coordinates of points, 0 where there are none.
func (g *Graph) Dimensions() int { return Width(g.Points) }

// Normalise is NormaliseBy with RepeatsAuto.
func (g *Graph) Normalise() error { return g.NormaliseBy(RepeatsAuto) }

// NormaliseBy sorts the edges, those without direction as I < J, and drops edges from a node to
// itself and repetitions, whose weights are joined by a rule, and whose other attributes are those of
// the first. Notices say so.
func (g *Graph) NormaliseBy(rule Repeats) error {
	loops := 0
	for k := range g.Edges {
		e := &g.Edges[k]
		if err := g.checkEnds(*e); err != nil {
			return fmt.Errorf("edge %d: %w", k, err)
		}
		if e.I == e.J {
			loops++
		}
		if !g.Directed && e.I > e.J {
			e.I, e.J = e.J, e.I
		}
	}
	if loops > 0 {
		g.Notices = append(g.Notices, fmt.Sprintf("%d edges from a node to itself are left out", loops))
	}
	if g.Edges == nil {
		return nil
	}
	weights := g.weightsBy(rule)
	order := g.edgeOrder()
	kept := order[:0]
	repeated, differ := 0, map[string]bool{} // attributes
	for _, k := range order {
		e := g.Edges[k]
		if e.I == e.J {
			continue
		}
		if last := len(kept) - 1; last >= 0 && g.Edges[kept[last]] == e {
			repeated++
			g.differ(kept[last], k, differ)
			if err := weights.join(kept[last], k); err != nil {
				return fmt.Errorf("nodes %s and %s are joined by %w", g.NodeName(e.I), g.NodeName(e.J), err)
			}
			continue
		}
		kept = append(kept, k)
	}
	if repeated > 0 {
		g.Notices = append(g.Notices, fmt.Sprintf("%d edges come again: %s", repeated, weights.said(differ)))
	}
	g.Weights = weights.of
	g.Edges, g.Weights, g.Relation = inOrder(g.Edges, kept), inOrder(g.Weights, kept), inOrder(g.Relation, kept)
	for k := range g.EdgeWords {
		g.EdgeWords[k].Values = inOrder(g.EdgeWords[k].Values, kept)
	}
	for k := range g.EdgeNumbers {
		g.EdgeNumbers[k].Values = inOrder(g.EdgeNumbers[k].Values, kept)
	}
	return nil
}

// inOrder returns the values of edges in another order, nil of nil.
func inOrder[T any](values []T, order []int) []T {
	if values == nil {
		return nil
	}
	sorted := make([]T, len(order))
	for k, before := range order {
		sorted[k] = values[before]
	}
	return sorted
}

// edgeOrder returns the numbers of the edges sorted by I, then J, those of one place as
// they came: two passes of counting, in time linear in nodes and edges.
func (g *Graph) edgeOrder() []int {
	order, next := make([]int, len(g.Edges)), make([]int, len(g.Edges))
	for k := range order {
		order[k] = k
	}
	for _, end := range []func(Edge) int{func(e Edge) int { return e.J }, func(e Edge) int { return e.I }} {
		place := make([]int, g.Nodes+1)
		for _, e := range g.Edges {
			place[end(e)+1]++
		}
		for i := range g.Nodes {
			place[i+1] += place[i]
		}
		for _, k := range order {
			at := &place[end(g.Edges[k])]
			next[*at] = k
			*at++
		}
		order, next = next, order
	}
	return order
}
