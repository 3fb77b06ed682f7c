package qap

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// EdgePairs is the affinity matrix of two graphs, held by pairs of their edges: it
// takes |E1|·|E2| numbers, where K has the square of n1·n2.
//
// K[ia,jb] is not 0 only where (i,j) is an edge of graph 1 and (a,b) one of graph 2. A
// row of K lists the neighbours of i times those of a; none of it is stored.
type EdgePairs struct {
	n1, n2         int
	edges1, edges2 [][2]int
	graph1, graph2 neighbours
	diagonal       []float64
	value          []float64 // of (e,f): matched end to end in their order, then crosswise
}

// neighbours are those of the nodes of a graph: of node i, [start[i], start[i+1]) of
// node and arc, sorted. The edge (i,j) has arc 2e from i to j, and 2e+1 back.
type neighbours struct {
	start     []int
	node, arc []int32
	most      int // of a node
}

// NewEdgePairs returns the instance of matching two graphs by their edges. Each edge
// joins two nodes and is listed once. edge(e, f, crosswise) is the affinity of edges
// e = (i,j) and f = (a,b) in the user's sense, where i matches a and j matches b or,
// crosswise, i matches b and j matches a: the entry K[ia,jb], which counts twice in a
// score. node holds K[p,p] of every vertex; nil is 0. An edge that is none or comes
// twice, or a value that is not finite, is an error.
func NewEdgePairs(
	n1, n2 int, edges1, edges2 [][2]int, node []float64, edge func(e, f int, crosswise bool) float64, sense Sense,
) (*Instance, error) {
	if err := checkSize(n1, n2); err != nil {
		return nil, err
	}
	k := &EdgePairs{n1: n1, n2: n2, edges1: edges1, edges2: edges2, diagonal: make([]float64, n1*n2)}
	var err error
	if k.graph1, err = newNeighbours(1, n1, edges1); err != nil {
		return nil, err
	}
	if k.graph2, err = newNeighbours(2, n2, edges2); err != nil {
		return nil, err
	}
	if node != nil && len(node) != n1*n2 {
		return nil, fmt.Errorf("qap: %d node affinities, want %d·%d", len(node), n1, n2)
	}
	for p, v := range node {
		k.diagonal[p] = sense.sign() * v
	}
	k.value = make([]float64, 0, 2*len(edges1)*len(edges2))
	for e := range edges1 {
		for f := range edges2 {
			k.value = append(k.value, sense.sign()*edge(e, f, false), sense.sign()*edge(e, f, true))
		}
	}
	if err := k.check(); err != nil {
		return nil, err
	}
	return &Instance{Sense: sense, Affinity: k}, nil
}

// newNeighbours sorts out the edges of a graph.
func newNeighbours(graph, n int, edges [][2]int) (neighbours, error) {
	g := neighbours{start: make([]int, n+1), node: make([]int32, 2*len(edges)), arc: make([]int32, 2*len(edges))}
	for e, ends := range edges {
		for _, i := range ends {
			if i < 0 || i >= n {
				return g, fmt.Errorf("qap: edge %d of graph %d joins node %d: want 0..%d", e, graph, i, n-1)
			}
			g.start[i+1]++
		}
		if ends[0] == ends[1] {
			return g, fmt.Errorf("qap: edge %d of graph %d joins node %d to itself", e, graph, ends[0])
		}
	}
	for i := range n {
		g.most = max(g.most, g.start[i+1])
		g.start[i+1] += g.start[i]
	}
	arcs := make([]int32, 2*len(edges)) // by their first nodes
	end := slices.Clone(g.start)
	for e, ends := range edges {
		for back, i := range ends {
			arcs[end[i]] = int32(2*e + back)
			end[i]++
		}
	}
	target := func(arc int32) int { return edges[arc/2][1-arc%2] }
	for i := range n {
		own := arcs[g.start[i]:g.start[i+1]]
		slices.SortFunc(own, func(x, y int32) int { return cmp.Compare(target(x), target(y)) })
		for k, arc := range own {
			if k > 0 && target(own[k-1]) == target(arc) {
				return g, fmt.Errorf("qap: graph %d has the edge of nodes %d and %d twice", graph, i, target(arc))
			}
			g.node[g.start[i]+k], g.arc[g.start[i]+k] = int32(target(arc)), arc
		}
	}
	return g, nil
}

func (k *EdgePairs) check() error {
	if err := checkFinite("node affinity", k.diagonal, max(k.n2, 1)); err != nil {
		return err
	}
	if err := checkFinite("edge affinity", k.value, max(2*len(k.edges2), 1)); err != nil {
		return err
	}
	return checkMagnitude(max(maxAbs(k.value), maxAbs(k.diagonal)), k.n1, k.n2)
}

// of returns the neighbours of node i and the arcs to them.
func (g *neighbours) of(i int) (node, arc []int32) {
	return g.node[g.start[i]:g.start[i+1]], g.arc[g.start[i]:g.start[i+1]]
}

// find returns the arc from i to j; false where there is none.
func (g *neighbours) find(i, j int) (int, bool) {
	node, arc := g.of(i)
	at, ok := slices.BinarySearch(node, int32(j))
	if !ok {
		return 0, false
	}
	return int(arc[at]), true
}

// pairs returns the affinities of the edge of an arc of graph 1 with every edge of
// graph 2. That with arc f is at f^crosswise.
func (k *EdgePairs) pairs(arc int32) (values []float64, crosswise int32) {
	width := 2 * len(k.edges2)
	e := int(arc / 2)
	return k.value[e*width : (e+1)*width], arc % 2
}

// Size returns the numbers of nodes of the two graphs.
func (k *EdgePairs) Size() (n1, n2 int) { return k.n1, k.n2 }

// At returns K[p,q].
func (k *EdgePairs) At(p, q int) float64 {
	if p == q {
		return k.diagonal[p]
	}
	e, ok := k.graph1.find(p/k.n2, q/k.n2)
	if !ok {
		return 0
	}
	f, ok := k.graph2.find(p%k.n2, q%k.n2)
	if !ok {
		return 0
	}
	values, crosswise := k.pairs(int32(e))
	return values[int32(f)^crosswise]
}

// Diagonal writes K[p,p] into dst, one number a vertex.
func (k *EdgePairs) Diagonal(dst []float64) { copy(dst, k.diagonal) }

// AddRow adds scale·K[p,q] to dst[q] for every q that does not conflict with p and is not p itself.
func (k *EdgePairs) AddRow(dst []float64, p int, scale float64) {
	js, es := k.graph1.of(p / k.n2)
	bs, fs := k.graph2.of(p % k.n2)
	fs = fs[:len(bs)]
	for x, j := range js {
		values, crosswise := k.pairs(es[x])
		row := dst[int(j)*k.n2 : (int(j)+1)*k.n2]
		for y, b := range bs {
			row[b] += scale * values[fs[y]^crosswise]
		}
	}
}

// Row writes K[p,q] of all q into dst.
func (k *EdgePairs) Row(dst []float64, p int) {
	clear(dst[:len(k.diagonal)])
	k.AddRow(dst, p, 1)
	dst[p] = k.diagonal[p]
}

// RowEntries returns the entries of a row that are not 0 (see Rows).
func (k *EdgePairs) RowEntries(p int, q []int32, value []float64) ([]int32, []float64) {
	js, es := k.graph1.of(p / k.n2)
	bs, fs := k.graph2.of(p % k.n2)
	fs = fs[:len(bs)]
	q, value = q[:len(js)*len(bs)], value[:len(js)*len(bs)]
	at := 0
	for x, j := range js {
		values, crosswise := k.pairs(es[x])
		first := j * int32(k.n2)
		for y, b := range bs {
			q[at], value[at] = first+b, values[fs[y]^crosswise]
			at++
		}
	}
	return q, value
}

// LongestRow returns the most entries that a row has.
func (k *EdgePairs) LongestRow() int { return k.graph1.most * k.graph2.most }

// Multiply sets dst to K·x, all entries of K included.
func (k *EdgePairs) Multiply(dst, x []float64) { k.MultiplyUntil(dst, x, nil) }

// MultiplyUntil is Multiply that can be stopped (see Interruptible).
func (k *EdgePairs) MultiplyUntil(dst, x []float64, over func() bool) bool {
	p := pace{over: over}
	for p, d := range k.diagonal {
		dst[p] = d * x[p]
	}
	width, n2 := 2*len(k.edges2), k.n2
	for e, ends := range k.edges1 {
		if p.stops(2 * width) {
			return false
		}
		values := k.value[e*width : (e+1)*width]
		xi, xj := x[ends[0]*n2:(ends[0]+1)*n2], x[ends[1]*n2:(ends[1]+1)*n2]
		di, dj := dst[ends[0]*n2:(ends[0]+1)*n2], dst[ends[1]*n2:(ends[1]+1)*n2]
		for f, ends := range k.edges2 {
			a, b := ends[0], ends[1]
			along, across := values[2*f], values[2*f+1]
			di[a] += along * xj[b]
			dj[b] += along * xi[a]
			di[b] += across * xj[a]
			dj[a] += across * xi[b]
		}
	}
	return true
}

// MultiplyMatching sets dst to K·x for the 0/1 vector x of a matching.
func (k *EdgePairs) MultiplyMatching(dst []float64, m Matching) {
	clear(dst)
	for i, a := range m {
		if a != Unmatched {
			p := i*k.n2 + a
			dst[p] += k.diagonal[p]
			k.AddRow(dst, p, 1)
		}
	}
}

// Relabelled returns the affinity of the same graphs whose node i of graph 1 is now
// order1[i], and node a of graph 2 order2[a]. Values are shared.
func (k *EdgePairs) Relabelled(order1, order2 []int) *EdgePairs {
	now := &EdgePairs{n1: k.n1, n2: k.n2, value: k.value, diagonal: make([]float64, len(k.diagonal))}
	for p := range now.diagonal {
		now.diagonal[p] = k.diagonal[order1[p/k.n2]*k.n2+order2[p%k.n2]]
	}
	now.edges1, now.edges2 = relabelledEdges(k.edges1, order1), relabelledEdges(k.edges2, order2)
	// What was right of the edges stays so.
	now.graph1, _ = newNeighbours(1, k.n1, now.edges1)
	now.graph2, _ = newNeighbours(2, k.n2, now.edges2)
	return now
}

func relabelledEdges(edges [][2]int, order []int) [][2]int {
	place := make([]int, len(order)) // where each node is now
	for now, was := range order {
		place[was] = now
	}
	relabelled := make([][2]int, len(edges))
	for e, ends := range edges {
		relabelled[e] = [2]int{place[ends[0]], place[ends[1]]}
	}
	return relabelled
}

func (k *EdgePairs) eachEdge(ctx context.Context, visit func(p, q int, v float64)) error {
	width := 2 * len(k.edges2)
	for e, x := range k.edges1 {
		if err := ended(ctx); err != nil {
			return err
		}
		for f, v := range k.value[e*width : (e+1)*width] {
			y := k.edges2[f/2]
			p, q := x[0]*k.n2+y[f%2], x[1]*k.n2+y[1-f%2]
			if v != 0 {
				visit(min(p, q), max(p, q), v)
			}
		}
	}
	return nil
}

func (k *EdgePairs) mapped(ctx context.Context, edge func(v float64) float64, node []float64) (*EdgePairs, error) {
	now := *k
	now.diagonal, now.value = slices.Clone(node), make([]float64, len(k.value))
	width := max(2*len(k.edges2), 1)
	for at, v := range k.value {
		if at%width == 0 {
			if err := ended(ctx); err != nil {
				return nil, err
			}
		}
		if v != 0 {
			now.value[at] = edge(v)
		}
	}
	if err := now.check(); err != nil {
		return nil, err
	}
	return &now, nil
}

// Neighbours1 returns the neighbours of node i of graph 1, sorted. The slice is not to
// be changed.
func (k *EdgePairs) Neighbours1(i int) []int32 {
	node, _ := k.graph1.of(i)
	return node
}
