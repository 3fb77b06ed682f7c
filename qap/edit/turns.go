package edit

import "time"

// round begins a round of annealing from an assignment.
func (s *Solver) round() {
	s.assign()
	if s.rounds++; s.rounds%roundsOfLength == 0 {
		s.length = min(2*s.length, mostProposals*max(4, s.pair.n1))
	}
	s.annealer.heat(s.length, s.usual)
}

// assign makes another start by an assignment, where that is likely to end within the time limit. Else annealing goes on from
// where it is.
func (s *Solver) assign() {
	if !s.timeFor(s.assigning) {
		return
	}
	began := s.watch.Now()
	s.annealer.assign(&s.branch)
	s.assigning = s.watch.Now().Sub(began)
}

// anneal goes on with a round for a turn.
func (s *Solver) anneal() {
	before := s.annealer.proposals
	s.annealer.run(proposalsOfTurn, s.enough())
	s.spent[annealing] += s.annealer.proposals - before
}

// mayTurn reports whether a turn of an engine is possible, and the shortest is likely to end within the time limit.
func (s *Solver) mayTurn(engine int) bool {
	switch engine {
	case bounding:
		return s.tightens && s.timeFor(s.turn)
	case branching:
		return s.timeFor(s.assigning)
	}
	return true
}

// timeFor reports whether what takes so long is likely to end within the time limit.
func (s *Solver) timeFor(d time.Duration) bool {
	left, limited := s.watch.Remaining()
	return !limited || left >= d
}

// tighten improves the dual bound for a turn, at the root or in the tree.
func (s *Solver) tighten() {
	d := &s.dual
	before := d.work
	if !s.tightened {
		d.reset(&s.pair)
		s.tightened, s.tree.depth, s.exchange, before = true, 0, 0, 0
	}
	began := s.watch.Now()
	defer func() { s.turn = s.watch.Now().Sub(began) }()
	left, proved := d.left, false
	look := func() {
		if image := d.images(s.image); s.pair.saved(image) > s.annealer.best {
			s.annealer.set(image)
		}
	}
	for first := true; !proved && !s.watch.Over() && (first || d.work-before < numbersOfStep*stepsOfLook); first = false {
		if s.tree.depth > 0 {
			proved = s.tree.next(s.annealer.best)
		} else {
			proved = d.improve(1, s.annealer.best)
			s.bound = min(s.bound, int(d.bound))
		}
		look()
	}
	switch {
	case proved:
	case s.tree.depth > 0 && (d.work > s.exchange || s.tree.full()):
		s.tree.abandon()
		s.exchange, left = d.work+d.work/4, -1
	case s.tree.depth == 0 && d.iterations >= iterationsOfRoot && d.work > s.exchange && s.closeToProof() && s.tree.fits(d):
		if proved = !s.tree.begin(d, &s.exact.class2); proved {
			look()
		}
		s.exchange = 2 * d.work
	}
	s.spent[bounding] += (d.work - before) / numbersOfStep
	if proved {
		s.bound = s.annealer.best
	} else if s.tree.depth == 0 && d.left != left {
		s.excluded = d.ruled(s.excluded[:0])
		s.annealer.exclude(s.excluded)
	}
}

// closeToProof reports whether the tree may end soon.
func (s *Solver) closeToProof() bool {
	return float64(s.bound-s.annealer.best) <= closeToProof*s.usual
}

// branchOut searches depth first for a turn, twice as long as the one before.
func (s *Solver) branchOut() {
	if len(s.excluded) > 0 {
		s.exact.exclude(s.excluded)
	}
	before := s.exact.work
	proved := s.exact.run(s.annealer.best, s.nodes, s.watch.Over)
	s.spent[branching] += 1 + (s.exact.work-before)/numbersOfStep
	s.nodes *= 2
	if s.exact.improved {
		s.annealer.set(s.exact.found)
	}
	if proved {
		s.bound = s.annealer.best
	}
}
