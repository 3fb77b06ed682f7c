package affinities

import (
	"github.com/rgm-go/rgm/datasets/graphs"
)

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/rgm-go/rgm/qap"
)

// Geometric says how alike edges between points are, by the difference of their
// lengths and, if wanted, of their directions:
//
//	K[ia,jb] = Scale·exp(−(len(i,j) − len(a,b))²/Length − (dir(i,j) − dir(a,b))²/Direction)
//
// Node affinities are 0. Lengths and directions belong to edges in both ways, so
// that K is symmetric.
type Geometric struct {
	Edges     graphs.EdgeRule
	Length    float64 // > 0, in squared units of lengths; the paper's σ₁
	Direction float64 // in rad²; 0 leaves directions out
	Relative  bool    // lengths are in units of the mean distance of two nodes
	Scale     float64 // 1 if 0
}

// The affinities of the benchmarks in lab/notes/MATCHING_RESULTS.md.
var (
	// PaperSynthetic is that of the paper's synthetic points (appendix, "Experiments on
	// Synthetic Dataset"), with σ₁ = 0.03.
	PaperSynthetic = Geometric{Length: 0.03}
	// LengthDirection compares keypoints of images by relative lengths and directions:
	// exp(−(½·Δlen²/0.1 + ½·Δdir²/0.1)).
	LengthDirection = Geometric{Length: 0.2, Direction: 0.2, Relative: true}
	// HouseSparse is that of the instances house-sparse of Haller et al., ECCV 2022,
	// "A comparative study of graph matching algorithms in computer vision".
	HouseSparse = Geometric{Edges: graphs.Delaunay, Length: 2500, Scale: 0.5}
)

// String returns the formula and what it is applied to.
func (g Geometric) String() string {
	text := fmt.Sprintf("exp(-(dlen)^2/%g", g.Length)
	if g.Direction > 0 {
		text += fmt.Sprintf(" - (ddir)^2/%g", g.Direction)
	}
	text += ")"
	if g.Scale != 0 && g.Scale != 1 {
		text = fmt.Sprintf("%g*%s", g.Scale, text)
	}
	if g.Relative {
		text += ", lengths / mean distance"
	}
	return text + ", " + g.Edges.String() + " graphs"
}

// Instance returns the problem of matching two sets of points.
func (g Geometric) Instance(points1, points2 []graphs.Point) (*qap.Instance, error) {
	if g.Length <= 0 || g.Direction < 0 || g.Scale < 0 {
		return nil, fmt.Errorf("graphs: length %v, direction %v, scale %v: want a positive length, and no negative number", g.Length, g.Direction, g.Scale)
	}
	if err := errors.Join(checkPoints(1, points1), checkPoints(2, points2)); err != nil {
		return nil, err
	}
	graph1, graph2 := g.arcs(points1), g.arcs(points2)
	scale := g.Scale
	if scale == 0 {
		scale = 1
	}
	return assemble(len(points1), len(points2), graph1.ends, graph2.ends, true, nil, func(e, f int) float64 {
		exponent := square(graph1.lengths[e]-graph2.lengths[f]) / g.Length
		if g.Direction > 0 {
			exponent += square(Angle(graph1.directions[e]-graph2.directions[f])) / g.Direction
		}
		return scale * math.Exp(-exponent)
	})
}

func checkPoints(graph int, points []graphs.Point) error {
	for i, p := range points {
		if err := cmp.Or(graphs.CheckNumber(p.X), graphs.CheckNumber(p.Y)); err != nil {
			return fmt.Errorf("graphs: node %d of graph %d is at (%v, %v): %w", i, graph, p.X, p.Y, err)
		}
	}
	return nil
}

// arcs are the edges of a graph of points, in both ways.
type arcs struct {
	ends       []graphs.Edge
	lengths    []float64
	directions []float64 // in rad
}

func (g Geometric) arcs(points []graphs.Point) arcs {
	unit := 1.0
	if mean := meanDistance(points); g.Relative && mean > 0 {
		unit = mean
	}
	var a arcs
	for _, e := range g.Edges.Edges(points) {
		for _, e := range []graphs.Edge{e, {I: e.J, J: e.I}} {
			dx, dy := points[e.J].X-points[e.I].X, points[e.J].Y-points[e.I].Y
			a.ends = append(a.ends, e)
			a.lengths = append(a.lengths, math.Hypot(dx, dy)/unit)
			a.directions = append(a.directions, math.Atan2(dy, dx))
		}
	}
	return a
}

// meanDistance returns the mean distance of two points, 0 of less than two.
func meanDistance(points []graphs.Point) float64 {
	sum, pairs := 0.0, 0
	for i, p := range points {
		for _, q := range points[:i] {
			sum += math.Hypot(p.X-q.X, p.Y-q.Y)
			pairs++
		}
	}
	return sum / float64(max(pairs, 1))
}

// Angle returns a difference of two directions in −π..π.
func Angle(difference float64) float64 {
	switch {
	case difference > math.Pi:
		return difference - 2*math.Pi
	case difference < -math.Pi:
		return difference + 2*math.Pi
	}
	return difference
}

func square(v float64) float64 { return v * v }

// assemble returns the instance whose K[ia,jb] is edge(e, f) for the e-th arc (i,j)
// of graph 1 and the f-th arc (a,b) of graph 2, and whose K[ia,ia] is node(i, a), 0
// if node is nil. Where K has few entries it is held by pairs of edges. Arcs that lead
// back are as alike as those that lead forth where symmetric says so.
func assemble(n1, n2 int, arcs1, arcs2 []graphs.Edge, symmetric bool, node, edge func(i, a int) float64) (*qap.Instance, error) {
	if isSparse(n1, n2, arcs1, arcs2) {
		edges1, ok1 := pairArcs(arcs1)
		edges2, ok2 := pairArcs(arcs2)
		if ok1 && ok2 {
			return assemblePairs(n1, n2, edges1, edges2, symmetric, node, edge)
		}
		return assembleSparse(n1, n2, arcs1, arcs2, node, edge)
	}
	n := n1 * n2
	k := make([]float64, n*n)
	for e, x := range arcs1 {
		for f, y := range arcs2 {
			k[(x.I*n2+y.I)*n+x.J*n2+y.J] += edge(e, f)
		}
	}
	for p := range n {
		if node != nil {
			k[p*n+p] = node(p/n2, p%n2)
		}
	}
	return qap.NewDense(n1, n2, k, qap.Maximize)
}

// isSparse reports whether K has so few entries that a dense matrix is the larger one.
func isSparse(n1, n2 int, arcs1, arcs2 []graphs.Edge) bool {
	const sparsest = 0.25
	n := float64(n1) * float64(n2)
	return float64(len(arcs1))*float64(len(arcs2)) < sparsest*n*n
}

// edgeArcs are the edges of a graph with the arcs that go along each and back.
type edgeArcs struct {
	ends [][2]int
	arcs [][2]int
}

// pairArcs returns the edges of arcs; ok is false where an arc joins a node to itself,
// comes twice or has none that leads back.
func pairArcs(arcs []graphs.Edge) (edges edgeArcs, ok bool) {
	index := make(map[graphs.Edge]int, len(arcs))
	for e, x := range arcs {
		index[x] = e
	}
	for e, x := range arcs {
		back, found := index[graphs.Edge{I: x.J, J: x.I}]
		if !found || back == e || index[x] != e {
			return edges, false
		}
		if x.I < x.J {
			edges.ends = append(edges.ends, [2]int{x.I, x.J})
			edges.arcs = append(edges.arcs, [2]int{e, back})
		}
	}
	return edges, true
}

func assemblePairs(n1, n2 int, edges1, edges2 edgeArcs, symmetric bool, node, edge func(i, a int) float64) (*qap.Instance, error) {
	var nodes []float64
	if node != nil {
		nodes = make([]float64, n1*n2)
		for p := range nodes {
			nodes[p] = node(p/n2, p%n2)
		}
	}
	return qap.NewEdgePairs(n1, n2, edges1.ends, edges2.ends, nodes, func(e, f int, crosswise bool) float64 {
		x, y := edges1.arcs[e], edges2.arcs[f]
		if crosswise {
			y[0], y[1] = y[1], y[0]
		}
		if symmetric {
			return edge(x[0], y[0])
		}
		return edge(x[0], y[0])/2 + edge(x[1], y[1])/2 // (K+Kᵀ)/2
	}, qap.Maximize)
}

func assembleSparse(n1, n2 int, arcs1, arcs2 []graphs.Edge, node, edge func(i, a int) float64) (*qap.Instance, error) {
	entries := make([]qap.Entry, 0, len(arcs1)*len(arcs2)+n1*n2)
	for e, x := range arcs1 {
		for f, y := range arcs2 {
			entries = append(entries, qap.Entry{P: x.I*n2 + y.I, Q: x.J*n2 + y.J, Value: edge(e, f)})
		}
	}
	for p := range n1 * n2 {
		if node != nil {
			entries = append(entries, qap.Entry{P: p, Q: p, Value: node(p/n2, p%n2)})
		}
	}
	return qap.NewSparse(n1, n2, entries, qap.Maximize)
}

// Assemble returns the instance whose K[ia,jb] is how alike the arcs (i,j) and
// (a,b) are. Of a symmetric K it computes one triangle.
func Assemble(n1, n2 int, arcs1, arcs2 []graphs.Edge, node, edge func(i, a int) float64) (*qap.Instance, error) {
	symmetric := Symmetric(arcs1) && Symmetric(arcs2)
	if symmetric && isSparse(n1, n2, arcs1, arcs2) {
		return assemble(n1, n2, arcs1, arcs2, true, node, edge)
	}
	half1, weight := arcs1, 1.0
	if symmetric {
		half1, weight = arcs1[:len(arcs1)/2], 2 // as K becomes (K+Kᵀ)/2
	}
	return assemble(n1, n2, half1, arcs2, false, node, func(e, f int) float64 { return weight * edge(e, f) })
}

// Symmetric reports whether the second half of arcs is the first in the other direction.
func Symmetric(arcs []graphs.Edge) bool {
	half := len(arcs) / 2
	for k := range half {
		if back := arcs[half+k]; arcs[k] != (graphs.Edge{I: back.J, J: back.I}) {
			return false
		}
	}
	return 2*half == len(arcs)
}
