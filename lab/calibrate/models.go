package main

import (
	"math/rand/v2"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/statistics"
)

// made returns the graph of some edges.
func made(n int, edges [][2]int) graphs.Graph {
	g := graphs.Graph{Nodes: n}
	for _, e := range edges {
		if e[0] != e[1] {
			g.Edges = append(g.Edges, graphs.Edge{I: min(e[0], e[1]), J: max(e[0], e[1])})
		}
	}
	g.Edges = sorted(g.Edges)
	return g
}

// tree is a random recursive one.
func tree(rng *rand.Rand) graphs.Graph {
	n := 30 + rng.IntN(200)
	var edges [][2]int
	for i := 1; i < n; i++ {
		edges = append(edges, [2]int{i, rng.IntN(i)})
	}
	return made(n, edges)
}

// regular is a graph of nearly equal degrees: random rings laid over each other.
func regular(rng *rand.Rand) graphs.Graph {
	n := 30 + rng.IntN(200)
	var edges [][2]int
	for range 2 + rng.IntN(3) {
		order := rng.Perm(n)
		for k := range n {
			edges = append(edges, [2]int{order[k], order[(k+1)%n]})
		}
	}
	return made(n, edges)
}

// blocks has groups of nodes with more edges inside (stochastic block model).
func blocks(rng *rand.Rand) graphs.Graph {
	n, groups := 40+rng.IntN(200), 3+rng.IntN(5)
	inside, outside := statistics.Between(3, 9, rng)*float64(groups)/float64(n), statistics.Between(0.5, 2, rng)/float64(n)
	var edges [][2]int
	for i := range n {
		for j := range i {
			share := outside
			if i%groups == j%groups {
				share = inside
			}
			if rng.Float64() < share {
				edges = append(edges, [2]int{i, j})
			}
		}
	}
	return made(n, edges)
}

// caves are cliques in a ring, a tenth of whose edges go elsewhere.
func caves(rng *rand.Rand) graphs.Graph {
	size, count := 4+rng.IntN(5), 6+rng.IntN(20)
	n := size * count
	var edges [][2]int
	for i := range n {
		for j := i - i%size; j < i; j++ {
			if rng.Float64() < 0.1 {
				edges = append(edges, [2]int{i, rng.IntN(n)})
			} else {
				edges = append(edges, [2]int{i, j})
			}
		}
		if i%size == 0 {
			edges = append(edges, [2]int{i, (i + n - 1) % n})
		}
	}
	return made(n, edges)
}

// duplicated grows by copies of nodes that keep two edges in five and may be joined with what they are copies of
// (duplication and divergence, as networks of proteins).
func duplicated(rng *rand.Rand) graphs.Graph {
	n := 40 + rng.IntN(160)
	edges, near := [][2]int{{0, 1}}, [][]int{{1}, {0}}
	for i := 2; i < n; i++ {
		of := rng.IntN(i)
		var mine []int
		for _, j := range near[of] {
			if rng.Float64() < 0.4 {
				mine = append(mine, j)
			}
		}
		if len(mine) == 0 || rng.IntN(3) == 0 {
			mine = append(mine, of)
		}
		near = append(near, mine)
		for _, j := range mine {
			edges = append(edges, [2]int{i, j})
			near[j] = append(near[j], i)
		}
	}
	return made(n, edges)
}

// triangulated is the triangulation of random points, without these.
func triangulated(rng *rand.Rand) graphs.Graph {
	n := 30 + rng.IntN(170)
	var edges [][2]int
	for _, e := range graphs.Delaunay.Edges(pairs.UniformPoints(n, rng)) {
		edges = append(edges, [2]int{e.I, e.J})
	}
	return made(n, edges)
}

// clustered grows by degrees, and closes triangles (Holme, Kim, doi:10.1103/PhysRevE.65.026107).
func clustered(rng *rand.Rand) graphs.Graph {
	n, each := 40+rng.IntN(200), 2+rng.IntN(3)
	var edges [][2]int
	ends, near := []int{0}, make([][]int, n)
	for i := 1; i < n; i++ {
		last := -1
		for range min(each, i) {
			j := ends[rng.IntN(len(ends))]
			if last >= 0 && len(near[last]) > 0 && rng.IntN(3) > 0 {
				j = near[last][rng.IntN(len(near[last]))]
			}
			if j == i {
				continue
			}
			edges, near[j], last = append(edges, [2]int{i, j}), append(near[j], i), j
			ends = append(ends, i, j)
		}
	}
	return made(n, edges)
}

// grid is a square or a triangular one, with a twentieth of its edges gone.
func grid(triangular bool, rng *rand.Rand) graphs.Graph {
	rows, columns := 5+rng.IntN(10), 5+rng.IntN(10)
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
