package isomorphism

import (
	"slices"

	"github.com/rgm-go/rgm/internal/splitmix"
)

// groupOfForest returns the group of a graph without cycles, whose partition is refined: then nodes of one
// cell are alike, and so are the subtrees below children of one cell. It reports false of other graphs.
func groupOfForest(p *partition) (*group, bool) {
	g, n := p.g, int32(p.g.Nodes())
	if g.loops > 0 || len(g.to)/2 >= int(n) && n > 0 {
		return nil, false
	}
	rest, parent, height := make([]int32, n), make([]int32, n), make([]int32, n)
	order := make([]int32, 0, n) // leaves first, then what has become one, …
	for i := range n {
		rest[i], parent[i] = g.degree(i), -1
		if rest[i] <= 1 {
			order = append(order, i)
		}
	}
	gone := make([]bool, n)
	for k := 0; k < len(order); k++ {
		i := order[k]
		gone[i] = true
		for _, j := range g.to[g.start[i]:g.start[i+1]] {
			if gone[j] {
				continue
			}
			parent[i] = j
			if rest[j]--; rest[j] == 1 {
				order, height[j] = append(order, j), height[i]+1
			}
		}
	}
	if len(order) < int(n) {
		return nil, false // a cycle
	}
	for i := range n { // of two centres the root is that of the first cell
		if j := parent[i]; j >= 0 && parent[j] < 0 && p.cell[i] < p.cell[j] && height[i] == height[j] {
			parent[i], parent[j] = -1, i
		}
	}
	f := &group{orbits: newOrbits(int(n)), whole: true}
	for at := int32(0); at < n; at += p.size[at] {
		for _, i := range p.elements[at+1 : at+p.size[at]] {
			f.orbits.join(p.elements[at], i)
		}
	}
	var roots, children []uint64
	for i := range n {
		if parent[i] < 0 {
			roots = append(roots, uint64(p.cell[i]))
		}
		children = children[:0]
		for e := g.start[i]; e < g.start[i+1]; e++ {
			if j := g.to[e]; parent[j] == i {
				children = append(children, splitmix.Mix(g.weight(e))+uint64(p.cell[j]))
			}
		}
		f.exchange(children)
		if j := parent[i]; j >= 0 && parent[j] < 0 && p.cell[i] == p.cell[j] { // two centres that are alike
			f.sizes = append(f.sizes, 2)
		}
	}
	f.exchange(roots)
	return f, true
}

// exchange multiplies the order by the ways to exchange what is equal.
func (g *group) exchange(kinds []uint64) {
	slices.Sort(kinds)
	equal := 1
	for k := 1; k < len(kinds); k++ {
		if equal++; kinds[k] != kinds[k-1] {
			equal = 1
		}
		if equal > 1 {
			g.sizes = append(g.sizes, equal)
		}
	}
}
