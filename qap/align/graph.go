package align

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/rgm-go/rgm/internal/splitmix"
)

// Graph is a graph in compressed rows: the neighbours of every node, sorted, whichever way
// an edge goes. It does not change once it is made.
type Graph struct {
	start []int     // where the row of each node starts, and the end of the last
	to    []int32   // the neighbours
	out   []float32 // weight of the edge to the neighbour, 0 for none; nil where all edges weigh 1
	in    []float32 // weight of the edge from the neighbour; nil where edges have no direction
	edges int
}

// mostNodes is what 32 bits count, with room.
const mostNodes = 1 << 30

// NewGraph returns the graph of nodes 0 to nodes−1 and edges edge(0) to edge(edges−1), which
// it asks for more than once. Weights are one an edge, or nil for 1 each. Edges from a node to
// itself and those of weight 0 are left out; one that comes again counts once.
func NewGraph(nodes, edges int, edge func(k int) (i, j int), weights []float64, directed bool) (*Graph, error) {
	if nodes < 0 || nodes > mostNodes {
		return nil, fmt.Errorf("align: %d nodes: want 0 to %d", nodes, mostNodes)
	}
	if weights != nil && len(weights) != edges {
		return nil, fmt.Errorf("align: %d weights of %d edges: want one each", len(weights), edges)
	}
	weight := func(k int) float32 {
		if weights == nil {
			return 1
		}
		return float32(weights[k])
	}
	next := make([]int, nodes+1) // entries of each row, then where its next one goes
	for k := range edges {
		i, j := edge(k)
		if min(i, j) < 0 || max(i, j) >= nodes {
			return nil, fmt.Errorf("align: edge %d joins %d and %d: want nodes from 0 to %d", k, i, j, nodes-1)
		}
		if w := float64(weight(k)); math.IsNaN(w) || math.IsInf(w, 0) || w == 0 && weights[k] != 0 {
			return nil, fmt.Errorf("align: the weight of edge %d is %v: want 0, or a number of %.1e to %.1e in size", k, weights[k], math.SmallestNonzeroFloat32, math.MaxFloat32)
		}
		if i != j && weight(k) != 0 {
			next[i]++
			next[j]++
		}
	}
	g := &Graph{start: make([]int, nodes+1)}
	for i := range nodes {
		g.start[i+1] = g.start[i] + next[i]
		next[i] = g.start[i]
	}
	g.allocate(g.start[nodes], weights != nil, directed)
	place := func(i, j int, out, in float32) {
		at := next[i]
		next[i]++
		g.to[at] = int32(j)
		if g.out != nil {
			g.out[at] = out
		}
		if g.in != nil {
			g.in[at] = in
		}
	}
	for k := range edges {
		i, j := edge(k)
		w := weight(k)
		if i == j || w == 0 {
			continue
		}
		back := w
		if directed {
			back = 0
		}
		place(i, j, w, back)
		place(j, i, back, w)
	}
	g.sortRows()
	return g, nil
}

func (g *Graph) allocate(entries int, weighted, directed bool) {
	g.to = make([]int32, entries)
	if weighted || directed {
		g.out = make([]float32, entries)
	}
	if directed {
		g.in = make([]float32, entries)
	}
}

// sortRows sorts every row, and makes one entry of those of one neighbour.
func (g *Graph) sortRows() {
	kept := 0
	for i := range g.Nodes() {
		low, high := g.start[i], g.start[i+1]
		if g.out == nil {
			slices.Sort(g.to[low:high])
		} else {
			sort.Stable(row{g, low, high - low})
		}
		first := kept
		g.start[i] = first
		for e := low; e < high; e++ {
			if kept > first && g.to[kept-1] == g.to[e] {
				g.merge(kept-1, e)
				continue
			}
			g.move(kept, e)
			kept++
		}
	}
	g.start[g.Nodes()] = kept
	g.to = g.to[:kept]
	g.edges = kept / 2
	if g.in == nil {
		return
	}
	g.edges = 0
	for e := range g.to {
		if g.out[e] != 0 {
			g.edges++
		}
	}
}

// row is a row to be sorted with its weights.
type row struct {
	g           *Graph
	low, length int
}

func (r row) Len() int           { return r.length }
func (r row) Less(x, y int) bool { return r.g.to[r.low+x] < r.g.to[r.low+y] }
func (r row) Swap(x, y int) {
	g, x, y := r.g, r.low+x, r.low+y
	g.to[x], g.to[y] = g.to[y], g.to[x]
	g.out[x], g.out[y] = g.out[y], g.out[x]
	if g.in != nil {
		g.in[x], g.in[y] = g.in[y], g.in[x]
	}
}

// merge adds to entry e the direction that only entry other has.
func (g *Graph) merge(e, other int) {
	if g.in != nil {
		g.out[e] = cmp.Or(g.out[e], g.out[other])
		g.in[e] = cmp.Or(g.in[e], g.in[other])
	}
}

func (g *Graph) move(to, from int) {
	g.to[to] = g.to[from]
	if g.out != nil {
		g.out[to] = g.out[from]
	}
	if g.in != nil {
		g.in[to] = g.in[from]
	}
}

// Nodes returns the number of nodes.
func (g *Graph) Nodes() int { return len(g.start) - 1 }

// Edges returns the number of edges, each once; of two directions each counts.
func (g *Graph) Edges() int { return g.edges }

// Directed reports whether edges have a direction.
func (g *Graph) Directed() bool { return g.in != nil }

// uniform reports whether every edge weighs 1.
func (g *Graph) uniform() bool {
	other := func(w float32) bool { return w != 0 && w != 1 }
	return !slices.ContainsFunc(g.out, other) && !slices.ContainsFunc(g.in, other)
}

// usualNeighbours is how many neighbours a neighbour has, in the mean, where MostSteps are for trials of usual length.
const usualNeighbours = 20

// defaultSteps returns the steps of a search without a limit. A trial looks at what neighbours have, so that there are
// fewer of MostSteps among hubs.
func (g *Graph) defaultSteps() int {
	ahead := g.meanSquare() * float64(g.Nodes()) / max(float64(len(g.to)), 1)
	return min(DefaultSteps*g.Nodes(), int(MostSteps*min(1, usualNeighbours/max(ahead, 1))))
}

// Neighbours returns the neighbours of a node, sorted. They must not be changed.
func (g *Graph) Neighbours(i int) []int32 { return g.to[g.start[i]:g.start[i+1]] }

// Degree returns the number of neighbours.
func (g *Graph) Degree(i int) int { return g.start[i+1] - g.start[i] }

// find returns the entry of neighbour j in the row of i, −1 where there is none.
func (g *Graph) find(i, j int) int {
	low, high := g.start[i], g.start[i+1]
	target := int32(j)
	for low < high {
		middle := int(uint(low+high) >> 1)
		if g.to[middle] < target {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low < g.start[i+1] && g.to[low] == target {
		return low
	}
	return -1
}

// weights returns the weights of an entry in the direction of the edge and against it; without
// directions the second is 0.
func (g *Graph) weights(e int) (out, in float32) {
	switch {
	case g.out == nil:
		return 1, 0
	case g.in == nil:
		return g.out[e], 0
	}
	return g.out[e], g.in[e]
}

// thinned returns the graph without a share of its edges, those that a hash of their ends
// chooses, but for the last of a node.
func (g *Graph) thinned(share float64, seed uint64) *Graph {
	threshold := uint64(share * (1 << 32))
	left := make([]int32, g.Nodes())
	for i := range left {
		left[i] = int32(g.Degree(i))
	}
	gone := make([]bool, len(g.to))
	for i := range g.Nodes() {
		for e := g.start[i]; e < g.start[i+1]; e++ {
			j := int(g.to[e])
			if i > j || hash(seed, i, j)>>32 >= threshold || left[i] < 2 || left[j] < 2 {
				continue
			}
			left[i]--
			left[j]--
			gone[e], gone[g.find(j, i)] = true, true
		}
	}
	t := &Graph{start: make([]int, g.Nodes()+1)}
	for i := range left {
		t.start[i+1] = t.start[i] + int(left[i])
	}
	t.allocate(t.start[g.Nodes()], g.out != nil, g.in != nil)
	kept := 0
	for e := range g.to {
		if gone[e] {
			continue
		}
		t.to[kept] = g.to[e]
		if g.out != nil {
			t.out[kept] = g.out[e]
		}
		if g.in != nil {
			t.in[kept] = g.in[e]
		}
		kept++
	}
	t.edges = kept / 2
	return t
}

// hash mixes a seed and two numbers.
func hash(seed uint64, i, j int) uint64 { return splitmix.Mix(seed ^ uint64(i)<<32 ^ uint64(j)) }
