package isomorphism

import (
	"math/big"
	"slices"
)

// group is what is known of the automorphisms of a graph.
type group struct {
	orbits *orbits
	sizes  []int // of the orbits along the base: their product is the order
	whole  bool  // whether all is known
}

// order returns the number of automorphisms.
func (g *group) order() *big.Int { return product(g.sizes) }

func product(factors []int) *big.Int {
	switch len(factors) {
	case 0:
		return big.NewInt(1)
	case 1:
		return big.NewInt(int64(factors[0]))
	}
	half := len(factors) / 2
	return new(big.Int).Mul(product(factors[:half]), product(factors[half:]))
}

// findGroup finds the automorphisms of the graph of a partition that is refined. The partition goes down
// along a base: it singles out nodes until all are single. From the last of them up, nodes of the cell that was
// chosen from are tried in its place, those before it staying where they are.
func findGroup(lead *partition, b *budget) *group {
	n := lead.g.Nodes()
	g := &group{orbits: newOrbits(n)}
	if b.over {
		return g
	}
	if forest, is := groupOfForest(lead); is {
		return forest
	}
	follow, _ := newRefined(lead.g, nil, b)
	type choice struct {
		before1, before2 mark
		cell, node       int32
	}
	var base []choice
	cursor := int32(0)
	for lead.cells < n {
		for lead.size[cursor] == 1 {
			cursor++
		}
		node := lead.elements[cursor]
		base = append(base, choice{lead.mark(), follow.mark(), cursor, node})
		for _, p := range []*partition{lead, follow} {
			p.individualise(node)
			p.refine()
		}
		if b.over {
			break
		}
	}
	follow.leader = lead
	s := search{lead: lead, follow: follow, same: true, budget: b, met: make([]int32, n)}
	for k := len(base) - 1; k >= 0 && !b.over; k-- {
		c := base[k]
		lead.undo(c.before1)
		follow.undo(c.before2)
		s.base = c.before1
		g.orbits.level++
		candidates := slices.Clone(lead.elements[c.cell : c.cell+min(lead.size[c.cell], fewCandidates)])
		if g.complete(&s, c.node, candidates, lead.size[c.cell]) || lead.size[c.cell] <= fewCandidates {
			g.sizes = append(g.sizes, g.orbits.count(c.node))
			continue
		}
		candidates = slices.Clone(lead.elements[c.cell : c.cell+lead.size[c.cell]])
		g.complete(&s, c.node, candidates, lead.size[c.cell])
		g.sizes = append(g.sizes, g.orbits.count(c.node))
	}
	g.whole = !b.over
	return g
}

// fewCandidates are so many nodes of a cell that are copied before all are.
const fewCandidates = 64

// complete finds which of the candidates automorphisms take a node to, and reports whether these are all
// nodes of its cell. The partitions are as before the node is singled out.
func (g *group) complete(s *search, node int32, candidates []int32, size int32) bool {
	before1, before2 := s.lead.mark(), s.follow.mark()
	singled := false
	defer func() {
		if singled {
			s.lead.undo(before1)
		}
	}()
	for _, j := range candidates {
		switch {
		case g.orbits.count(node) == int(size):
			return true
		case g.orbits.failed(j) || g.orbits.find(j) == g.orbits.find(node):
			continue
		}
		if !singled {
			s.lead.individualise(node)
			s.lead.refine()
			singled = true
		}
		after := s.lead.mark()
		s.follow.individualise(j)
		result := none
		if s.follow.refine() {
			result = s.run()
		}
		switch {
		case result == found:
			for _, i := range s.differing {
				g.orbits.join(i, s.image(i))
			}
		case s.budget.over:
			return false
		default:
			g.orbits.fail(j)
		}
		s.lead.undo(after)
		s.follow.undo(before2)
	}
	return g.orbits.count(node) == int(size)
}

// orbits are disjoint sets of nodes that automorphisms take to one another.
type orbits struct {
	parent []int32 // −size for a root
	level  int32
	fails  []int32 // of a root: the last level at which a node of its set failed
}

func newOrbits(n int) *orbits {
	o := &orbits{parent: make([]int32, n), fails: make([]int32, n)}
	for i := range o.parent {
		o.parent[i] = -1
	}
	return o
}

func (o *orbits) find(i int32) int32 {
	for o.parent[i] >= 0 {
		if up := o.parent[o.parent[i]]; up >= 0 {
			o.parent[i] = up
		}
		i = o.parent[i]
	}
	return i
}

func (o *orbits) count(i int32) int { return int(-o.parent[o.find(i)]) }

func (o *orbits) join(i, j int32) {
	i, j = o.find(i), o.find(j)
	if i == j {
		return
	}
	if o.parent[i] > o.parent[j] {
		i, j = j, i
	}
	o.parent[i] += o.parent[j]
	o.parent[j] = i
	o.fails[i] = max(o.fails[i], o.fails[j])
}

func (o *orbits) fail(i int32)        { o.fails[o.find(i)] = o.level }
func (o *orbits) failed(i int32) bool { return o.fails[o.find(i)] == o.level && o.level > 0 }

// sets returns the sets of more than one node, sorted.
func (o *orbits) sets() [][]int32 {
	at := map[int32]int{}
	var sets [][]int32
	for i := range int32(len(o.parent)) {
		root := o.find(i)
		if o.parent[root] == -1 {
			continue
		}
		k, known := at[root]
		if !known {
			k = len(sets)
			at[root] = k
			sets = append(sets, nil)
		}
		sets[k] = append(sets[k], i)
	}
	return sets
}
