package isomorphism

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/rgm-go/rgm/qap"
)

// Inside says that Result.Matching takes graph 1 into graph 2.
const Inside Verdict = "inside"

// mostDomains bounds the pairs of nodes of two graphs of which Within keeps whether they may be partners.
const mostDomains = 1 << 31

// Within decides whether graph 1 lies in graph 2: whether its nodes can be taken to different nodes of the same colours
// so that joined nodes go to nodes joined by the same edges (same colours, same directions); induced, also nodes that
// are not joined to nodes that are not. The answer is Inside with the matching, Different with a reason, which is proved, or
// Undecided.
//
// Partners that a node may have are bounded by degrees, those of its neighbours, and by each neighbour having a partner
// next to its own (arc consistency; Solnon, doi:10.1016/j.artint.2010.05.002). Then nodes are matched with
// backtracking in the order of most neighbours that come before (Bonnici and others, doi:10.1186/1471-2105-14-S7-S13).
func Within(ctx context.Context, g1, g2 *Graph, induced bool, o Options) Result {
	n1, n2 := g1.Nodes(), g2.Nodes()
	b := newBudget(ctx, o)
	switch {
	case n1 > n2:
		return Result{Verdict: Different, Reason: fmt.Sprintf("graph 1 has %d nodes, and graph 2 only %d", n1, n2)}
	case g1.edges > g2.edges:
		return Result{Verdict: Different, Reason: fmt.Sprintf("graph 1 has %d edges, and graph 2 only %d", g1.edges, g2.edges)}
	case n1*n2 > mostDomains:
		return Result{Verdict: Undecided, Reason: fmt.Sprintf("graphs of %d and %d nodes are too large", n1, n2)}
	}
	w := &within{g1: g1, g2: g2, induced: induced, budget: b}
	r := Result{Verdict: Undecided}
	empty, whole := w.bound()
	switch {
	case empty >= 0:
		r.Verdict, r.Reason = Different, fmt.Sprintf("no node of graph 2 has what is around node %d of graph 1", empty)
	case whole:
		switch w.search() {
		case found:
			r.Verdict, r.Matching = Inside, make(qap.Matching, n1)
			for i, j := range w.partner {
				r.Matching[i] = int(j)
			}
		case none:
			r.Verdict, r.Reason = Different, "every choice of partners for some nodes contradicts itself"
		}
	}
	r.Work = b.spent
	return r
}

// within is one call of Within.
type within struct {
	g1, g2  *Graph
	induced bool
	budget  *budget

	words   int      // of a row of may
	may     []uint64 // bit j of row i: node j may be the partner of node i
	left    []int    // bits of each row
	partner []int32  // of nodes of graph 1
	taken   []bool   // nodes of graph 2
}

func (w *within) row(i int32) []uint64   { return w.may[int(i)*w.words : (int(i)+1)*w.words] }
func (w *within) allows(i, j int32) bool { return w.may[int(i)*w.words+int(j>>6)]>>(j&63)&1 == 1 }

// bound fills in which pairs may be partners. It returns a node that has none, or −1, and false where the budget is spent.
func (w *within) bound() (empty int32, whole bool) {
	n1, n2 := int32(w.g1.Nodes()), int32(w.g2.Nodes())
	w.words = (int(n2) + 63) / 64
	w.may, w.left = make([]uint64, int(n1)*w.words), make([]int, n1)
	around1, around2 := w.g1.degreesAround(), w.g2.degreesAround()
	for i := range n1 {
		row := w.row(i)
		for j := range n2 {
			if w.g1.colourOf(i) == w.g2.colourOf(j) && w.loops(i, j) && dominated(around1.row(w.g1, i), around2.row(w.g2, j)) {
				row[j>>6] |= 1 << (j & 63)
				w.left[i]++
			}
		}
		if w.left[i] == 0 {
			return i, true
		}
		if !w.budget.spend(int(n2)) {
			return -1, false
		}
	}
	queue, queued := make([]int32, n1), slices.Repeat([]bool{true}, int(n1))
	for i := range queue {
		queue[i] = int32(i)
	}
	for head := 0; head < len(queue); head++ {
		i := queue[head]
		queued[i] = false
		before := w.left[i]
		w.prune(i)
		switch {
		case w.left[i] == 0:
			return i, true
		case w.budget.over:
			return -1, false
		case w.left[i] == before:
			continue
		}
		for _, k := range w.g1.to[w.g1.start[i]:w.g1.start[i+1]] {
			if !queued[k] {
				queued[k] = true
				queue = append(queue, k)
			}
		}
	}
	return -1, true
}

// loops reports whether an edge from a node to itself does not speak against a pair.
func (w *within) loops(i, j int32) bool {
	if w.g1.loops == 0 && (!w.induced || w.g2.loops == 0) {
		return true
	}
	x, y := w.g1.find(i, i), w.g2.find(j, j)
	if x < 0 || y < 0 {
		return x < 0 && (y < 0 || !w.induced)
	}
	return w.g1.weight(x) == w.g2.weight(y)
}

// prune takes away the partners of a node next to which a neighbour of the node has none.
func (w *within) prune(i int32) {
	g1, g2 := w.g1, w.g2
	row := w.row(i)
	for at, word := range row {
		for ; word != 0; word &= word - 1 {
			j := int32(at<<6 + bits.TrailingZeros64(word))
			work := 0
			for x := g1.start[i]; x < g1.start[i+1]; x++ {
				k, supported := g1.to[x], false
				for y := g2.start[j]; y < g2.start[j+1]; y++ {
					work++
					if w.allows(k, g2.to[y]) && g1.weight(x) == g2.weight(y) {
						supported = true
						break
					}
				}
				if !supported {
					row[at] &^= 1 << (j & 63)
					w.left[i]--
					break
				}
			}
			if !w.budget.spend(1 + work) {
				return
			}
		}
	}
}

// step is a node of graph 1 in the order in which they are matched, and where its candidates stand.
type step struct {
	node       int32
	before     []int32 // its neighbours that come before
	entries    []int32 // of these in its row
	candidates []int32 // of the row of a partner; nil for all of graph 2
	next       int32
}

// search matches the nodes one by one, and goes back where there is no candidate.
func (w *within) search() outcome {
	order := w.order()
	w.partner, w.taken = slices.Repeat([]int32{-1}, w.g1.Nodes()), make([]bool, w.g2.Nodes())
	for at := 0; at < len(order); {
		s := &order[at]
		if j := w.partner[s.node]; j >= 0 { // it failed further on
			w.partner[s.node], w.taken[j] = -1, false
		} else {
			w.open(s)
		}
		j, more := w.next(s)
		switch {
		case w.budget.over:
			return stopped
		case more:
			w.partner[s.node], w.taken[j] = j, true
			at++
		case at == 0:
			return none
		default:
			at--
		}
	}
	return found
}

// open begins the candidates of a step: the neighbours of that partner of a neighbour that has the fewest.
func (w *within) open(s *step) {
	s.next, s.candidates = 0, nil
	for _, k := range s.before {
		j := w.partner[k]
		if row := w.g2.to[w.g2.start[j]:w.g2.start[j+1]]; s.candidates == nil || len(row) < len(s.candidates) {
			s.candidates = row
		}
	}
}

// next returns the next candidate of a step that fits.
func (w *within) next(s *step) (int32, bool) {
	for {
		j := s.next
		switch {
		case len(s.before) > 0 && int(s.next) < len(s.candidates):
			j = s.candidates[s.next]
		case len(s.before) > 0 || int(s.next) == w.g2.Nodes():
			return 0, false
		}
		s.next++
		if !w.budget.spend(1) {
			return 0, false
		}
		if !w.taken[j] && w.allows(s.node, j) && w.fits(s, j) {
			return j, true
		}
	}
}

// fits reports whether a node of graph 2 is joined with the partners as the node of the step is with those before it, and has room for
// the neighbours that come.
func (w *within) fits(s *step, j int32) bool {
	g1, g2 := w.g1, w.g2
	w.budget.spend(len(s.before))
	for k, other := range s.before {
		y := g2.find(j, w.partner[other])
		if y < 0 || g2.weight(y) != g1.weight(s.entries[k]) {
			return false
		}
	}
	joined := 0
	for _, l := range g2.to[g2.start[j]:g2.start[j+1]] {
		if w.taken[l] {
			joined++
		}
	}
	w.budget.spend(int(g2.degree(j)))
	if w.induced && joined != len(s.before) {
		return false
	}
	return int(g2.degree(j))-joined >= int(g1.degree(s.node))-len(s.before)
}

// order returns the nodes of graph 1 so that each has as many neighbours before it as can be; of equals the one of the
// most neighbours, and of the fewest partners.
func (w *within) order() []step {
	g := w.g1
	n := int32(g.Nodes())
	steps, before, done := make([]step, 0, n), make([]int, n), make([]bool, n)
	better := func(i, j int32) bool {
		switch {
		case before[i] != before[j]:
			return before[i] > before[j]
		case g.degree(i) != g.degree(j):
			return g.degree(i) > g.degree(j)
		}
		return w.left[i] < w.left[j]
	}
	var near []int32 // neighbours of those that are done
	for len(steps) < int(n) {
		best := int32(-1)
		near = slices.DeleteFunc(near, func(i int32) bool { return done[i] })
		for _, i := range near {
			if best < 0 || better(i, best) {
				best = i
			}
		}
		for i := int32(0); best < 0 || len(near) == 0 && i < n; i++ {
			if !done[i] && (best < 0 || better(i, best)) {
				best = i
			}
		}
		done[best] = true
		s := step{node: best}
		for x := g.start[best]; x < g.start[best+1]; x++ {
			switch k := g.to[x]; {
			case k == best:
			case done[k]:
				s.before, s.entries = append(s.before, k), append(s.entries, x)
			default:
				if before[k] == 0 {
					near = append(near, k)
				}
				before[k]++
			}
		}
		steps = append(steps, s)
	}
	return steps
}

func (g *Graph) colourOf(i int32) uint64 {
	if g.colours == nil {
		return 0
	}
	return g.colours[i]
}

// degrees are those of the neighbours of every node, the greatest first.
type degrees []int32

func (g *Graph) degreesAround() degrees {
	d := make(degrees, len(g.to))
	for i := range int32(g.Nodes()) {
		row := d.row(g, i)
		for k, j := range g.to[g.start[i]:g.start[i+1]] {
			row[k] = g.degree(j)
		}
		slices.SortFunc(row, func(x, y int32) int { return int(y) - int(x) })
	}
	return d
}

func (d degrees) row(g *Graph, i int32) []int32 { return d[g.start[i]:g.start[i+1]] }

// dominated reports whether each neighbour of one node can have another neighbour of the other node of at least its degree.
func dominated(of1, of2 []int32) bool {
	if len(of1) > len(of2) {
		return false
	}
	for k, d := range of1 {
		if d > of2[k] {
			return false
		}
	}
	return true
}
