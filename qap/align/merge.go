package align

// A merger puts together what is good in matchings that were found side by side (partition crossover:
// Whitley, Hains, Howe, doi:10.1145/1569901.1570026). Nodes whose partners differ fall into groups which no
// edge and no exchange of partners joins, so that each can have the partners of either matching by itself.
// In matchings here unmatched nodes have the node n2, as in swaps.
type merger struct {
	*swaps          // whose graphs and terms these are
	group   []int32 // of nodes that differ: the next node on the way to the one that stands for all, or none
	inverse matching
	differ  []int32
	gains   []float64 // by the node that stands for a group
}

func newMerger(s *swaps) *merger {
	n1, n2 := s.a.Nodes(), s.b.Nodes()
	return &merger{swaps: s, group: newMatching(n1), inverse: newMatching(n2 + 1), gains: make([]float64, n1)}
}

// merge gives m what is better in another matching, and returns what that adds to its score.
func (g *merger) merge(m, other matching) (gain float64) {
	g.split(m, other)
	for _, i := range g.differ {
		g.gains[g.find(i)] += g.gainOf(i, m, other)
	}
	for _, i := range g.differ {
		if of := g.find(i); of == i && g.gains[i] > g.rounding {
			gain += g.gains[i]
		}
	}
	for _, i := range g.differ {
		if g.gains[g.find(i)] > g.rounding {
			m[i] = other[i]
		}
	}
	for _, i := range g.differ {
		g.group[i], g.gains[i], g.inverse[other[i]] = none, 0, none
	}
	return gain
}

// split finds the nodes that differ, and their groups.
func (g *merger) split(m, other matching) {
	n2 := int32(g.b.Nodes())
	g.differ = g.differ[:0]
	for i := range m {
		if m[i] != other[i] {
			g.differ = append(g.differ, int32(i))
			g.group[i], g.inverse[other[i]] = int32(i), int32(i)
		}
	}
	for _, i := range g.differ {
		if k := g.inverse[m[i]]; m[i] != n2 && k != none {
			g.join(i, k)
		}
		for _, k := range g.a.Neighbours(int(i)) {
			if g.group[k] != none {
				g.join(i, k)
			}
		}
	}
}

// gainOf returns what a node and its edges add by the other matching above what they do by m; edges to other
// nodes that differ count from one end.
func (g *merger) gainOf(i int32, m, other matching) float64 {
	gain := g.node(i, other[i]) - g.node(i, m[i])
	for x := g.a.start[i]; x < g.a.start[i+1]; x++ {
		if k := g.a.to[x]; k > i || g.group[k] == none {
			gain += g.pair(x, other[i], other[k]) - g.pair(x, m[i], m[k])
		}
	}
	return gain
}

// find returns the node that stands for a node's group.
func (g *merger) find(i int32) int32 {
	for g.group[i] != i {
		g.group[i] = g.group[g.group[i]]
		i = g.group[i]
	}
	return i
}

func (g *merger) join(i, k int32) { g.group[g.find(i)] = g.find(k) }
