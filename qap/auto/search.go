package auto

import (
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/population"
	"github.com/rgm-go/rgm/qap/tabu"
)

// searcher is one of the searches that take turns.
type searcher interface {
	Run(steps int, target float64)
	Steps() int
	Best() qap.Matching
	BestCost() float64
	BestStep() int
	Tolerance() float64 // what a cost must be less by to be better
}

// search is the searches together.
type search struct {
	in     *qap.Instance
	o      qap.Options
	n      int
	turns  turns
	watch  *qap.Watch // nil: there is none
	target float64
	state  state

	parts      [Components]searcher // nil before their first turn
	opened     qap.Matching         // the best when the opening ended, where the trajectory starts
	end        int                  // steps of its own at which the turn of state.Last ends
	before     float64              // cost of the best of all when the turn began
	speculates bool                 // parts go ahead between their turns
}

// state is how far the searches are. Costs are minimised.
type state struct {
	Last     Component // whose turn it is
	Steps    int       // swaps so far
	Found    Component
	BestStep int // Steps when the best was found
	BestCost float64
}

// newSearch returns a search that is about to make its first turn, the opening: of the
// population that the plan names.
func newSearch(in *qap.Instance, p plan, o qap.Options, watch *qap.Watch) (*search, error) {
	n, _ := in.Size()
	opening, err := population.New(in, p.settings[p.opening], o.Initial, o.Seed, watch)
	if err != nil {
		return nil, err
	}
	s := &search{in: in, o: o, n: n, turns: turns{plan: p}, watch: watch, target: -o.TargetScore(in)}
	s.state = state{Last: p.opening, BestCost: math.Inf(1)}
	s.parts[p.opening] = opening
	s.end = turnOf(n, firstTurn, mostFirstDeltas)
	s.before = math.Inf(-1) // whatever it finds, it is no success
	s.note(p.opening, 0)
	return s, nil
}

// Turns, in swaps ·n, but at most so many deltas: on large graphs the other searches
// must begin soon.
const (
	firstTurn       = 10
	laterTurn       = 100
	mostFirstDeltas = 20_000_000
	mostLaterDeltas = 200_000_000
)

// turnOf returns the swaps of a turn.
func turnOf(n, perNode, mostDeltas int) int {
	return max(1, min(perNode*n, mostDeltas/(n*n)))
}

// incumbent is the best of all.
func (s *search) incumbent() qap.Incumbent {
	found := qap.NewIncumbent(s.in, s.best(), -s.state.BestCost, s.state.BestStep)
	found.FoundBy = foundBy[s.state.Found]
	return found
}

func (s *search) best() qap.Matching { return s.parts[s.state.Found].Best() }

// run searches until a number of steps in all, the target, or the end of the time.
func (s *search) run(steps int) {
	for s.state.Steps < steps && s.state.BestCost > s.target {
		k := s.state.Last
		p := s.parts[k]
		others := s.state.Steps - p.Steps()
		s.speculateBut(k)
		until := min(s.end, steps-others)
		p.Run(until, s.target)
		s.note(k, others)
		if p.Steps() >= s.end {
			s.endTurn()
		} else if p.Steps() < until {
			return // the target is reached, or the time is over
		}
	}
}

// note keeps what a part found, where others made so many steps.
func (s *search) note(k Component, others int) {
	p, all := s.parts[k], &s.state
	all.Steps = others + p.Steps()
	if p.BestCost() < all.BestCost {
		all.Found, all.BestCost, all.BestStep = k, p.BestCost(), others+p.BestStep()
	}
}

// endTurn begins the next turn.
func (s *search) endTurn() {
	all := &s.state
	if s.opened == nil {
		s.opened = s.best()
	}
	k := s.turns.next(all.Last, all.BestCost < s.before)
	if s.parts[k] == nil {
		s.parts[k] = s.speculatorOf(s.begin(k))
	}
	all.Last, s.before = k, all.BestCost
	s.end = s.parts[k].Steps() + turnOf(s.n, laterTurn, mostLaterDeltas)
}

// population returns that of a component, nil if it has not begun. It must
// not be one that goes on ahead.
func (s *search) population(k Component) *population.Search {
	p := s.parts[k]
	if a, ok := p.(*speculator); ok {
		p = a.own
	}
	own, _ := p.(*population.Search)
	return own
}

// begin returns a part after the opening.
func (s *search) begin(k Component) searcher {
	var p searcher
	var err error
	if k == Trajectory {
		p, err = tabu.NewWalk(s.in, s.opened, rand.New(rand.NewPCG(s.o.Seed, 0xa07)).Uint64(), s.watch)
	} else {
		p, err = population.New(s.in, s.turns.plan.settings[k], s.o.Initial, s.o.Seed, s.watch)
	}
	if err != nil {
		panic(err) // the instance is served, and the start complete: it cannot be
	}
	return p
}
