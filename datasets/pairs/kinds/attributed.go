package kinds

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
)

// attributed is a graph of a Kind.
type attributed struct {
	n                int
	points           [][3]float64 // nil where there are none
	edges            [][2]int     // each once
	attribute, angle []float64    // of the edges; angles from the first node to the second
	flat             bool         // the points are in the plane
}

// plane returns the points in the plane, nil where there are none there.
func (g *attributed) plane() []graphs.Point {
	if !g.flat {
		return nil
	}
	points := make([]graphs.Point, g.n)
	for i, p := range g.points {
		points[i] = graphs.Point{X: p[0], Y: p[1]}
	}
	return points
}

// graphs draws both graphs, whose first nodes match.
func (k *Kind) graphs(n1, n2 int, rng *rand.Rand) (g1, g2 *attributed) {
	if k.Dimensions > 0 {
		return k.pointed(n1, n2, rng)
	}
	g1, g2 = &attributed{n: n1}, &attributed{n: n2}
	g1.edges = k.joined(n1, rng)
	g2.edges = k.counterpart(g1, n2, rng)
	known := map[[2]int]float64{}
	for _, e := range g1.edges {
		v := rng.Float64()
		g1.attribute = append(g1.attribute, v)
		known[e] = v
	}
	for _, e := range g2.edges {
		v, same := known[e]
		if same && max(e[0], e[1]) < k.Inliers {
			v += k.Noise * rng.NormFloat64()
		} else {
			v = rng.Float64()
		}
		g2.attribute = append(g2.attribute, v)
	}
	return g1, g2
}

// pointed draws graphs of points.
func (k *Kind) pointed(n1, n2 int, rng *rand.Rand) (g1, g2 *attributed) {
	g1 = &attributed{n: n1, points: k.uniform(n1, rng), flat: k.Dimensions == 2}
	g2 = &attributed{n: n2, points: k.uniform(n2, rng), flat: k.Dimensions == 2}
	for i := range k.Inliers {
		for d := range k.Dimensions {
			g2.points[i][d] = g1.points[i][d] + k.Noise*rng.NormFloat64()
		}
	}
	g1.edges = k.joinedPoints(g1, rng)
	if k.Joins == JoinShare && k.Density < 1 {
		g2.edges = k.counterpart(g1, n2, rng)
	} else {
		g2.edges = k.joinedPoints(g2, rng)
	}
	for _, g := range []*attributed{g1, g2} {
		for _, e := range g.edges {
			p, q := g.points[e[0]], g.points[e[1]]
			g.attribute = append(g.attribute, separation(p, q))
			g.angle = append(g.angle, math.Atan2(q[1]-p[1], q[0]-p[0]))
		}
	}
	return g1, g2
}

// uniform draws points in the unit square or cube.
func (k *Kind) uniform(n int, rng *rand.Rand) [][3]float64 {
	points := make([][3]float64, n)
	for i := range points {
		for d := range k.Dimensions {
			points[i][d] = rng.Float64()
		}
	}
	return points
}

func separation(p, q [3]float64) float64 {
	return math.Sqrt(square(p[0]-q[0]) + square(p[1]-q[1]) + square(p[2]-q[2]))
}

func square(v float64) float64 { return v * v }

// joinedPoints returns the edges of points.
func (k *Kind) joinedPoints(g *attributed, rng *rand.Rand) [][2]int {
	switch k.Joins {
	case JoinDelaunay:
		var edges [][2]int
		for _, e := range graphs.Delaunay.Edges(g.plane()) {
			edges = append(edges, [2]int{e.I, e.J})
		}
		return undirected(edges)
	case JoinNearest:
		const nearest = 5
		var edges [][2]int
		for i, p := range g.points {
			order := make([]int, 0, g.n)
			for j := range g.points {
				if j != i {
					order = append(order, j)
				}
			}
			slices.SortFunc(order, func(x, y int) int { return cmp.Compare(separation(p, g.points[x]), separation(p, g.points[y])) })
			for _, j := range order[:min(nearest, len(order))] {
				edges = append(edges, [2]int{i, j})
			}
		}
		return undirected(edges)
	}
	return k.joined(g.n, rng)
}

// joined returns random edges of n nodes.
func (k *Kind) joined(n int, rng *rand.Rand) (edges [][2]int) {
	if k.Joins == JoinScaleFree {
		return scaleFree(n, rng)
	}
	for i := range n {
		for j := range i {
			if rng.Float64() < k.Density {
				edges = append(edges, [2]int{j, i})
			}
		}
	}
	return edges
}

// counterpart returns the edges of graph 2: between inliers those of graph 1, but for
// some in whose place others are, and random ones of outliers.
func (k *Kind) counterpart(g1 *attributed, n2 int, rng *rand.Rand) (edges [][2]int) {
	has := map[[2]int]bool{}
	missing := 0
	for _, e := range g1.edges {
		if max(e[0], e[1]) >= k.Inliers {
			continue
		}
		if rng.Float64() < k.Flipped {
			missing++
		} else {
			has[e] = true
		}
	}
	for range missing { // where all pairs are edges none is left
		i, j := rng.IntN(k.Inliers), rng.IntN(k.Inliers)
		if i != j {
			has[[2]int{min(i, j), max(i, j)}] = true
		}
	}
	for _, e := range k.joined(n2, rng) {
		if max(e[0], e[1]) >= k.Inliers {
			has[e] = true
		}
	}
	for e := range has {
		edges = append(edges, e)
	}
	return undirected(edges) // in an order that no map decides
}

// scaleFree returns the edges of a graph that grows: each node joins three others, drawn
// by their numbers of edges.
func scaleFree(n int, rng *rand.Rand) (edges [][2]int) {
	const each = 3
	ends := []int{0}
	for i := 1; i < n; i++ {
		for range min(each, i) {
			j := ends[rng.IntN(len(ends))]
			edges = append(edges, [2]int{j, i})
		}
		edges = undirected(edges)
		ends = append(ends, i)
		for _, e := range edges {
			if e[1] == i {
				ends = append(ends, e[0], i)
			}
		}
	}
	return edges
}

// undirected returns edges sorted, each once and from the smaller node to the larger.
func undirected(edges [][2]int) [][2]int {
	for k, e := range edges {
		edges[k] = [2]int{min(e[0], e[1]), max(e[0], e[1])}
	}
	slices.SortFunc(edges, func(x, y [2]int) int { return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1])) })
	return slices.Compact(edges)
}
