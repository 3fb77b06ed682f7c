package isomorphism

import (
	"fmt"
	"slices"

	"github.com/rgm-go/rgm/internal/splitmix"
	"github.com/rgm-go/rgm/qap"
)

// Graph is a graph in compressed rows. It does not change once it is made.
type Graph struct {
	start   []int32
	to      []int32  // the neighbours of each node, sorted, whichever way an edge goes
	label   []uint64 // of each entry: the colours of the edge to the neighbour and from it; nil where all are alike
	colours []uint64 // of the nodes; nil where all are alike
	edges   int
	loops   int
}

// mostEntries is what the rows hold at most.
const mostEntries = 1<<31 - 1

// NewGraph returns the graph of nodes 0 to nodes−1 and edges edge(0) to edge(edges−1), which it asks
// for more than once. Colours of nodes and of edges are one each, or nil where all are alike. An edge
// that comes again counts as another edge; one from a node to itself counts.
func NewGraph(nodes, edges int, edge func(k int) (i, j int), directed bool, nodeColours, edgeColours []uint64) (*Graph, error) {
	switch {
	case nodes < 0 || nodes >= mostEntries:
		return nil, fmt.Errorf("isomorphism: %d nodes: want 0 to %d", nodes, mostEntries-1)
	case edges < 0 || 2*edges > mostEntries:
		return nil, fmt.Errorf("isomorphism: %d edges: want 0 to %d", edges, mostEntries/2)
	case nodeColours != nil && len(nodeColours) != nodes:
		return nil, fmt.Errorf("isomorphism: %d colours of %d nodes: want one each", len(nodeColours), nodes)
	case edgeColours != nil && len(edgeColours) != edges:
		return nil, fmt.Errorf("isomorphism: %d colours of %d edges: want one each", len(edgeColours), edges)
	}
	g := &Graph{start: make([]int32, nodes+1), colours: nodeColours, edges: edges}
	next := make([]int32, nodes+1)
	for k := range edges {
		i, j := edge(k)
		if min(i, j) < 0 || max(i, j) >= nodes {
			return nil, fmt.Errorf("isomorphism: edge %d joins %d and %d: want nodes from 0 to %d", k, i, j, nodes-1)
		}
		next[i]++
		if i == j {
			g.loops++
		} else {
			next[j]++
		}
	}
	for i := range nodes {
		g.start[i+1] = g.start[i] + next[i]
		next[i] = g.start[i]
	}
	g.to = make([]int32, g.start[nodes])
	if directed || edgeColours != nil {
		g.label = make([]uint64, len(g.to))
	}
	place := func(i, j int, label uint64) {
		g.to[next[i]] = int32(j)
		if g.label != nil {
			g.label[next[i]] = label
		}
		next[i]++
	}
	for k := range edges {
		i, j := edge(k)
		colour := uint64(1)
		if edgeColours != nil {
			colour = splitmix.Mix(edgeColours[k])
		}
		out, in := labelOf(colour, 0), labelOf(colour, 1)
		if !directed {
			in = out
		}
		place(i, j, out)
		if i != j {
			place(j, i, in)
		}
	}
	g.sortRows()
	return g, nil
}

// labelOf returns what an edge adds to the sum of a neighbour: less than 2^40 and odd, so that no sum of up to
// 2^24 of them is 0.
func labelOf(colour, direction uint64) uint64 {
	return splitmix.Mix(colour+direction*0x632be59bd9b4e019)>>24 | 1
}

// sortRows sorts the rows, and makes one entry of those of one neighbour, whose labels are added.
func (g *Graph) sortRows() {
	type entry struct {
		to    int32
		label uint64
	}
	var row []entry
	kept := int32(0)
	for i := range g.Nodes() {
		low, high := g.start[i], g.start[i+1]
		g.start[i] = kept
		if g.label == nil && !repeats(g.to[low:high]) {
			copy(g.to[kept:], g.to[low:high])
			kept += high - low
			continue
		}
		row = row[:0]
		for e := low; e < high; e++ {
			row = append(row, entry{g.to[e], g.weight(e)})
		}
		slices.SortFunc(row, func(x, y entry) int { return int(x.to) - int(y.to) })
		if g.label == nil { // edges that come again: labels from here on
			g.label = make([]uint64, len(g.to))
			for e := range g.label {
				g.label[e] = 1
			}
		}
		first := kept
		for _, x := range row {
			if kept > first && g.to[kept-1] == x.to {
				g.label[kept-1] += x.label
				continue
			}
			g.to[kept], g.label[kept] = x.to, x.label
			kept++
		}
	}
	g.start[g.Nodes()] = kept
	g.to = g.to[:kept]
	if g.label != nil {
		g.label = g.label[:kept]
	}
}

// repeats sorts the neighbours of a node and reports whether one comes again.
func repeats(row []int32) bool {
	if !slices.IsSorted(row) {
		slices.Sort(row)
	}
	for k := 1; k < len(row); k++ {
		if row[k] == row[k-1] {
			return true
		}
	}
	return false
}

// weight returns the label of an entry.
func (g *Graph) weight(e int32) uint64 {
	if g.label == nil {
		return 1
	}
	return g.label[e]
}

// Nodes returns the number of nodes.
func (g *Graph) Nodes() int { return len(g.start) - 1 }

// Edges returns the number of edges.
func (g *Graph) Edges() int { return g.edges }

func (g *Graph) degree(i int32) int32 { return g.start[i+1] - g.start[i] }

// find returns the entry of neighbour j in the row of i, −1 where there is none.
func (g *Graph) find(i, j int32) int32 {
	low := g.start[i]
	k, found := slices.BinarySearch(g.to[low:g.start[i+1]], j)
	if !found {
		return -1
	}
	return low + int32(k)
}

// Carries reports whether a matching of all nodes is an isomorphism to another graph.
func (g *Graph) Carries(h *Graph, m qap.Matching) bool {
	if g.Nodes() != h.Nodes() || g.edges != h.edges || len(m) != g.Nodes() || (g.colours == nil) != (h.colours == nil) {
		return false
	}
	taken := make([]bool, h.Nodes())
	for _, j := range m {
		if j < 0 || j >= h.Nodes() || taken[j] {
			return false
		}
		taken[j] = true
	}
	for i := range int32(g.Nodes()) {
		if !g.carries(h, i, func(k int32) int32 { return int32(m[k]) }) {
			return false
		}
	}
	return true
}

// carries reports whether node i with its edges goes to node image(i) of h with its edges.
func (g *Graph) carries(h *Graph, i int32, image func(int32) int32) bool {
	j := image(i)
	if g.degree(i) != h.degree(j) || g.colours != nil && g.colours[i] != h.colours[j] {
		return false
	}
	for e := g.start[i]; e < g.start[i+1]; e++ {
		f := h.find(j, image(g.to[e]))
		if f < 0 || g.weight(e) != h.weight(f) {
			return false
		}
	}
	return true
}
