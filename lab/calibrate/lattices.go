package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs"
)

// grid is a square or a triangular one, with a twentieth of its edges gone.
func grid(n int, triangular bool, rng *rand.Rand) graphs.Graph {
	rows := 2 + rng.IntN(max(2, int(math.Sqrt(float64(n)))))
	columns := max(3, n/rows)
	var edges [][2]int
	join := func(i, j int) {
		if rng.Float64() > 0.05 {
			edges = append(edges, [2]int{i, j})
		}
	}
	for r := range rows {
		for c := range columns {
			i := r*columns + c
			if c > 0 {
				join(i, i-1)
			}
			if r > 0 {
				join(i, i-columns)
			}
			if triangular && r > 0 && c > 0 {
				join(i, i-columns-1)
			}
		}
	}
	return made(rows*columns, edges)
}

// hexagons is a honeycomb: a grid without every second upright edge.
func hexagons(n int, rng *rand.Rand) graphs.Graph {
	rows := 3 + rng.IntN(max(2, int(math.Sqrt(float64(n)))))
	columns := max(4, n/rows)
	var edges [][2]int
	for r := range rows {
		for c := range columns {
			if i := r*columns + c; c > 0 {
				edges = append(edges, [2]int{i, i - 1})
			}
			if i := r*columns + c; r > 0 && (r+c)%2 == 0 {
				edges = append(edges, [2]int{i, i - columns})
			}
		}
	}
	return made(rows*columns, edges)
}

// cubes is a grid in space, with a few edges that go anywhere.
func cubes(n int, rng *rand.Rand) graphs.Graph {
	a, b := 2+rng.IntN(4), 2+rng.IntN(4)
	c := max(2, n/(a*b))
	var edges [][2]int
	for i := range a * b * c {
		x, y, z := i%a, i/a%b, i/(a*b)
		for _, back := range []struct{ at, by int }{{x, 1}, {y, a}, {z, a * b}} {
			if back.at > 0 {
				edges = append(edges, [2]int{i, i - back.by})
			}
		}
		if rng.IntN(20) == 0 {
			edges = append(edges, [2]int{i, rng.IntN(a * b * c)})
		}
	}
	return made(a*b*c, edges)
}

// nearest joins points with their nearest.
func nearest(n int, rng *rand.Rand) graphs.Graph {
	points, each := pairs.UniformPoints(n, rng), 2+rng.IntN(5)
	var edges [][2]int
	order := make([]int, n)
	for i, p := range points {
		for j := range order {
			order[j] = j
		}
		slices.SortFunc(order, func(x, y int) int { return cmp.Compare(apart(p, points[x]), apart(p, points[y])) })
		for _, j := range order[1:min(n, each+1)] {
			edges = append(edges, [2]int{i, j})
		}
	}
	return made(n, edges)
}

func apart(p, q graphs.Point) float64 { return math.Hypot(p.X-q.X, p.Y-q.Y) }

// gabriel joins points between which no other lies in the circle over them (Gabriel, Sokal, doi:10.2307/2412323).
func gabriel(n int, rng *rand.Rand) graphs.Graph {
	points := pairs.UniformPoints(n, rng)
	var edges [][2]int
	for _, e := range graphs.Delaunay.Edges(points) {
		p, q := points[e.I], points[e.J]
		middle := graphs.Point{X: (p.X + q.X) / 2, Y: (p.Y + q.Y) / 2}
		if !slices.ContainsFunc(points, func(x graphs.Point) bool { return apart(x, middle) < apart(p, q)/2*(1-1e-9) }) {
			edges = append(edges, [2]int{e.I, e.J})
		}
	}
	return made(n, edges)
}

// relative joins points to which no third is nearer than they are to each other (Toussaint, doi:10.1016/0031-3203(80)90066-7).
func relative(n int, rng *rand.Rand) graphs.Graph {
	points := pairs.UniformPoints(n, rng)
	for k := range points { // denser around the middle of one side
		points[k].X *= math.Sqrt(points[k].X)
	}
	var edges [][2]int
	for _, e := range graphs.Delaunay.Edges(points) {
		p, q := points[e.I], points[e.J]
		if !slices.ContainsFunc(points, func(x graphs.Point) bool { return max(apart(x, p), apart(x, q)) < apart(p, q)*(1-1e-9) }) {
			edges = append(edges, [2]int{e.I, e.J})
		}
	}
	return made(n, edges)
}

// kleinberg is a square grid with an edge or two of each node to another, drawn by the square of how far it is
// (doi:10.1038/35022643).
func kleinberg(n int, rng *rand.Rand) graphs.Graph {
	side := max(4, int(math.Sqrt(float64(n))))
	var edges [][2]int
	for i := range side * side {
		x, y := i%side, i/side
		if x > 0 {
			edges = append(edges, [2]int{i, i - 1})
		}
		if y > 0 {
			edges = append(edges, [2]int{i, i - side})
		}
		for range 1 + rng.IntN(2) {
			for range 100 {
				j := rng.IntN(side * side)
				far := float64(max(x-j%side, j%side-x) + max(y-j/side, j/side-y))
				if far > 1 && rng.Float64() < 4/(far*far) {
					edges = append(edges, [2]int{i, j})
					break
				}
			}
		}
	}
	return made(side*side, edges)
}
