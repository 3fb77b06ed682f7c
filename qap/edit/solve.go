package edit

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/rgm-go/rgm/qap"
)

// Options are how long to search. The zero value searches until the distance is proved.
type Options struct {
	MaxSteps  int           // 0 is no limit; a step is a proposal of the annealing, or about as much work of the bounds
	TimeLimit time.Duration // wall clock of Solve (see qap.WithClock); 0 is none
	Seed      uint64

	// Within, where HasWithin, is a distance that need only be known to be reached or not: the search ends once the
	// cost is at most Within, or the lower bound more.
	Within    int
	HasWithin bool

	// Images is how many maps of nodes are listed that cost no more than the distance, once it is proved; 0 lists none.
	Images int
	Dearer int // how much more than the distance those may cost

	// Initial is an image of each node of graph 1, or nil: the result is no worse.
	Initial []int

	// OnBest, if not nil, is told of each better cost and each better bound by the goroutine that searches.
	OnBest func(cost, lower int)
}

// Result is a distance, or what is known of it.
type Result struct {
	Image  []int // of each node of graph 1, None where it is deleted: Problem.Path tells the edits
	Images [][]int
	Cost   int // of these edits
	Lower  int // no edits cost less
	Status qap.Status
	Steps  int
}

// A Solver searches for one distance after another in the same memory. The zero value is ready for use; it may not be
// shared by goroutines.
type Solver struct {
	pair     pair
	branch   branch
	annealer annealer
	dual     dual
	tree     tree
	exact    exact
	excluded []bool // matches that lead to nothing better
	image    []int32

	o         Options
	watch     qap.Watch
	usual     float64
	bound     int // the most that can be saved
	told      [2]int
	better    int           // proposals until the last better edits
	tightens  bool          // the dual bound can be computed
	tightened bool          // it has begun
	turn      time.Duration // that its last turn took, or the next is likely to
	assigning time.Duration // that the last assignment took
	exchange  int           // its work when it and the tree take turns
	rounds    int
	length    int // of a round
	spent     [engines]int
	nodes     int // of the next turn of the exact search
}

// The engines take turns.
const (
	annealing = iota
	bounding
	branching
	engines
)

// Solve searches for the edit distance of two graphs. Reaching a limit, or a cancelled context, is a Status: the best
// edits so far and the lower bound come back.
func Solve(ctx context.Context, p *Problem, o Options) (Result, error) {
	s := solvers.Get().(*Solver)
	r, err := s.Solve(ctx, p, o)
	s.o, s.watch, s.exact.each, s.exact.over = Options{}, qap.Watch{}, nil, nil // which are the caller's
	solvers.Put(s)
	return r, err
}

// solvers are those of past calls of Solve: a call that finds one leaves the collector of garbage nothing to do, whose work
// counts where the time is short.
var solvers = sync.Pool{New: func() any { return new(Solver) }}

// Solve is Solve in the memory of s.
func (s *Solver) Solve(ctx context.Context, p *Problem, o Options) (Result, error) {
	s.o = o
	s.watch = qap.Limits{TimeLimit: o.TimeLimit}.Watch(ctx, nil)
	if err := p.Check(); err != nil {
		return Result{}, err
	}
	if err := s.pair.set(p); err != nil {
		return Result{}, err
	}
	began := s.watch.Now()
	if err := s.start(p); err != nil {
		return Result{}, err
	}
	s.assigning = s.watch.Now().Sub(began)
	status := s.search()
	var images [][]int
	if status == qap.Optimal && o.Images > 0 {
		images = s.images()
	}
	image := s.annealer.found
	saved := s.dropLosses(image)
	s.bound = max(s.bound, saved)
	return Result{Image: s.pair.result(image), Images: images, Cost: s.pair.total - saved, Lower: s.pair.total - s.bound, Status: status, Steps: s.steps()}, nil
}

// Bound returns a lower bound by one assignment, and the cost of the edits that this is, in a small part of the time that
// Solve takes.
func (s *Solver) Bound(p *Problem) (lower, cost int, err error) {
	s.o = Options{}
	if err := p.Check(); err != nil {
		return 0, 0, err
	}
	if err := s.pair.set(p); err != nil {
		return 0, 0, err
	}
	if err := s.start(p); err != nil {
		return 0, 0, err
	}
	saved := s.dropLosses(s.annealer.found)
	return s.pair.total - max(s.bound, saved), s.pair.total - saved, nil
}

// images lists maps that save as much as any.
func (s *Solver) images() (all [][]int) {
	s.pair.partial = true // no match may cost as much as one that saves nothing
	s.exact.reset(&s.pair, func(image []int32) bool {
		all = append(all, s.pair.result(image))
		return len(all) < s.o.Images
	})
	s.exact.run(s.annealer.best-1-s.o.Dearer, math.MaxInt, s.watch.Over)
	return all
}

// start bounds by one assignment, which is a matching too.
func (s *Solver) start(p *Problem) error {
	s.usual = s.pair.usual()
	s.spent, s.rounds, s.tightened, s.told = [engines]int{}, 0, false, [2]int{-1, -1}
	s.excluded = s.excluded[:0]
	s.image = resized(s.image, s.pair.n1)
	s.annealer.reset(&s.pair, s.o.Seed)
	s.branch.set(&s.pair)
	s.bound = s.branch.solve(&s.pair, s.image)
	s.annealer.set(s.image)
	if s.o.Initial == nil {
		return nil
	}
	if err := s.setInitial(p); err != nil {
		return err
	}
	s.annealer.set(s.image)
	return nil
}

func (s *Solver) steps() int { return s.spent[annealing] + s.spent[bounding] + s.spent[branching] }

// Work in steps.
const (
	quickRounds      = 2  // at first
	quickProposals   = 10 // ·n1 in each
	roundProposals   = 4000
	mostProposals    = 50000
	roundsOfLength   = 6
	timeOfProposal   = 150 * time.Nanosecond // at least: a first round takes two thirds of a short time
	timeOfPlace      = 70 * time.Nanosecond  // of the dual bound, in its first iteration
	proposalsOfTurn  = 1024
	workOfTurn       = 1 << 14 // of the first exact search: nodes of the tree times pairs of nodes,
	leastOfTurn      = 4       // but so many nodes at least
	small            = 12      // nodes of a graph that is searched exactly at once,
	nodesOfSmall     = 1 << 14 // in so many nodes of the tree
	numbersOfStep    = 15      // of the bounds, looked at in the time of a step
	stepsOfLook      = 1024
	iterationsOfRoot = 300 // of the dual before the tree
	closeToProof     = 2   // savings of a usual edge between the bound and the best
)

// share is how much of the time each engine has, until so many steps have passed; in dense graphs whose bounds are close
// to each other the exact search has more, in large ones that are not dense it has none at first.
var share = []struct {
	until int
	of    [engines]int
}{
	{250_000, [engines]int{annealing: 30, bounding: 15, branching: 1}},
	{3_000_000, [engines]int{annealing: 30, bounding: 15, branching: 1}},
	{math.MaxInt, [engines]int{annealing: 30, bounding: 20, branching: 1}},
}

const (
	closeShare  = 30
	closeBounds = 0.3 // of the cost, in graphs of so many
	manyEdges   = 5   // ends of edges a node

	settledPlaces = 1000 // proposals for each pair of nodes, and
	settledTimes  = 4    // as many as until the last better edits
	settledShare  = 10
)

func (s *Solver) dense() bool { return len(s.pair.g1.arcs) > manyEdges*s.pair.n1 }

// settled reports whether the annealing has gone on for long since it last found better edits: then the proof has most of
// the time.
func (s *Solver) settled() bool {
	done := s.spent[annealing]
	return done > settledPlaces*s.pair.n1*s.pair.n2 && done > settledTimes*s.better
}

// shares returns what is share now.
func (s *Solver) shares() [engines]int {
	phase := 0
	for s.steps() > share[phase].until {
		phase++
	}
	now := share[phase].of
	best := s.annealer.best
	if s.settled() && s.dense() {
		now[annealing], now[bounding] = settledShare, settledShare/2
	} else if s.settled() {
		now[annealing], now[bounding] = settledShare, 3*settledShare
	}
	if phase == 0 && s.pair.n1 > small && !s.dense() {
		now[branching] = 0
	}
	if s.dense() && float64(s.bound-best) <= closeBounds*float64(s.pair.total-best) {
		now[branching] = closeShare
	}
	return now
}

// search lets the engines take turns until nothing is left to do.
func (s *Solver) search() qap.Status {
	if status, over := s.over(); over {
		return status
	}
	n1 := s.pair.n1
	for range quickRounds {
		s.assign()
		s.annealer.heat(quickProposals*n1, s.usual)
		s.anneal()
		if status, over := s.over(); over {
			return status
		}
	}
	s.exact.reset(&s.pair, nil)
	first := annealing // where none has had its share
	if n1 <= small || s.dense() {
		first = branching
	}
	s.nodes = max(leastOfTurn, workOfTurn/(n1*s.pair.n2))
	if n1 <= small {
		s.nodes = nodesOfSmall
	}
	s.length = roundProposals * max(4, n1)
	if s.o.TimeLimit > 0 {
		s.length = min(s.length, max(1000, int(s.o.TimeLimit/timeOfProposal)))
	}
	s.tightens = s.dual.fits(&s.pair)
	s.turn = timeOfPlace * time.Duration(len(s.pair.g1.arcs)*len(s.pair.g2.arcs))
	s.annealer.left = 0
	for {
		next, parts := first, s.shares()
		if first == annealing && s.rounds == 1 && s.annealer.left > 0 {
			parts = [engines]int{annealing: 1} // a first round to the end
		}
		for e := range engines {
			if s.mayTurn(e) && s.spent[e]*parts[next] < s.spent[next]*parts[e] {
				next = e
			}
		}
		switch next {
		case annealing:
			if s.annealer.left == 0 {
				s.round()
			}
			s.anneal()
		case bounding:
			s.tighten()
		default:
			s.branchOut()
		}
		s.tell()
		if status, over := s.over(); over {
			return status
		}
	}
}

// over says whether the search ends, and why.
func (s *Solver) over() (qap.Status, bool) {
	best := s.annealer.best
	switch cost, lower := s.pair.total-best, s.pair.total-s.bound; {
	case best >= s.bound:
		s.bound = best
		return qap.Optimal, true
	case s.o.HasWithin && (cost <= s.o.Within || lower > s.o.Within):
		return qap.Target, true
	case s.o.MaxSteps > 0 && s.steps() >= s.o.MaxSteps:
		return qap.MaxSteps, true
	}
	return s.watch.Expired()
}

func (s *Solver) tell() {
	now := [2]int{s.pair.total - s.annealer.best, s.pair.total - s.bound}
	if now[0] != s.told[0] {
		s.better = s.spent[annealing]
	}
	if s.o.OnBest != nil && now != s.told {
		s.o.OnBest(now[0], now[1])
	}
	s.told = now
}

// enough is what need not be improved on.
func (s *Solver) enough() int {
	if s.o.HasWithin {
		return min(s.bound, s.pair.total-s.o.Within)
	}
	return s.bound
}
