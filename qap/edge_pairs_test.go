package qap

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rgm-go/rgm/internal/must"
)

// randomEdges returns a share of the edges of n nodes, in any direction and order.
func randomEdges(rng *rand.Rand, n int, share float64) [][2]int {
	var edges [][2]int
	for i := range n {
		for j := range i {
			if rng.Float64() < share {
				edges = append(edges, [2]int{i, j})
			}
		}
	}
	rng.Shuffle(len(edges), func(x, y int) { edges[x], edges[y] = edges[y], edges[x] })
	for _, ends := range edges {
		if rng.IntN(2) == 0 {
			ends[0], ends[1] = ends[1], ends[0]
		}
	}
	return edges
}

// edgePairTriplet returns the affinity of two random graphs by pairs of edges, as a
// sparse matrix and as a dense one.
func edgePairTriplet(t testing.TB, rng *rand.Rand, n1, n2 int, share float64, sense Sense) (pairs, sparse, dense *Instance) {
	t.Helper()
	edges1, edges2 := randomEdges(rng, n1, share), randomEdges(rng, n2, share)
	node := make([]float64, n1*n2)
	k := make([]float64, n1*n2*n1*n2)
	var entries []Entry
	put := func(p, q int, v float64) {
		k[p*n1*n2+q] = v
		entries = append(entries, Entry{p, q, v})
	}
	for p := range node {
		node[p] = rng.NormFloat64()
		put(p, p, node[p])
	}
	edge := make(map[[3]int]float64)
	for e, x := range edges1 {
		for f, y := range edges2 {
			for across := range 2 {
				v := rng.NormFloat64()
				edge[[3]int{e, f, across}] = v
				p, q := x[0]*n2+y[across], x[1]*n2+y[1-across]
				put(p, q, v)
				put(q, p, v)
			}
		}
	}
	pairs = must.Get(NewEdgePairs(n1, n2, edges1, edges2, node, func(e, f int, crosswise bool) float64 {
		if crosswise {
			return edge[[3]int{e, f, 1}]
		}
		return edge[[3]int{e, f, 0}]
	}, sense))(t)
	return pairs, must.Get(NewSparse(n1, n2, entries, sense))(t), must.Get(NewDense(n1, n2, k, sense))(t)
}

// TestEdgePairsAreTheirMatrix compares every entry, row and product, and episodes, with
// those of the same K, sparse and dense.
func TestEdgePairsAreTheirMatrix(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 1))
	for _, size := range [][2]int{{5, 5}, {4, 7}, {6, 3}, {1, 4}, {9, 9}, {0, 3}} {
		for _, share := range []float64{0, .3, 1} {
			for _, sense := range []Sense{Maximize, Minimize} {
				pairs, sparse, dense := edgePairTriplet(t, rng, size[0], size[1], share, sense)
				for _, other := range []*Instance{sparse, dense} {
					compareMatrices(t, pairs, other, rng)
				}
				if n1, n2 := pairs.Size(); n1*n2 > 0 {
					compareEpisodes(t, NewEnvironment(pairs, EnvironmentOptions{Release: true}), NewEnvironment(sparse, EnvironmentOptions{Release: true}), rng)
					compareEpisodes(t, NewEnvironment(pairs, EnvironmentOptions{}), NewEnvironment(dense, EnvironmentOptions{}), rng)
				}
			}
		}
	}
}

func compareMatrices(t *testing.T, pairs, other *Instance, rng *rand.Rand) {
	t.Helper()
	n1, n2 := pairs.Size()
	n := n1 * n2
	k, l := pairs.Affinity, other.Affinity
	row, want, x := make([]float64, n), make([]float64, n), make([]float64, n)
	longest := k.(Rows).LongestRow()
	q, values := make([]int32, longest), make([]float64, longest)
	for p := range n {
		x[p] = rng.NormFloat64()
		k.Row(row, p)
		l.Row(want, p)
		columns, held := k.(Rows).RowEntries(p, q, values)
		for at, q := range columns {
			if held[at] != want[q] || at > 0 && columns[at-1] >= q {
				t.Fatalf("row %d holds %v at %d, want %v and columns that increase: %v", p, held[at], q, want[q], columns)
			}
		}
		for q, v := range want {
			if row[q] != v || k.At(p, q) != v {
				t.Fatalf("K[%d,%d] = %v, in its row %v; want %v", p, q, k.At(p, q), row[q], v)
			}
		}
	}
	k.Multiply(row, x)
	l.Multiply(want, x)
	for p := range row {
		if math.Abs(row[p]-want[p]) > 1e-12 { // sums in another order
			t.Fatalf("K·x at %d is %v, want %v", p, row[p], want[p])
		}
	}
	edges := make(map[[2]int]float64)
	pairs.EachEdge(func(p, q int, v float64) { edges[[2]int{p, q}] = v })
	other.EachEdge(func(p, q int, v float64) {
		if edges[[2]int{p, q}] != v {
			t.Fatalf("edge %d-%d: %v, want %v", p, q, edges[[2]int{p, q}], v)
		}
		delete(edges, [2]int{p, q})
	})
	if len(edges) > 0 {
		t.Fatalf("edges that K has not: %v", edges)
	}
}

func TestMappedEdgePairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 2))
	pairs, sparse, _ := edgePairTriplet(t, rng, 6, 5, .5, Maximize)
	node := make([]float64, 30)
	for p := range node {
		node[p] = rng.NormFloat64()
	}
	one := must.Get(pairs.MapAffinities(math.Exp, node))(t)
	other := must.Get(sparse.MapAffinities(math.Exp, node))(t)
	compareMatrices(t, one, other, rng)
	if _, err := pairs.MapAffinities(func(float64) float64 { return math.NaN() }, node); err == nil {
		t.Error("NaN is accepted")
	}
}

func TestRelabelledEdgePairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 3))
	pairs, _, _ := edgePairTriplet(t, rng, 6, 5, .5, Maximize)
	order1, order2 := rng.Perm(6), rng.Perm(5)
	now := pairs.Affinity.(*EdgePairs).Relabelled(order1, order2)
	was := func(p int) int { return order1[p/5]*5 + order2[p%5] }
	for p := range 30 {
		for q := range 30 {
			if now.At(p, q) != pairs.Affinity.At(was(p), was(q)) {
				t.Fatalf("K[%d,%d] = %v, want %v", p, q, now.At(p, q), pairs.Affinity.At(was(p), was(q)))
			}
		}
	}
}

func TestBadEdgePairs(t *testing.T) {
	one := func(int, int, bool) float64 { return 1 }
	good := [][2]int{{0, 1}, {1, 2}}
	for want, make := range map[string]func() (*Instance, error){
		"want 0..2": func() (*Instance, error) { return NewEdgePairs(3, 3, [][2]int{{0, 3}}, good, nil, one, Maximize) },
		"to itself": func() (*Instance, error) { return NewEdgePairs(3, 3, good, [][2]int{{1, 1}}, nil, one, Maximize) },
		"twice": func() (*Instance, error) {
			return NewEdgePairs(3, 3, [][2]int{{0, 1}, {1, 0}}, good, nil, one, Maximize)
		},
		"node affinities": func() (*Instance, error) { return NewEdgePairs(3, 3, good, good, []float64{1}, one, Maximize) },
		"finite": func() (*Instance, error) {
			return NewEdgePairs(3, 3, good, good, nil, func(int, int, bool) float64 { return math.Inf(1) }, Maximize)
		},
		"overflow": func() (*Instance, error) {
			return NewEdgePairs(3, 3, good, good, nil, func(int, int, bool) float64 { return 1e305 }, Maximize)
		},
		"nodes": func() (*Instance, error) { return NewEdgePairs(-1, 3, nil, nil, nil, one, Maximize) },
	} {
		if _, err := make(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one of %q", err, want)
		}
	}
}
