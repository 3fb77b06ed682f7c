package rigid

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// edges are those of a graph of n nodes.
type edges struct {
	n    int
	list [][2]int32
}

func lattice(rows, columns int, round bool) (e edges) {
	e.n = rows * columns
	at := func(r, c int) int32 { return int32(r%rows*columns + c%columns) }
	for r := range rows {
		for c := range columns {
			if r+1 < rows || round {
				e.list = append(e.list, [2]int32{at(r, c), at(r+1, c)})
			}
			if c+1 < columns || round {
				e.list = append(e.list, [2]int32{at(r, c), at(r, c+1)})
			}
		}
	}
	return e
}

func hexagons(rows, columns int) edges {
	e := lattice(rows, columns, false)
	e.list = slices.DeleteFunc(e.list, func(x [2]int32) bool { return x[1] == x[0]+1 && (int(x[0])/columns+int(x[0])%columns)%2 == 1 })
	return e
}

// regular is the union of random rings through all nodes, each of which adds 2 to the degrees.
func regular(n, rings int, rng *rand.Rand) (e edges) {
	e.n = n
	for range rings {
		order := rng.Perm(n)
		for k, i := range order {
			e.list = append(e.list, [2]int32{int32(i), int32(order[(k+1)%n])})
		}
	}
	return e
}

func hypercube(d int) (e edges) {
	e.n = 1 << d
	for i := range e.n {
		for b := range d {
			if j := i ^ 1<<b; i < j {
				e.list = append(e.list, [2]int32{int32(i), int32(j)})
			}
		}
	}
	return e
}

func (e edges) graph() Graph {
	rows := make([][]int32, e.n)
	for _, x := range e.list {
		if x[0] != x[1] {
			rows[x[0]], rows[x[1]] = append(rows[x[0]], x[1]), append(rows[x[1]], x[0])
		}
	}
	g := Graph{Start: make([]int, e.n+1)}
	for i, row := range rows {
		slices.Sort(row)
		g.To = append(g.To, slices.Compact(row)...)
		g.Start[i+1] = len(g.To)
	}
	return g
}

// copied returns the edges without a share of them, nodes in another order, and how many are left.
func (e edges) copied(removed float64, rng *rand.Rand) (Graph, int) {
	order := rng.Perm(e.n)
	c := edges{n: e.n}
	for _, x := range e.list {
		if rng.Float64() >= removed {
			c.list = append(c.list, [2]int32{int32(order[x[0]]), int32(order[x[1]])})
		}
	}
	g := c.graph()
	return g, g.edges()
}

// TestSearch: on graphs whose nodes look alike all edges of a copy that keeps 98 % of them are found, of fresh
// graphs and copies, from either side.
func TestSearch(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	for name, e := range map[string]edges{
		"grid": lattice(15, 16, false), "torus": lattice(14, 14, true), "hexagons": hexagons(20, 12), "4-regular": regular(250, 2, rng), "hypercube": hypercube(7),
	} {
		t.Run(name, func(t *testing.T) {
			g1 := e.graph()
			g2, planted := e.copied(0.02, rng)
			one, other := &g1, &g2
			if rng.IntN(2) == 0 {
				one, other = other, one
			}
			best := 0
			for k := range uint64(3) { // a lattice shifted by a row is rare, and keeps nearly all
				r := Search(one, other, Options{Seed: seed + k, Work: 60_000_000})
				if shared := valid(t, one, other, r); shared != r.Shared {
					t.Fatalf("seed %d: %d edges shared, told %d", seed, shared, r.Shared)
				}
				if best = max(best, r.Shared); best == planted {
					break
				}
			}
			if best < planted {
				t.Errorf("seed %d: %d edges shared of %d", seed, best, planted)
			}
		})
	}
}

// valid counts the shared edges of a matching, which takes no node twice.
func valid(t *testing.T, g1, g2 *Graph, r Result) int {
	t.Helper()
	taken := make([]bool, g2.nodes())
	for _, j := range r.Matching {
		if j >= 0 {
			if taken[j] {
				t.Fatalf("node %d is taken twice", j)
			}
			taken[j] = true
		}
	}
	shared := 0
	g1.each(func(i, j int32) {
		if k, l := r.Matching[i], r.Matching[j]; k >= 0 && l >= 0 && g2.joined(k, l) {
			shared++
		}
	})
	return shared
}

// TestMend: where a fifth of the edges differ on both sides, mending adds to what hypotheses found.
func TestMend(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	e := lattice(14, 14, false)
	g1 := e.graph()
	other, _ := e.copied(0.1, rng)
	g2 := other.changed(0, 0.1, &random{})
	without := Search(&g1, &g2, Options{Seed: 1, Work: 40_000_000, Hope: 2})
	with := Search(&g1, &g2, Options{Seed: 1, Work: 40_000_000})
	if !without.GaveUp || without.Rounds != 1 || with.Shared <= without.Shared {
		t.Errorf("%d edges shared, %d by one round of hypotheses (%+v)", with.Shared, without.Shared, without)
	}
}

// TestRepeatable: a seed and a number of steps give one result, and what ends a search leaves a matching.
func TestRepeatable(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	e := regular(120, 2, rng)
	g1 := e.graph()
	g2, _ := e.copied(0.2, rng)
	first := Search(&g1, &g2, Options{Seed: 7, Work: 5_000_000})
	if again := Search(&g1, &g2, Options{Seed: 7, Work: 5_000_000}); fmt.Sprint(again) != fmt.Sprint(first) {
		t.Error("two runs of one seed differ")
	}
	for _, looks := range []int{0, 1, 5, 50, 500} {
		left := looks
		r := Search(&g1, &g2, Options{Spent: func() float64 { left--; return float64(looks-left) / float64(looks+1) }})
		if valid(t, &g1, &g2, r) != r.Shared {
			t.Errorf("stopped after %d looks: %d edges told", looks, r.Shared)
		}
	}
}

// TestOddGraphs: graphs without edges or nodes, of other sizes, and stars are no trouble.
func TestOddGraphs(t *testing.T) {
	star := edges{n: 60}
	for i := int32(1); i < 60; i++ {
		star.list = append(star.list, [2]int32{0, i})
	}
	all := []edges{{n: 0}, {n: 1}, {n: 30}, {n: 2, list: [][2]int32{{0, 1}}}, star, lattice(6, 7, true)}
	for x, e1 := range all {
		for y, e2 := range all {
			g1, g2 := e1.graph(), e2.graph()
			r := Search(&g1, &g2, Options{Seed: 1, Work: 300_000})
			if len(r.Matching) != e1.n || valid(t, &g1, &g2, r) != r.Shared {
				t.Errorf("graphs %d and %d: %+v", x, y, r)
			}
		}
	}
}

// BenchmarkGrow reports the time for each node that a hypothesis matches, on a lattice of 10,000 nodes.
func BenchmarkGrow(b *testing.B) {
	e := lattice(100, 100, false)
	g1 := e.graph()
	g2, _ := e.copied(0.02, rand.New(rand.NewPCG(1, 1)))
	p, _ := newPrior(&g1, &g2, &random{}, func() bool { return false })
	g := newGrowth(&g1, &g2, p)
	g.noise = growthNoise
	var matched []int32
	nodes := 0
	b.ReportAllocs()
	for k := 0; b.Loop(); k++ {
		h := hypothesis{i: 50, j: int32(k % 10000), seed: uint64(k)}
		matched = g.test(&h, 1000, matched)
		nodes += len(matched)
		g.release(matched)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
}
