package edit

import "slices"

// branch bounds what can be saved by an assignment of nodes: a match of i and a weighs twice what the nodes save plus
// the best matching of their edges, of which each saves half at either end (Blumenthal and Gamper).
type branch struct {
	weight   []int32 // [i, a], twice what is saved
	assigner assigner
	stars    matcher
	ones     census
	twos     census
	class1   classes
	class2   classes
	known    []int32 // [class, class] 1 + star
}

// set fills in the weights.
func (b *branch) set(p *pair) {
	b.weight = resized(b.weight, p.n1*p.n2)
	if p.levels.two {
		b.ones.set(&p.g1, p.n1, 0, int32(p.columns))
		b.twos.set(&p.g2, p.n2, 1, 1)
		for i := range p.n1 {
			degree, count, row, node := b.ones.degree[i], b.ones.of(i), b.weight[i*p.n2:][:p.n2], p.node[i*p.width:]
			for a := range row {
				row[a] = 2*node[a] + int32(p.levels.star(degree, b.twos.degree[a], count, b.twos.of(a)))
			}
		}
		return
	}
	b.class1.set(&p.g1, p.n1)
	b.class2.set(&p.g2, p.n2)
	b.known = resized(b.known, len(b.class1.members)*len(b.class2.members))
	clear(b.known)
	for i := range p.n1 {
		for a := range p.n2 {
			known := &b.known[int(b.class1.of[i])*len(b.class2.members)+int(b.class2.of[a])]
			if *known == 0 {
				*known = 1 + int32(b.stars.types(p, p.g1.of(int32(i)), p.g2.of(int32(a))))
			}
			b.weight[i*p.n2+a] = 2*p.node[i*p.width+a] + *known - 1
		}
	}
}

// solve returns the most that can be saved, by this bound, and the assignment that reaches it in image.
func (b *branch) solve(p *pair, image []int32) int {
	twice := b.assigner.solve(p.n1, p.n2, b.weight, p.n2, p.partial)
	copy(image, b.assigner.column[:p.n1])
	return twice >> 1
}

// classes are nodes whose edges have the same types.
type classes struct {
	of      []int32
	members []int32   // one node of each
	types   [][]int32 // of these, sorted
	sorted  []int32
}

func (c *classes) set(g *adjacent, n int) {
	c.of, c.members = resized(c.of, n), c.members[:0]
	for i := range n {
		c.sorted = c.sorted[:0]
		for _, arc := range g.of(int32(i)) {
			c.sorted = append(c.sorted, arc.row)
		}
		slices.Sort(c.sorted)
		class := 0
		for class < len(c.members) && !slices.Equal(c.types[class], c.sorted) {
			class++
		}
		if class == len(c.members) {
			c.members = append(c.members, int32(i))
			if class == len(c.types) {
				c.types = append(c.types, nil)
			}
			c.types[class] = append(c.types[class][:0], c.sorted...)
		}
		c.of[i] = int32(class)
	}
}
