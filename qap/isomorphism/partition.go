package isomorphism

import (
	"cmp"
	"context"
	"slices"

	"github.com/rgm-go/rgm/internal/splitmix"
)

// partition is an ordered partition of the nodes of a graph into cells, refined step by step. A cell
// is known by where it starts in elements. What is split, in which order, and what is written into the
// trace depend on the graph alone and not on the numbers of its nodes.
type partition struct {
	g        *Graph
	elements []int32 // the nodes, cell after cell
	place    []int32 // of each node in elements
	cell     []int32 // of each node: where its cell starts
	size     []int32 // by where a cell starts
	cells    int
	log      []split // what was split, in order

	singles, queue []int32 // cells to refine by: those of one node first
	queued         []bool  // by where a cell starts
	hit            []int32 // by where a cell starts: how many of its nodes were reached, which lie at its end
	sum            []uint64
	reached, torn  []int32 // cells
	splitter       []int32 // nodes of the cell that is refined by
	sorting        sorting

	trace  []uint64        // a number for each cell that was refined by, and all before it
	leader *partition      // whose trace this one has to repeat, nil for none
	states map[uint64]bool // where not nil, the numbers that the trace may have
	budget *budget
}

// split says that the cell at start was taken from the one at parent.
type split struct{ start, parent int32 }

// mark is a state of a partition to return to.
type mark struct{ splits, trace int }

// budget bounds the work of a search, in entries of rows that refinement looks at.
type budget struct {
	ctx      context.Context
	timeIsUp func() bool // nil for never
	left     int
	look     int // work until the context is looked at again
	spent    int
	over     bool
}

const workBetweenLooks = 1 << 17

// workOfStep is what a cell that is refined by costs besides its entries.
const workOfStep = 16

// spend takes note of work, and reports whether there is some left.
func (b *budget) spend(work int) bool {
	b.spent += work
	b.left -= work
	b.look -= work
	if b.look < 0 {
		b.look = workBetweenLooks
		b.over = b.over || b.ended()
	}
	b.over = b.over || b.left < 0
	return !b.over
}

// share lets a search spend one part in parts of what is left.
func (b *budget) share(parts int, search func() outcome) outcome {
	kept := b.left - b.left/parts
	b.left -= kept
	result := search()
	b.left += kept
	b.over = b.left < 0 || b.ended()
	return result
}

// ended reports whether there is no more time.
func (b *budget) ended() bool { return b.ctx.Err() != nil || b.timeIsUp != nil && b.timeIsUp() }

// newPartition returns the partition of a graph by the colours of its nodes, with every cell to be
// refined by.
func newPartition(g *Graph, leader *partition, b *budget) *partition {
	n := g.Nodes()
	numbers := make([]int32, 5*n)
	p := &partition{
		g: g, elements: numbers[:n], place: numbers[n : 2*n], cell: numbers[2*n : 3*n], size: numbers[3*n : 4*n], hit: numbers[4*n:],
		queued: make([]bool, n), sum: make([]uint64, n), leader: leader, budget: b,
	}
	for i := range p.elements {
		p.elements[i] = int32(i)
	}
	if g.colours != nil {
		slices.SortFunc(p.elements, func(i, j int32) int { return cmp.Compare(g.colours[i], g.colours[j]) })
	}
	start := int32(0)
	for at, i := range p.elements {
		if g.colours != nil && g.colours[i] != g.colours[p.elements[start]] {
			start = int32(at)
		}
		if start == int32(at) {
			p.cells++
			p.enqueue(start, n) // none of one node, which would come in another order
		}
		p.place[i], p.cell[i] = int32(at), start
		p.size[start]++
	}
	return p
}

func (p *partition) mark() mark { return mark{len(p.log), len(p.trace)} }

// undo returns to a state.
func (p *partition) undo(to mark) {
	for k := len(p.log) - 1; k >= to.splits; k-- {
		s := p.log[k]
		for _, i := range p.elements[s.start : s.start+p.size[s.start]] {
			p.cell[i] = s.parent
		}
		p.size[s.parent] += p.size[s.start]
	}
	p.cells -= len(p.log) - to.splits
	p.log = p.log[:to.splits]
	p.trace = p.trace[:to.trace]
}

func (p *partition) enqueue(start int32, size int) {
	p.queued[start] = true
	if size == 1 {
		p.singles = append(p.singles, start)
	} else {
		p.queue = append(p.queue, start)
	}
}

// individualise makes a cell of its own of a node.
func (p *partition) individualise(i int32) {
	start := p.cell[i]
	last := start + p.size[start] - 1
	p.swap(i, last)
	p.size[start]--
	p.size[last], p.cell[i] = 1, last
	p.cells++
	p.log = append(p.log, split{last, start})
	p.enqueue(last, 1)
}

// swap puts a node at a place, and the node there at its own.
func (p *partition) swap(i, place int32) {
	other, before := p.elements[place], p.place[i]
	p.elements[before], p.elements[place] = other, i
	p.place[other], p.place[i] = before, place
}

// refine splits cells until the nodes of each have equally many neighbours in every other, or all are of
// one node. It returns false where the trace differs from the leader's, or where the budget is spent.
func (p *partition) refine() bool {
	same, head := true, 0
	for same && p.cells < len(p.elements) {
		var start int32
		switch {
		case len(p.singles) > 0:
			start = p.singles[len(p.singles)-1]
			p.singles = p.singles[:len(p.singles)-1]
		case head < len(p.queue):
			start = p.queue[head]
			head++
		default:
			start = -1
		}
		if start < 0 {
			break
		}
		p.queued[start] = false
		same = p.follow(p.refineBy(start)) && !p.budget.over
	}
	for _, start := range p.singles {
		p.queued[start] = false
	}
	for _, start := range p.queue[head:] {
		p.queued[start] = false
	}
	p.singles, p.queue = p.singles[:0], p.queue[:0]
	return same
}

// follow adds what was seen to the trace, and reports whether it is what the leader saw.
func (p *partition) follow(event uint64) bool {
	at := len(p.trace)
	if at > 0 {
		event += p.trace[at-1]
	}
	event = splitmix.Mix(event)
	p.trace = append(p.trace, event)
	switch {
	case p.leader != nil:
		return at < len(p.leader.trace) && p.leader.trace[at] == event
	case p.states != nil:
		return p.states[event]
	}
	return true
}

// refineBy splits all cells by how many neighbours their nodes have in one, and returns what was seen.
func (p *partition) refineBy(start int32) uint64 {
	g := p.g
	p.splitter = append(p.splitter[:0], p.elements[start:start+p.size[start]]...)
	p.reached, p.torn = p.reached[:0], p.torn[:0]
	work := workOfStep + len(p.splitter)
	for _, i := range p.splitter {
		low, high := g.start[i], g.start[i+1]
		work += int(high - low)
		for e := low; e < high; e++ {
			j, weight := g.to[e], uint64(1)
			if g.label != nil {
				weight = g.label[e]
			}
			if p.sum[j] == 0 {
				c := p.cell[j]
				if p.hit[c] == 0 {
					p.reached = append(p.reached, c)
				}
				p.hit[c]++
				p.swap(j, c+p.size[c]-p.hit[c])
			}
			p.sum[j] += weight
		}
	}
	p.budget.spend(work)
	event := splitmix.Mix(uint64(start)<<32 | uint64(len(p.splitter)))
	for _, c := range p.reached {
		nodes := p.elements[c+p.size[c]-p.hit[c] : c+p.size[c]]
		first, equal := p.sum[nodes[0]], true
		for _, j := range nodes[1:] {
			if p.sum[j] != first {
				equal = false
				break
			}
		}
		switch {
		case !equal || p.hit[c] < p.size[c]:
			p.torn = append(p.torn, c)
		default:
			event += splitmix.Mix(splitmix.Mix(first) + uint64(c))
			for _, j := range nodes {
				p.sum[j] = 0
			}
		}
		if equal {
			continue
		}
		p.sorting.sort(nodes, p.sum)
		for k, j := range nodes {
			p.place[j] = c + p.size[c] - p.hit[c] + int32(k)
		}
	}
	for _, c := range p.reached {
		if len(p.torn) == 0 {
			p.hit[c] = 0
		}
	}
	if len(p.torn) > 0 {
		slices.Sort(p.torn)
		for _, c := range p.torn {
			event += p.tear(c)
		}
		for _, c := range p.reached {
			p.hit[c] = 0
		}
	}
	return event
}

// tear splits a cell whose reached nodes lie at its end, sorted by their sums, and returns what was seen.
func (p *partition) tear(c int32) uint64 {
	end := c + p.size[c]
	at := end - p.hit[c]
	event := splitmix.Mix(uint64(c)<<32 | uint64(p.hit[c]))
	largest, most := c, at-c // what was not reached stays the cell at c, if there is any
	first := len(p.log)
	for at < end {
		sum, from := p.sum[p.elements[at]], at
		for ; at < end && p.sum[p.elements[at]] == sum; at++ {
			j := p.elements[at]
			p.sum[j] = 0
			p.cell[j] = from
		}
		event += splitmix.Mix(splitmix.Mix(sum) + uint64(from)<<32 + uint64(at-from))
		if at-from > most {
			largest, most = from, at-from
		}
		if from == c {
			p.size[c] = at - from
			continue
		}
		p.size[from] = at - from
		p.log = append(p.log, split{from, c})
	}
	if head := end - p.hit[c]; head > c {
		p.size[c] = head - c
	}
	p.cells += len(p.log) - first
	if p.queued[c] {
		largest = c
	}
	if largest != c {
		p.enqueue(c, int(p.size[c]))
	}
	for _, s := range p.log[first:] {
		if s.start != largest {
			p.enqueue(s.start, int(p.size[s.start]))
		}
	}
	return event
}

// sorting sorts nodes by sums without allocations but those of its rooms.
type sorting struct {
	count []int32
	room  []int32
}

func (s *sorting) sort(nodes []int32, sum []uint64) {
	low, high := sum[nodes[0]], sum[nodes[0]]
	for _, j := range nodes[1:] {
		low, high = min(low, sum[j]), max(high, sum[j])
	}
	const few = 12
	span := high - low
	switch {
	case len(nodes) <= few:
		for k := 1; k < len(nodes); k++ {
			for x := k; x > 0 && sum[nodes[x]] < sum[nodes[x-1]]; x-- {
				nodes[x], nodes[x-1] = nodes[x-1], nodes[x]
			}
		}
	case span < uint64(4*len(nodes)):
		s.byCounting(nodes, sum, low, int(span))
	default:
		slices.SortFunc(nodes, func(i, j int32) int { return cmp.Compare(sum[i], sum[j]) })
	}
}

func (s *sorting) byCounting(nodes []int32, sum []uint64, low uint64, span int) {
	s.count = append(s.count[:0], make([]int32, span+2)...)
	for _, j := range nodes {
		s.count[sum[j]-low+1]++
	}
	for k := range span + 1 {
		s.count[k+1] += s.count[k]
	}
	s.room = append(s.room[:0], nodes...)
	for _, j := range s.room {
		at := &s.count[sum[j]-low]
		nodes[*at] = j
		*at++
	}
}
