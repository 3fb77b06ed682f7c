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
	chooser Chooser
	begin   func(Component, *search) searcher
	watch   *qap.Watch // nil: there is none
	target  float64
	state   State // what the chooser sees

	parts  [Components]searcher // nil before their first turn
	opened qap.Matching         // the best when the opening ended, where the trajectory starts
	end    int                  // steps of its own at which the turn of state.Last ends
	before float64              // cost of the best of all when the turn began
	ahead  bool                 // parts go ahead between their turns
}

// newSearch returns a search that is about to make its first turn, the opening: of the
// population that the plan names.
func newSearch(in *qap.Instance, features Features, c Chooser, o qap.Options, watch *qap.Watch) (*search, error) {
	opening, err := population.New(in, features.settings(planFor(features).opening), o.Initial, o.Seed, watch)
	if err != nil {
		return nil, err
	}
	s := &search{chooser: c, watch: watch, target: -o.TargetScore(in), begin: func(k Component, s *search) searcher { return beginPart(in, k, s, o) }}
	s.open(features, budgetOf(o.Limits, features.N), opening)
	return s, nil
}

// budgetOf returns the swaps that limits leave a search, as far as they tell.
func budgetOf(l qap.Limits, n int) int {
	budget := math.MaxInt
	if l.MaxSteps > 0 {
		budget = l.MaxSteps
	}
	if l.TimeLimit > 0 {
		budget = min(budget, max(1, SwapsIn(l.TimeLimit, n)))
	}
	if budget == math.MaxInt {
		return Budget(n)
	}
	return budget
}

// open begins the opening.
func (s *search) open(features Features, budget int, opening searcher) {
	k := planFor(features).opening
	s.state = State{Features: features, Budget: budget, Opening: k, Last: k, BestCost: math.Inf(1)}
	for k := range s.state.Parts {
		s.state.Parts[k].Cost = math.Inf(1)
	}
	s.parts[k] = opening
	s.end = turnOf(features.N, firstTurn, mostFirstDeltas)
	s.before = math.Inf(-1) // whatever it finds, it is no success
	s.note(k, 0)
}

// Turns, in swaps ·n, but at most so many deltas: on large graphs the other searches
// must begin soon, and the chooser see early what each brings.
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

func (s *search) best() qap.Matching { return s.parts[s.state.Found].Best() }

// run searches until a number of steps in all, the target, or the end of the time.
func (s *search) run(steps int) {
	for s.state.Steps < steps && s.state.BestCost > s.target {
		k := s.state.Last
		p := s.parts[k]
		others := s.state.Steps - p.Steps()
		s.goOnBut(k)
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
	own := &all.Parts[k]
	own.Steps, own.BestStep, own.Cost = p.Steps(), p.BestStep(), p.BestCost()
	all.Steps = others + p.Steps()
	if p.BestCost() < all.BestCost {
		all.Found, all.BestCost, all.BestStep = k, p.BestCost(), others+p.BestStep()
	}
}

// endTurn gives the next turn to the part that the chooser chooses.
func (s *search) endTurn() {
	all := &s.state
	own := &all.Parts[all.Last]
	own.Turns++
	own.Gain = max(0, s.before-all.BestCost)
	if all.Turns++; all.Turns == 1 {
		s.endOpening()
	}
	k := s.chooser.Next(all)
	if s.parts[k] == nil {
		s.parts[k] = s.aheadOf(s.begin(k, s))
	}
	all.Last, s.before = k, all.BestCost
	s.end = s.parts[k].Steps() + turnOf(all.Features.N, laterTurn, mostLaterDeltas)
}

// endOpening keeps what the opening tells.
func (s *search) endOpening() {
	if p := s.population(s.state.Opening); p != nil {
		s.state.Features.Above, s.state.Features.Apart = p.Scatter()
	}
	s.opened = s.best()
}

// population returns that of a component, nil if it has not begun or was recorded. It must
// not be one that goes on ahead.
func (s *search) population(k Component) *population.Search {
	p := s.parts[k]
	if a, ok := p.(*ahead); ok {
		p = a.own
	}
	own, _ := p.(*population.Search)
	return own
}

// beginPart returns a part after the opening.
func beginPart(in *qap.Instance, k Component, s *search, o qap.Options) searcher {
	var p searcher
	var err error
	switch k {
	case Trajectory:
		p, err = tabu.NewWalk(in, s.opened, rand.New(rand.NewPCG(o.Seed, 0xa07)).Uint64(), s.watch)
	case Restarts:
		p, err = newRestarts(in, o.Seed, s.watch)
	default:
		p, err = population.New(in, s.state.Features.settings(k), o.Initial, o.Seed, s.watch)
	}
	if err != nil {
		panic(err) // the instance is served, and the start complete: it cannot be
	}
	return p
}
