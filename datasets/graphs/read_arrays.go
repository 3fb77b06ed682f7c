package graphs

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/datasets"
)

// readArray reads an array of points, or an adjacency matrix.
func readArray(_ string, r io.ReaderAt, size int64) (Graph, error) {
	array, err := datasets.ReadNPY(io.NewSectionReader(r, 0, size), size)
	if err != nil {
		return Graph{}, errors.Unwrap(err)
	}
	points, err := vectors(array)
	if err != nil {
		return Graph{}, err
	}
	if !isAdjacency(points) {
		return Graph{Nodes: len(points), Points: points}, nil
	}
	g := Graph{Nodes: len(points), Directed: true}
	for i, row := range points {
		for j, v := range row {
			if v != 0 {
				g.Edges, g.Weights = append(g.Edges, Edge{i, j}), append(g.Weights, v)
			}
		}
	}
	g.finishAdjacency()
	g.Notices = append(g.Notices, "the array is square with zeros on its diagonal, and taken for an adjacency matrix")
	return g, nil
}

// isAdjacency reports whether an array is a matrix of edges, not of points: it is square, and
// no node is joined with itself.
func isAdjacency(rows [][]float64) bool {
	const least = 4 // rows: three points may lie so
	if len(rows) < least || len(rows) != Width(rows) {
		return false
	}
	for i, row := range rows {
		if row[i] != 0 {
			return false
		}
	}
	return true
}

// vectors returns the rows of an array of two dimensions.
func vectors(array datasets.Array) ([][]float64, error) {
	if len(array.Shape) != 2 {
		return nil, fmt.Errorf("an array of %d dimensions: want 2, a row a node or an edge", len(array.Shape))
	}
	rows, cols := array.Shape[0], array.Shape[1]
	if cols == 0 && rows > 0 {
		return nil, fmt.Errorf("an array of %d rows and %d columns", rows, cols)
	}
	all := make([][]float64, rows)
	for k := range all {
		all[k] = array.Data[k*cols : (k+1)*cols]
	}
	return all, nil
}

// readArrays reads an archive of arrays, or an adjacency matrix.
func readArrays(name string, r io.ReaderAt, size int64) (Graph, error) {
	arrays, err := datasets.ReadArrays(name, r, size)
	if errors.Is(err, datasets.ErrSparse) {
		return readAdjacency(name, r, size)
	}
	if err != nil {
		return Graph{}, err
	}
	var g Graph
	for _, name := range slices.Sorted(maps.Keys(arrays)) {
		if err := g.takeArray(name, arrays[name]); err != nil {
			return g, fmt.Errorf("%s: %w", name, err)
		}
	}
	g.Nodes = max(len(g.Points), len(g.Features))
	if g.Nodes == 0 {
		for _, e := range g.Edges {
			g.Nodes = max(g.Nodes, e.I+1, e.J+1)
		}
		if err := checkClaimed(g.Nodes, len(g.Edges)); err != nil {
			return g, err
		}
	}
	return g, g.checkEdges()
}

// takeArray takes over an array by its name.
func (g *Graph) takeArray(name string, array datasets.Array) (err error) {
	switch name {
	case "points":
		g.Points, err = vectors(array)
	case "features":
		g.Features, err = vectors(array)
	case "edge_features":
		g.Relation, err = vectors(array)
	case "weights":
		if len(array.Shape) != 1 {
			return fmt.Errorf("an array of %d dimensions: want 1, a number an edge", len(array.Shape))
		}
		g.Weights = array.Data
	case "edges":
		var ends [][]float64
		if ends, err = vectors(array); err == nil {
			g.Edges, err = edgesOf(ends)
		}
	default:
		names := []string{"points", "edges", "features", "weights", "edge_features"}
		err = fmt.Errorf("an array of unknown meaning: want %s", strings.Join(names, ", "))
	}
	return err
}

func edgesOf(ends [][]float64) ([]Edge, error) {
	edges := make([]Edge, len(ends))
	for k, e := range ends {
		if len(e) != 2 || !isNode(e[0]) || !isNode(e[1]) {
			return nil, fmt.Errorf("edge %d is %v: want two nodes, from 0 to %d", k, e, MaxNodes-1)
		}
		edges[k] = Edge{int(e[0]), int(e[1])}
	}
	return edges, nil
}

func isNode(v float64) bool { return v == math.Trunc(v) && v >= 0 && v < MaxNodes }

// checkEdges names the first edge that does not join two nodes; it is for edges in the
// order of their file.
func (g *Graph) checkEdges() error {
	for k, e := range g.Edges {
		if err := g.checkEnds(e); err != nil {
			return fmt.Errorf("edge %d: %w", k, err)
		}
	}
	if g.Weights != nil && len(g.Weights) != len(g.Edges) || g.Relation != nil && len(g.Relation) != len(g.Edges) {
		return fmt.Errorf("%d edges, but %d weights and %d edge features", len(g.Edges), len(g.Weights), len(g.Relation))
	}
	return nil
}

// readAdjacency reads an adjacency matrix.
func readAdjacency(name string, r io.ReaderAt, size int64) (Graph, error) {
	m, err := datasets.ReadSparse(name, r, size)
	switch {
	case err != nil:
		return Graph{}, err
	case m.Rows != m.Cols:
		return Graph{}, fmt.Errorf("a matrix of %d×%d: want an adjacency matrix, which is square", m.Rows, m.Cols)
	}
	if err := checkClaimed(m.Rows, len(m.Entries)); err != nil {
		return Graph{}, err
	}
	g := Graph{Nodes: m.Rows, Directed: true, Edges: make([]Edge, 0, len(m.Entries)), Weights: make([]float64, 0, len(m.Entries))}
	loops := 0
	for _, e := range m.Entries {
		if e.P == e.Q {
			loops++
			continue
		}
		g.Edges, g.Weights = append(g.Edges, Edge{e.P, e.Q}), append(g.Weights, e.Value)
	}
	m.Entries = nil
	if loops > 0 {
		g.Notices = append(g.Notices, fmt.Sprintf("%d entries of the diagonal, from a node to itself, are left out", loops))
	}
	g.finishAdjacency()
	return g, nil
}

// finishAdjacency makes a graph of the entries of a matrix: without directions where it is
// symmetric, and without weights where all are 1.
func (g *Graph) finishAdjacency() {
	g.addUp()
	if g.isMutual() {
		g.Directed = false
		below := 0
		for k, e := range g.Edges {
			if e.I < e.J {
				g.Edges[below], g.Weights[below] = e, g.Weights[k]
				below++
			}
		}
		g.Edges, g.Weights = g.Edges[:below], g.Weights[:below]
	}
	g.dropOnes()
}

// dropOnes leaves out weights that are all 1.
func (g *Graph) dropOnes() {
	if !slices.ContainsFunc(g.Weights, func(w float64) bool { return w != 1 }) {
		g.Weights = nil
	}
}

// addUp sorts the edges, adds up the weights of those of one place, and drops those of
// weight 0.
func (g *Graph) addUp() {
	order := g.edgeOrder()
	edges, weights := make([]Edge, 0, len(order)), make([]float64, 0, len(order))
	for at := 0; at < len(order); {
		e, w := g.Edges[order[at]], 0.0
		for ; at < len(order) && g.Edges[order[at]] == e; at++ {
			w += g.Weights[order[at]]
		}
		if w != 0 {
			edges, weights = append(edges, e), append(weights, w)
		}
	}
	g.Edges, g.Weights = edges, weights
}

// isMutual reports whether each of the sorted edges is there in the other direction too,
// with the same weight.
func (g *Graph) isMutual() bool {
	back := Graph{Nodes: g.Nodes, Edges: make([]Edge, len(g.Edges))}
	for k, e := range g.Edges {
		back.Edges[k] = Edge{e.J, e.I}
	}
	for at, k := range back.edgeOrder() {
		if back.Edges[k] != g.Edges[at] || g.Weights[k] != g.Weights[at] {
			return false
		}
	}
	return true
}
