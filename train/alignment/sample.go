package alignment

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/networks"
	"github.com/rgm-go/rgm/qap/align"
	"github.com/rgm-go/rgm/qap/align/belief"
)

// Kinds are the models of graphs that are learned from, and how often each is drawn. Others, of
// barabasi-albert and regular, are kept to try what was learned on kinds that were not.
var kinds = []struct {
	name  string
	share float64
}{
	{randomKind, 0.6}, {"chung-lu", 0.1}, {"watts-strogatz", 0.08}, {"geometric", 0.06}, {blockKind, 0.1}, {treeKind, 0.06},
}

const (
	randomKind = "erdos-renyi"
	blockKind  = "blocks" // random edges, four of five within a group of some twenty nodes
	treeKind   = "tree"   // every node joins an earlier one, and further edges are random
)

// sample is a pair of graphs with its truth: the node of graph 2 of every node of graph 1, or
// belief.Unmatched.
type sample struct {
	pair  *belief.Pair
	truth []int
	edges int // of graph 1 that graph 2 has
}

// drawing says what samples are like.
type drawing struct {
	least, most int     // nodes
	noise       float64 // at most
}

// draw draws a sample: a kind, a size, a degree, and noise, of which one of three times edges are
// gone from graph 2 alone; else as many others come in their place. A fifth of the pairs lacks nodes too.
func (d drawing) draw(rng *rand.Rand) sample {
	kind, r := kinds[0].name, rng.Float64()
	for _, k := range kinds {
		if kind = k.name; r < k.share {
			break
		}
		r -= k.share
	}
	nodes := d.least + rng.IntN(d.most-d.least+1)
	degree := 3 + 3*rng.Float64()
	if kind == randomKind && rng.Float64() < 0.5 {
		degree = 4
	}
	noise, oneWay, gone := d.noise*math.Sqrt(rng.Float64()), rng.Float64() < 1.0/3, 0.0
	if rng.Float64() < 0.2 {
		gone = 0.1 * rng.Float64()
	}
	return newSample(kind, nodes, degree, noise, oneWay, gone, rng)
}

// newSample makes a sample.
func newSample(kind string, nodes int, degree, noise float64, oneWay bool, gone float64, rng *rand.Rand) sample {
	g := graphOf(kind, nodes, degree, rng)
	left := nodes - int(gone*float64(nodes))
	truth := make([]int, nodes)
	for k, i := range rng.Perm(nodes) {
		if truth[i] = k; k >= left {
			truth[i] = belief.Unmatched
		}
	}
	var copied []graphs.Edge
	has := map[graphs.Edge]bool{}
	join := func(i, j int) bool {
		e := graphs.Edge{I: min(i, j), J: max(i, j)}
		if i == j || has[e] {
			return false
		}
		has[e] = true
		copied = append(copied, e)
		return true
	}
	removed := int(noise * float64(len(g)))
	for k, x := range rng.Perm(len(g)) {
		if i, j := truth[g[x].I], truth[g[x].J]; k >= removed && i != belief.Unmatched && j != belief.Unmatched {
			join(i, j)
		}
	}
	edges := len(copied)
	for k := 0; k < removed && !oneWay; {
		if join(rng.IntN(left), rng.IntN(left)) {
			k++
		}
	}
	return sample{belief.NewPair(compressed(nodes, g), compressed(left, copied)), truth, edges}
}

// compressed returns a graph of edges that fit together.
func compressed(nodes int, edges []graphs.Edge) *align.Graph {
	g, err := align.NewGraph(nodes, len(edges), func(k int) (i, j int) { return edges[k].I, edges[k].J }, nil, false)
	if err != nil {
		panic(err) // its ends are drawn from its nodes
	}
	return g
}

// graphOf returns the edges of a graph of a kind.
func graphOf(kind string, nodes int, degree float64, rng *rand.Rand) []graphs.Edge {
	var edges []graphs.Edge
	join := func(i, j int) { edges = append(edges, graphs.Edge{I: min(i, j), J: max(i, j)}) }
	switch kind {
	case blockKind:
		groups := max(2, nodes/20)
		for range int(degree * float64(nodes) / 2) {
			i := rng.IntN(nodes)
			j := rng.IntN(nodes)
			if rng.Float64() < 0.8 {
				j = min(i%groups+groups*rng.IntN(nodes/groups), nodes-1)
			}
			join(i, j)
		}
	case treeKind:
		for i := 1; i < nodes; i++ {
			join(i, rng.IntN(i))
		}
		for len(edges) < int(degree*float64(nodes)/2) {
			join(rng.IntN(nodes), rng.IntN(nodes))
		}
	default:
		g, err := networks.Generate(kind, nodes, degree, rng.Uint64())
		if err != nil {
			panic(err) // a kind and a size that it knows
		}
		return g.Edges
	}
	edges = slices.DeleteFunc(edges, func(e graphs.Edge) bool { return e.I == e.J })
	slices.SortFunc(edges, func(x, y graphs.Edge) int { return cmp.Or(cmp.Compare(x.I, y.I), cmp.Compare(x.J, y.J)) })
	return slices.Compact(edges)
}
