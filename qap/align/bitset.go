package align

// bitset says of every two nodes whether they are joined.
type bitset struct {
	words int
	data  []uint64
}

// mostBits bounds the nodes of graphs with a bitset, of 8 MB.
const mostBits = 8192

// newBitset returns that of a graph with one node more, without edges.
func newBitset(g *Graph) *bitset {
	b := &bitset{words: g.Nodes()/64 + 1}
	b.data = make([]uint64, b.words*(g.Nodes()+1))
	for i := range g.Nodes() {
		for _, j := range g.Neighbours(i) {
			b.data[i*b.words+int(j)>>6] |= 1 << (j & 63)
		}
	}
	return b
}
