package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/networks"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/statistics"
)

// model makes graphs of about n nodes. Those held out have no part in the maps.
type model struct {
	name  string
	held  bool
	graph func(n int, rng *rand.Rand) graphs.Graph
}

// models returns the models of graphs without attributes.
func models() []model {
	all := []model{
		{"trees", false, tree}, {"regular graphs", false, regular}, {"blocks", false, blocks}, {"caves", false, caves},
		{"square grids", false, func(n int, rng *rand.Rand) graphs.Graph { return grid(n, false, rng) }},
		{"triangular grids", false, func(n int, rng *rand.Rand) graphs.Graph { return grid(n, true, rng) }},
		{"duplication and divergence", false, duplicated}, {"triangulations", false, triangulated}, {"scale-free clusters", false, clustered},
		{"hexagons", false, hexagons}, {"cubes", false, cubes}, {"nearest neighbours of points", false, nearest}, {"rings and chains", false, chains},
		{"core and periphery", false, periphery}, {"stacked triangles", false, stacked}, {"two sides", false, twoSides}, {"quadrants", false, quadrants},
		{"trees of points, and short edges", false, power},
		{"forest fires", false, fire}, {"collaborations", false, together}, {"gabriel graphs", false, gabriel},
		{"hierarchies", false, hierarchy}, {"small worlds in the plane", false, kleinberg}, {"relative neighbours", false, relative},
		{"recent citations", true, recent}, {"latent positions", true, latent}, {"linked polymers", true, polymers},
		{"neighbours on a globe", true, globe}, {"calls of functions", true, calls}, {"streets", true, streets}, {"food webs", true, webs},
		{"circuits", true, circuits}, {"folded chains", true, folded},
	}
	for _, name := range networks.Kinds() {
		all = append(all, model{name, false, func(n int, rng *rand.Rand) graphs.Graph {
			g, err := networks.Generate(name, n, min(statistics.Between(2, 14, rng), float64(n-1)/3), rng.Uint64())
			if err != nil {
				panic(err) // the sizes are those that it takes
			}
			return g
		}})
	}
	return all
}

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
func tree(n int, rng *rand.Rand) graphs.Graph {
	var edges [][2]int
	for i := 1; i < n; i++ {
		edges = append(edges, [2]int{i, rng.IntN(i)})
	}
	return made(n, edges)
}

// regular is a graph of nearly equal degrees: random rings laid over each other.
func regular(n int, rng *rand.Rand) graphs.Graph {
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
func blocks(n int, rng *rand.Rand) graphs.Graph {
	groups := 2 + rng.IntN(6)
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
func caves(n int, rng *rand.Rand) graphs.Graph {
	size := 4 + rng.IntN(5)
	n = max(3, n/size) * size
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
func duplicated(n int, rng *rand.Rand) graphs.Graph {
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
func triangulated(n int, rng *rand.Rand) graphs.Graph {
	var edges [][2]int
	for _, e := range graphs.Delaunay.Edges(pairs.UniformPoints(n, rng)) {
		edges = append(edges, [2]int{e.I, e.J})
	}
	return made(n, edges)
}

// clustered grows by degrees, and closes triangles (Holme, Kim, doi:10.1103/PhysRevE.65.026107).
func clustered(n int, rng *rand.Rand) graphs.Graph {
	each := 2 + rng.IntN(3)
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

// chains are rings of five and six, and chains, joined as molecules are.
func chains(n int, rng *rand.Rand) graphs.Graph {
	edges := [][2]int{}
	count := 1
	for count < n {
		from, size := rng.IntN(count), 1+rng.IntN(3)
		ring := rng.IntN(2) == 0
		if ring {
			size = 4 + rng.IntN(2)
		}
		last := from
		for range size {
			edges, last = append(edges, [2]int{last, count}), count
			count++
		}
		if ring {
			edges = append(edges, [2]int{last, from})
		}
	}
	return made(count, edges)
}

// periphery has a dense core, to which the others are joined by a few edges.
func periphery(n int, rng *rand.Rand) graphs.Graph {
	core := max(4, n/(4+rng.IntN(6)))
	share := statistics.Between(2, 8, rng) / float64(core)
	var edges [][2]int
	for i := range n {
		if i >= core {
			for range 1 + rng.IntN(3) {
				edges = append(edges, [2]int{i, rng.IntN(core)})
			}
			continue
		}
		for j := range i {
			if rng.Float64() < share {
				edges = append(edges, [2]int{i, j})
			}
		}
	}
	return made(n, edges)
}

// stacked puts each node into a triangle that there is, and joins it with its corners (Apollonian).
func stacked(n int, rng *rand.Rand) graphs.Graph {
	edges, triangles := [][2]int{{0, 1}, {0, 2}, {1, 2}}, [][3]int{{0, 1, 2}}
	for i := 3; i < n; i++ {
		t := triangles[rng.IntN(len(triangles))]
		for k, j := range t {
			edges = append(edges, [2]int{i, j})
			triangles = append(triangles, [3]int{i, j, t[(k+1)%3]})
		}
	}
	return made(n, edges)
}

// twoSides joins nodes of two sides, some more often than others.
func twoSides(n int, rng *rand.Rand) graphs.Graph {
	one, power := max(2, n/(2+rng.IntN(4))), statistics.Between(1, 3, rng)
	var edges [][2]int
	for range int(statistics.Between(1.2, 4, rng) * float64(n)) {
		i := int(float64(one) * math.Pow(rng.Float64(), power))
		edges = append(edges, [2]int{i, one + rng.IntN(n-one)})
	}
	return made(n, edges)
}

// quadrants draws edges by quarters of quarters of the matrix (R-MAT).
func quadrants(n int, rng *rand.Rand) graphs.Graph {
	size := 1
	for size < n {
		size *= 2
	}
	a := statistics.Between(0.4, 0.6, rng)
	b := (1 - a) / 3 * statistics.Between(0.8, 1.2, rng)
	var edges [][2]int
	for range int(statistics.Between(1.5, 5, rng) * float64(n)) {
		i, j := 0, 0
		for half := size / 2; half > 0; half /= 2 {
			switch u := rng.Float64(); {
			case u < a:
			case u < a+b:
				i += half
			case u < a+2*b:
				j += half
			default:
				i, j = i+half, j+half
			}
		}
		if i < n && j < n {
			edges = append(edges, [2]int{i, j})
		}
	}
	return made(n, edges)
}

// power joins each point with the nearest of those before, and some with one more, as lines of power are.
func power(n int, rng *rand.Rand) graphs.Graph {
	points, more := pairs.UniformPoints(n, rng), rng.Float64()
	var edges [][2]int
	order := make([]int, 0, n)
	for i, p := range points {
		slices.SortFunc(order, func(x, y int) int { return cmp.Compare(apart(p, points[x]), apart(p, points[y])) })
		for k := range min(2, len(order)) {
			if k == 0 || rng.Float64() < more {
				edges = append(edges, [2]int{i, order[k]})
			}
		}
		order = append(order, i)
	}
	return made(n, edges)
}

// fire grows as a fire spreads: a node joins another, and then some of its neighbours, and theirs (Leskovec and others,
// doi:10.1145/1217299.1217301).
func fire(n int, rng *rand.Rand) graphs.Graph {
	var edges [][2]int
	near, spread := make([][]int, n), statistics.Between(0.2, 0.45, rng)
	for i := 1; i < n; i++ {
		burning, seen := []int{rng.IntN(i)}, map[int]bool{}
		for len(burning) > 0 && len(seen) < 30 {
			j := burning[0]
			if burning = burning[1:]; seen[j] {
				continue
			}
			seen[j] = true
			edges = append(edges, [2]int{i, j})
			for _, k := range near[j] {
				if !seen[k] && rng.Float64() < spread {
					burning = append(burning, k)
				}
			}
		}
		for _, e := range edges {
			if e[0] == i {
				near[i], near[e[1]] = append(near[i], e[1]), append(near[e[1]], i)
			}
		}
	}
	return made(n, edges)
}

// together joins all that take part in the same works, which have some of the same people again.
func together(n int, rng *rand.Rand) graphs.Graph {
	var edges [][2]int
	var takers []int
	for i := range n {
		works := 1 + rng.IntN(2)
		for range works {
			team := []int{i}
			for range 1 + rng.IntN(3) {
				if len(takers) > 0 && rng.IntN(3) > 0 {
					team = append(team, takers[rng.IntN(len(takers))])
				} else {
					team = append(team, rng.IntN(n))
				}
			}
			for k, x := range team {
				for _, y := range team[:k] {
					edges = append(edges, [2]int{x, y})
				}
			}
			takers = append(takers, team...)
		}
	}
	return made(n, edges)
}

// hierarchy has modules of modules: edges are rarer the higher the module that two nodes have in common.
func hierarchy(n int, rng *rand.Rand) graphs.Graph {
	size, fall := 3+rng.IntN(3), statistics.Between(0.3, 0.7, rng)
	var edges [][2]int
	for i := range n {
		for j := range i {
			share, a, b := 0.9, i/size, j/size
			for a != b {
				share, a, b = share*fall/float64(size), a/size, b/size
			}
			if rng.Float64() < share {
				edges = append(edges, [2]int{i, j})
			}
		}
	}
	return made(n, edges)
}
