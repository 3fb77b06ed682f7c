package isomorphism

import "github.com/rgm-go/rgm/internal/splitmix"

// splitByCycles splits the cells of a partition that is refined by how many triangles and cycles of four
// edges their nodes lie on, and refines it again: what tells the nodes of most regular graphs apart.
// Where the graph has so many paths of two edges that counting would be long, it does nothing. It returns
// false where the leader's trace differs.
func (p *partition) splitByCycles() bool {
	g := p.g
	paths := 0
	for i := range int32(g.Nodes()) {
		paths += int(g.degree(i)) * int(g.degree(i))
	}
	if p.cells == len(p.elements) || paths > mostPaths*(len(g.to)+g.Nodes()) {
		return true
	}
	p.budget.spend(paths)
	values, ways := make([]uint64, g.Nodes()), make([]int32, g.Nodes())
	var ends []int32
	for i := range int32(g.Nodes()) {
		if p.size[p.cell[i]] == 1 {
			continue
		}
		ends = ends[:0]
		row := g.to[g.start[i]:g.start[i+1]]
		for _, j := range row {
			for _, k := range g.to[g.start[j]:g.start[j+1]] {
				if ways[k] == 0 {
					ends = append(ends, k)
				}
				ways[k]++
			}
		}
		triangles, squares := uint64(0), uint64(0)
		for _, j := range row {
			triangles += uint64(ways[j])
		}
		for _, k := range ends {
			if k != i {
				squares += uint64(ways[k]) * uint64(ways[k]-1) / 2
			}
			ways[k] = 0
		}
		values[i] = 1 + splitmix.Mix(triangles<<32+squares)>>1
	}
	return p.splitBy(values)
}

// mostPaths is how many paths of two edges there may be for each entry.
const mostPaths = 40

// splitBy splits the cells of several nodes by values above 0, and refines.
func (p *partition) splitBy(values []uint64) bool {
	event := uint64(1)
	for at := int32(0); at < int32(len(p.elements)); {
		nodes := p.elements[at : at+p.size[at]]
		end, differ := at+p.size[at], false
		for _, i := range nodes {
			p.sum[i] = values[i]
			differ = differ || values[i] != values[nodes[0]]
		}
		if differ {
			p.sorting.sort(nodes, p.sum)
			for k, i := range nodes {
				p.place[i] = at + int32(k)
			}
		}
		p.hit[at] = p.size[at]
		event = splitmix.Mix(event + p.tear(at))
		p.hit[at] = 0
		at = end
	}
	return p.follow(event) && p.refine()
}
