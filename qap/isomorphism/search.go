package isomorphism

// outcome is how a search ended.
type outcome int8

const (
	none    outcome = iota // there is no bijection: all choices are exhausted
	found                  // there is one
	stopped                // the budget is spent
)

// search looks for a bijection of two graphs, or of a graph with itself, that takes the cells of one
// partition to those of another. Both are refined in lockstep: lead goes first, and follow has to repeat
// its trace. A level singles out one node of lead, and tries the nodes of the same cell of follow.
type search struct {
	lead, follow *partition
	same         bool // both are partitions of one graph
	budget       *budget
	levels       []level
	tried        *orbits // of follow: of each one failure is enough, for the first level
	base         mark    // of both, from which on they may differ
	cursor       int32   // no cell before this one has several nodes, in lead and now

	differing []int32 // nodes whose cells in lead and follow differ
	met       []int32 // stamps of nodes
	stamp     int32
}

// level is one choice.
type level struct {
	before1, before2 mark // the states before the choice
	cell             int32
	cursor           int32
	node             int32   // of lead
	first            int32   // the node of follow that is tried first
	rest             []int32 // the others, once it has failed
	next             int
}

// run searches from the present states of the partitions, which have equal traces. Where it has found
// a bijection the partitions are left where they show it; otherwise they are as before.
func (s *search) run() outcome {
	s.levels, s.cursor = s.levels[:0], 0
	if s.done() {
		if s.verified() {
			return found
		}
		return none
	}
	s.choose()
	for {
		l := &s.levels[len(s.levels)-1]
		j, more := s.candidate(l)
		switch {
		case s.budget.over:
			for len(s.levels) > 0 {
				s.leave()
			}
			return stopped
		case !more:
			if s.leave(); len(s.levels) == 0 {
				return none
			}
			s.failed()
			continue
		}
		s.follow.individualise(j)
		switch {
		case !s.follow.refine():
			s.failed()
		case !s.done():
			s.choose()
		case s.verified():
			return found
		default:
			s.failed()
		}
	}
}

// leave ends a level whose choices are exhausted.
func (s *search) leave() {
	l := &s.levels[len(s.levels)-1]
	s.lead.undo(l.before1)
	s.follow.undo(l.before2)
	s.levels = s.levels[:len(s.levels)-1]
}

// failed takes back the last choice in follow.
func (s *search) failed() {
	l := &s.levels[len(s.levels)-1]
	s.follow.undo(l.before2)
	s.cursor = l.cursor
	if len(s.levels) == 1 && s.tried != nil && !s.budget.over {
		j := l.first
		if l.next > 0 {
			j = l.rest[l.next-1]
		}
		s.tried.fail(j)
	}
}

// candidate returns the next node of follow to try.
func (s *search) candidate(l *level) (int32, bool) {
	if l.next < 0 {
		l.next = 0
		return l.first, true
	}
	if l.rest == nil {
		for _, j := range s.follow.elements[l.cell : l.cell+s.follow.size[l.cell]] {
			if j != l.first {
				l.rest = append(l.rest, j)
			}
		}
	}
	for l.next < len(l.rest) {
		j := l.rest[l.next]
		l.next++
		if len(s.levels) > 1 || s.tried == nil || !s.tried.failed(j) {
			return j, true
		}
	}
	return 0, false
}

// choose begins a level.
func (s *search) choose() {
	l := level{before1: s.lead.mark(), before2: s.follow.mark(), cursor: s.cursor, next: -1}
	if s.same {
		l.node, l.first = s.crosswise()
	} else {
		for s.lead.size[s.cursor] == 1 {
			s.cursor++
		}
		l.node, l.first = s.lead.elements[s.cursor], s.follow.elements[s.cursor]
	}
	l.cell = s.lead.cell[l.node]
	s.lead.individualise(l.node)
	s.lead.refine()
	s.levels = append(s.levels, l)
}

// done reports whether the partitions say where every node goes: all cells are of one node, or, of one
// graph, all others have the same nodes.
func (s *search) done() bool {
	if !s.same {
		return s.lead.cells == len(s.lead.elements)
	}
	s.differ()
	for _, i := range s.differing {
		if s.lead.size[s.lead.cell[i]] > 1 || s.follow.size[s.follow.cell[i]] > 1 {
			return false
		}
	}
	return true
}

// differ collects the nodes whose cells differ: some of those that were split off since the base.
func (s *search) differ() {
	s.stamp++
	s.differing = s.differing[:0]
	work := 0
	for _, p := range []*partition{s.lead, s.follow} {
		for _, t := range p.log[s.base.splits:] {
			for _, i := range p.elements[t.start : t.start+p.size[t.start]] {
				work++
				if s.met[i] != s.stamp && s.lead.cell[i] != s.follow.cell[i] {
					s.met[i] = s.stamp
					s.differing = append(s.differing, i)
				}
			}
		}
	}
	s.budget.spend(work)
}

// crosswise returns a node of a cell of lead that is not in that of follow, and one of follow that is
// not in that of lead.
func (s *search) crosswise() (i, j int32) {
	for _, i = range s.differing {
		if c := s.lead.cell[i]; s.lead.size[c] > 1 {
			for _, j = range s.differing {
				if s.follow.cell[j] == c {
					return i, j
				}
			}
		}
	}
	for _, j = range s.differing {
		if c := s.follow.cell[j]; s.follow.size[c] > 1 {
			return s.lead.elements[c], j
		}
	}
	panic("isomorphism: no cell to choose from")
}

// image returns where the partitions take a node.
func (s *search) image(i int32) int32 {
	if s.same && s.lead.cell[i] == s.follow.cell[i] && s.lead.size[s.lead.cell[i]] > 1 {
		return i
	}
	return s.follow.elements[s.lead.place[i]]
}

// verified reports whether the bijection takes edges to edges: of one graph those of the nodes that it moves.
func (s *search) verified() bool {
	if s.same {
		for _, i := range s.differing {
			if !s.lead.g.carries(s.follow.g, i, s.image) {
				return false
			}
		}
		return true
	}
	for i := range int32(s.lead.g.Nodes()) {
		if !s.lead.g.carries(s.follow.g, i, s.image) {
			return false
		}
	}
	return true
}
