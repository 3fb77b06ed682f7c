package graphs

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// DelaunayEdges returns the edges of a Delaunay triangulation of points: no point lies
// within the circumcircle of a triangle. Points at one place are joined by no edge.
// Where points lie on a line the edges join neighbours on it.
//
// Method: Bowyer, doi:10.1093/comjnl/24.2.162; Watson, doi:10.1093/comjnl/24.2.167
// (both 1981). The time is quadratic in the number of points.
//
// Instead of a large triangle around the points there is a vertex at infinity: a
// triangle (i, j, infinite) stands for the half-plane to the left of i→j, so that
// the hull is exact.
func DelaunayEdges(ctx context.Context, points []Point) []Edge {
	t := newTriangulation(points)
	if t == nil {
		return path(points)
	}
	for v := range points {
		if ctx.Err() != nil {
			break // the caller looks, too
		}
		t.insert(v)
	}
	return t.edges()
}

// infinite is the vertex at infinity.
const infinite = -1

// triangle holds its vertices counter-clockwise; an infinite one comes last.
type triangle [3]int

// triangulation is a Delaunay triangulation of some of the points.
type triangulation struct {
	points    []Point
	triangles []triangle
	size      float64 // of the points' bounding box, squared
}

// newTriangulation returns that of three points that are not on a line, nil where
// there are none.
func newTriangulation(points []Point) *triangulation {
	t := &triangulation{points: points}
	if len(points) < 3 {
		return nil
	}
	low, high := Bounds(points)
	t.size = square(high.X-low.X) + square(high.Y-low.Y)
	second := slices.IndexFunc(points, func(p Point) bool { return p != points[0] })
	if second < 0 {
		return nil
	}
	for third := range points {
		turn := t.turn(0, second, points[third])
		if turn == 0 {
			continue
		}
		a, b, c := 0, second, third
		if turn < 0 {
			b, c = c, b
		}
		t.triangles = []triangle{{a, b, c}, {b, a, infinite}, {c, b, infinite}, {a, c, infinite}}
		return t
	}
	return nil
}

// turn is positive where p lies to the left of i→j, negative to its right, and 0
// where it lies on the line but for rounding.
func (t *triangulation) turn(i, j int, p Point) float64 {
	a, b := t.points[i], t.points[j]
	return zeroBelow(1e-14*t.size, (b.X-a.X)*(p.Y-a.Y)-(b.Y-a.Y)*(p.X-a.X))
}

// zeroBelow returns v, or 0 where that is smaller than rounding.
func zeroBelow(rounding, v float64) float64 {
	if math.Abs(v) <= rounding {
		return 0
	}
	return v
}

// insert adds a point: the triangles whose circumcircle holds it make room for
// triangles that join it to the border of the hole.
func (t *triangulation) insert(v int) {
	var kept []triangle
	border := make(map[Edge]bool) // directed, the hole to its left
	for _, d := range t.triangles {
		if !t.inCircle(d, t.points[v]) {
			kept = append(kept, d)
			continue
		}
		for k := range d {
			side := Edge{d[k], d[(k+1)%3]}
			if back := (Edge{side.J, side.I}); border[back] {
				delete(border, back) // within the hole
			} else {
				border[side] = true
			}
		}
	}
	for side := range border {
		kept = append(kept, infiniteLast(triangle{side.I, side.J, v}))
	}
	t.triangles = kept
}

func infiniteLast(d triangle) triangle {
	for d[0] == infinite || d[1] == infinite {
		d = triangle{d[1], d[2], d[0]}
	}
	return d
}

// inCircle reports whether p lies within the circumcircle of a triangle. That of an
// infinite one is the open half-plane beyond its edge, and the edge itself.
func (t *triangulation) inCircle(d triangle, p Point) bool {
	if d[2] == infinite {
		turn := t.turn(d[0], d[1], p)
		return turn > 0 || turn == 0 && t.between(d[0], d[1], p)
	}
	var x, y, square [3]float64
	for k, v := range d {
		x[k], y[k] = t.points[v].X-p.X, t.points[v].Y-p.Y
		square[k] = x[k]*x[k] + y[k]*y[k]
	}
	determinant := square[0]*(x[1]*y[2]-x[2]*y[1]) + square[1]*(x[2]*y[0]-x[0]*y[2]) + square[2]*(x[0]*y[1]-x[1]*y[0])
	return zeroBelow(1e-14*t.size*t.size, determinant) > 0
}

// between reports whether p, on the line through i and j, lies strictly between them.
func (t *triangulation) between(i, j int, p Point) bool {
	a, b := t.points[i], t.points[j]
	return (p.X-a.X)*(p.X-b.X)+(p.Y-a.Y)*(p.Y-b.Y) < 0
}

// edges returns the edges between points, sorted.
func (t *triangulation) edges() []Edge {
	var edges []Edge
	for _, d := range t.triangles {
		for k := range d {
			if i, j := d[k], d[(k+1)%3]; i != infinite && j != infinite {
				edges = append(edges, Edge{min(i, j), max(i, j)})
			}
		}
	}
	return SortedEdges(edges)
}

// path joins points on a line in their order along it.
func path(points []Point) []Edge {
	order := make([]int, len(points))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(points[i].X, points[j].X), cmp.Compare(points[i].Y, points[j].Y))
	})
	var edges []Edge
	for k := 1; k < len(order); k++ {
		if i, j := order[k-1], order[k]; points[i] != points[j] {
			edges = append(edges, Edge{min(i, j), max(i, j)})
		}
	}
	return SortedEdges(edges)
}

// SortedEdges sorts edges and drops repetitions.
func SortedEdges(edges []Edge) []Edge {
	slices.SortFunc(edges, func(x, y Edge) int { return cmp.Or(cmp.Compare(x.I, y.I), cmp.Compare(x.J, y.J)) })
	return slices.Compact(edges)
}

func square(v float64) float64 { return v * v }
