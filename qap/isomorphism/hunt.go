package isomorphism

import (
	"math/rand/v2"
	"slices"
)

// hunt looks for a bijection of two graphs with many paths of graph 1 at once: random choices down to
// single nodes, whose states are kept. The choices of graph 2 are searched in depth; one is good while
// its state is that of any path. With k paths a k-th of the choices of graph 2 have to be tried on average. The
// proof that there is no bijection rests on the first path alone, which is kept before the search begins.
type hunt struct {
	lead, follow *partition
	states       map[uint64]bool    // of the paths, at each step
	ends         map[uint64][]int32 // the elements of graph 1 at the end of a path, by its last state
	rng          *rand.Rand
	budget       *budget
	tried        *orbits // of graph 2: one failure of each is enough at the first level
	levels       []attempt
	place        []int32 // of each node of graph 1 at the end of the path that was met
}

// attempt is one choice in graph 2.
type attempt struct {
	before mark
	cell   int32
	nodes  []int32
	next   int
}

// mostStates bounds those that are kept.
const mostStates = 1 << 22

func newHunt(lead, follow *partition, b *budget) *hunt {
	h := &hunt{
		lead: lead, follow: follow, states: map[uint64]bool{}, ends: map[uint64][]int32{}, rng: rand.New(rand.NewPCG(1, 1)),
		budget: b, tried: newOrbits(follow.g.Nodes()),
	}
	follow.leader, follow.states = nil, h.states
	return h
}

// descend adds a path, and returns what it cost.
func (h *hunt) descend() int {
	p, before, spent := h.lead, h.lead.mark(), h.budget.spent
	for at := int32(0); p.cells < len(p.elements) && !h.budget.over; {
		for p.size[at] == 1 {
			at++
		}
		p.individualise(p.elements[at+h.rng.Int32N(p.size[at])])
		p.refine()
	}
	if !h.budget.over {
		for _, state := range p.trace[before.trace:] {
			h.states[state] = true
		}
		if last := p.trace[len(p.trace)-1]; h.ends[last] == nil {
			h.ends[last] = slices.Clone(p.elements)
		}
	}
	p.undo(before)
	return h.budget.spent - spent
}

// run searches graph 2, and adds a path whenever the paths have cost less than the search. Where it finds a
// bijection, the partition of graph 2 is left at it.
func (h *hunt) run() outcome {
	paths, begun := h.descend(), h.budget.spent
	h.tried.level++
	top := h.follow.mark()
	h.choose(0)
	for len(h.levels) > 0 && !h.budget.over {
		if h.budget.spent-begun > 2*paths && len(h.states) < mostStates {
			paths += h.descend()
		}
		l := &h.levels[len(h.levels)-1]
		if l.next == len(l.nodes) {
			h.levels = h.levels[:len(h.levels)-1]
			h.failed()
			continue
		}
		j := l.nodes[l.next]
		l.next++
		if len(h.levels) == 1 && h.tried.failed(j) {
			continue
		}
		h.follow.individualise(j)
		switch {
		case !h.follow.refine():
			h.failed()
		case h.follow.cells < len(h.follow.elements):
			h.choose(l.cell)
		case h.verified():
			return found
		default:
			h.failed()
		}
	}
	h.levels = h.levels[:0]
	h.follow.undo(top)
	if h.budget.over {
		return stopped
	}
	return none
}

// choose begins a level, with the first cell of several nodes.
func (h *hunt) choose(at int32) {
	p := h.follow
	for p.size[at] == 1 {
		at++
	}
	h.levels = append(h.levels, attempt{before: p.mark(), cell: at, nodes: slices.Clone(p.elements[at : at+p.size[at]])})
}

// failed takes back the last choice.
func (h *hunt) failed() {
	if len(h.levels) == 0 {
		return
	}
	l := &h.levels[len(h.levels)-1]
	h.follow.undo(l.before)
	if len(h.levels) == 1 && !h.budget.over {
		h.tried.fail(l.nodes[l.next-1])
	}
}

// verified reports whether the present state is the end of a path and shows a bijection.
func (h *hunt) verified() bool {
	end := h.ends[h.follow.trace[len(h.follow.trace)-1]]
	if end == nil {
		return false
	}
	h.place = append(h.place[:0], end...)
	for at, i := range end {
		h.place[i] = int32(at)
	}
	for i := range int32(len(end)) {
		if !h.lead.g.carries(h.follow.g, i, h.image) {
			return false
		}
	}
	return true
}

// image returns where a node of graph 1 goes.
func (h *hunt) image(i int32) int32 { return h.follow.elements[h.place[i]] }
