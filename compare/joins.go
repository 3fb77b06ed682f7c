package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/datasets/graphs"
)

// Joins says which nodes of two graphs are joined by the edges that are compared. The
// zero value chooses.
type Joins struct {
	Rule    JoinRule
	Nearest int // neighbours of each node, for JoinNearest
}

// JoinRule is a way to join nodes.
type JoinRule int8

// The rules. JoinAuto takes the edges that both graphs have. Else it joins all points of
// small graphs, the Delaunay neighbours of larger ones in the plane, and the 8 nearest
// ones in other spaces.
const (
	JoinAuto JoinRule = iota
	JoinGiven
	JoinComplete
	JoinDelaunay
	JoinNearest
)

// completeNodes is the product of the numbers of nodes up to which JoinAuto joins all:
// the affinity matrix then takes at most 50 MB.
const completeNodes = 2500

// autoNearest is how many nearest neighbours JoinAuto joins.
const autoNearest = 8

var joinNames = []string{"auto", "given", "complete", "delaunay", "knn"}

// String returns "auto", "given", "complete", "delaunay" or "knn:K".
func (j Joins) String() string {
	if j.Rule == JoinNearest {
		return fmt.Sprintf("knn:%d", j.Nearest)
	}
	return joinNames[j.Rule]
}

// ParseJoins reads what String returns.
func ParseJoins(text string) (Joins, error) {
	name, number, counted := strings.Cut(text, ":")
	rule := JoinRule(slices.Index(joinNames, name))
	k, err := strconv.Atoi(number)
	if rule < 0 || counted != (rule == JoinNearest) || counted && (err != nil || k < 1 || k >= graphs.MaxNodes) {
		return Joins{}, fmt.Errorf("graphs: edges %q: want auto, complete, delaunay, knn:K (K nearest neighbours) or given", text)
	}
	return Joins{rule, k}, nil
}

// chosen returns the rule for two graphs, or an error if they have not what it needs.
func (j Joins) chosen(g1, g2 *graphs.Graph) (Joins, error) {
	points, edges := g1.Points != nil && g2.Points != nil, g1.Edges != nil && g2.Edges != nil
	if points && g1.Dimensions() != g2.Dimensions() {
		return j, fmt.Errorf("graphs: the points of %s have %d coordinates, those of %s %d: want as many", g1.Name, g1.Dimensions(), g2.Name, g2.Dimensions())
	}
	if j.Rule == JoinAuto {
		switch {
		case edges:
			return Joins{Rule: JoinGiven}, nil
		case points && g1.Nodes*g2.Nodes <= completeNodes:
			return Joins{Rule: JoinComplete}, nil
		case points && g1.Dimensions() == 2:
			return Joins{Rule: JoinDelaunay}, nil
		}
		j = Joins{JoinNearest, autoNearest}
	}
	switch {
	case j.Rule == JoinGiven && !edges:
		return j, fmt.Errorf("graphs: %s has no edges: want both graphs with edges, or points to join", without(g1, g2, func(g *graphs.Graph) bool { return g.Edges != nil }))
	case j.Rule != JoinGiven && !points:
		return j, fmt.Errorf("graphs: %s has no points: want both graphs with points, or both with edges", without(g1, g2, func(g *graphs.Graph) bool { return g.Points != nil }))
	case j.Rule == JoinDelaunay && g1.Dimensions() != 2:
		return j, fmt.Errorf("graphs: points of %d coordinates have no Delaunay triangulation here: want 2, or other edges", g1.Dimensions())
	}
	return j, nil
}

// without returns the name of the graph that lacks something.
func without(g1, g2 *graphs.Graph, has func(*graphs.Graph) bool) string {
	if !has(g1) {
		return cmp.Or(g1.Name, "graph 1")
	}
	return cmp.Or(g2.Name, "graph 2")
}

// edges returns the edges of a graph, sorted; a rule that needs points finds them, of the points that are known.
func (j Joins) edges(ctx context.Context, g *graphs.Graph) []graphs.Edge {
	if j.Rule == JoinGiven {
		return g.Edges
	}
	nodes, points := located(g)
	if len(nodes) == 0 {
		return nil
	}
	var edges []graphs.Edge
	switch j.Rule {
	case JoinDelaunay:
		edges = delaunayOfAll(ctx, points)
	case JoinNearest:
		edges = nearest(ctx, points, j.Nearest)
	default:
		edges = make([]graphs.Edge, 0, len(points)*(len(points)-1)/2)
		for i := range points {
			for k := i + 1; k < len(points); k++ {
				edges = append(edges, graphs.Edge{I: i, J: k})
			}
		}
	}
	return renamed(edges, nodes)
}

// fewestEdges returns how many edges a graph has at least, before they are found.
func (j Joins) fewestEdges(g *graphs.Graph) float64 {
	switch j.Rule {
	case JoinGiven:
		return float64(len(g.Edges))
	case JoinNearest:
		return float64(g.Nodes) * float64(min(j.Nearest, g.Nodes-1)) / 2
	}
	return float64(g.Nodes - 1) // they reach every node
}

// delaunayOfAll triangulates points of the plane, wherever they are: scaled into the
// unit square, and of those at one place the first, whose neighbours are those of the
// others too, and which is joined to them.
func delaunayOfAll(ctx context.Context, points [][]float64) []graphs.Edge {
	low, high := slices.Clone(points[0]), slices.Clone(points[0])
	for _, p := range points {
		for k, v := range p {
			low[k], high[k] = min(low[k], v), max(high[k], v)
		}
	}
	side := max(high[0]/2-low[0]/2, high[1]/2-low[1]/2) // halves: the difference may overflow
	if side == 0 {
		side = 1
	}
	first := map[graphs.Point]int{} // place in different
	var different []graphs.Point
	nodes := [][]int{} // at each place
	for i, p := range points {
		at := graphs.Point{X: (p[0]/2 - low[0]/2) / side, Y: (p[1]/2 - low[1]/2) / side}
		k, known := first[at]
		if !known {
			k = len(different)
			first[at], different, nodes = k, append(different, at), append(nodes, nil)
		}
		nodes[k] = append(nodes[k], i)
	}
	var edges []graphs.Edge
	for _, e := range graphs.DelaunayEdges(ctx, different) {
		for _, i := range nodes[e.I] {
			for _, j := range nodes[e.J] {
				edges = append(edges, graphs.Edge{I: min(i, j), J: max(i, j)})
			}
		}
	}
	for _, same := range nodes {
		for _, i := range same[1:] {
			edges = append(edges, graphs.Edge{I: same[0], J: i})
		}
	}
	return graphs.SortedEdges(edges)
}

// nearest joins each node to its k nearest ones.
func nearest(ctx context.Context, points [][]float64, k int) []graphs.Edge {
	type neighbour struct {
		node     int
		distance float64
	}
	var edges []graphs.Edge
	near := make([]neighbour, 0, k+1)
	for i, p := range points {
		if ctx.Err() != nil {
			break
		}
		near = near[:0]
		for j, q := range points {
			if i == j {
				continue
			}
			d := separation(p, q)
			if len(near) == k && d >= near[k-1].distance {
				continue
			}
			at, _ := slices.BinarySearchFunc(near, d, func(n neighbour, d float64) int {
				if n.distance <= d { // behind those as near
					return -1
				}
				return 1
			})
			near = slices.Insert(near, at, neighbour{j, d})
			near = near[:min(len(near), k)]
		}
		for _, n := range near {
			edges = append(edges, graphs.Edge{I: min(i, n.node), J: max(i, n.node)})
		}
	}
	return graphs.SortedEdges(edges)
}

// separation returns the distance of two points.
func separation(p, q []float64) float64 {
	d := 0.0
	for k, v := range p {
		d = math.Hypot(d, v-q[k])
	}
	return d
}

// errNoComparison is the reason where two graphs share nothing that could be compared.
var errNoComparison = errors.New("graphs: no node of one graph can be compared with one of the other: want edges, points or features of the nodes")
