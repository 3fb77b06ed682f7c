// Package auto solves quadratic assignment by whichever search suits an instance.
//
// It serves the instances that tabu search serves: Koopmans–Beckmann form, graphs of
// one size. Two searches take turns: one trajectory (package tabu), best where good
// assignments lie close to one another, and a population (package population), best
// where they lie in many funnels far apart. Features of the instance say how the turns
// are shared at first, and what each search brings changes it. Turns are counted in
// swaps, so that a seed and a number of steps give the same result on any machine.
//
// On large graphs annealing (package anneal) takes most of the budget first (see large.go).
//
// Several threads make it sooner, or better. Where steps limit the search, the one whose
// turn it is not goes on by itself, for its next turns (see ahead): the result is the
// same. Under a time limit every thread has both searches of its own, which exchange
// their best (see lanes).
package auto

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/population"
	"github.com/rgm-go/rgm/qap/tabu"
)

// Solver is the search; its zero value is ready for use. Limits.MaxSteps counts swaps;
// where no limit is given it defaults to Budget, and the search ends before with the
// status Converged if it has long found nothing better. Result.FoundBy is ByTabu,
// ByPopulation or ByAnneal, or ByStart where there is nothing to search.
type Solver struct {
	// Threads is how many processors to use (1). It changes the result only under a
	// time limit without a limit of steps.
	Threads int
}

// The values of Result.FoundBy.
const (
	ByTabu       = "tabu"
	ByPopulation = "population"
	ByAnneal     = "anneal"
	ByStart      = "start"
)

// Budget returns the default number of swaps for graphs of n nodes, which take one
// core with AVX-512 about a second at n = 30, five at 100 and ten from 180 on.
func Budget(n int) int {
	seconds := min(10, max(0.3, 0.06*float64(n)-0.8))
	microsecondsEach := 0.4 + 0.00033*float64(n)*float64(n)
	return int(seconds * 1e6 / microsecondsEach)
}

// Without a limit, a search has converged when it went on for convergedShare times the
// steps to its best, and for convergedPerNode·n in all.
const (
	convergedShare   = 10
	convergedPerNode = 2000
)

// Solve searches until a limit. It returns an error wrapping qap.ErrUnsupported
// unless tabu.Serves the instance, and an error if Options.Initial is not a complete
// assignment.
func (s Solver) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	n, _ := in.Size()
	if n < 2 || !tabu.Serves(in) { // nothing to search, or the error
		result, err := tabu.Solver{}.Solve(ctx, in, o)
		result.FoundBy = ByStart
		return result, err
	}
	if n >= largeFrom {
		return solveLarge(ctx, in, o, s.Threads)
	}
	return solveFrom(ctx, in, o, s.Threads)
}

// solveFrom is Solve without annealing.
func solveFrom(ctx context.Context, in *qap.Instance, o qap.Options, threads int) (qap.Result, error) {
	if threads > 1 && o.TimeLimit > 0 && o.MaxSteps == 0 && o.Patience == 0 {
		return solveInLanes(ctx, in, o, threads)
	}
	return solveByTurns(ctx, in, o, threads)
}

// solveByTurns is Solve by one search, whose parts may go ahead.
func solveByTurns(ctx context.Context, in *qap.Instance, o qap.Options, threads int) (qap.Result, error) {
	n, _ := in.Size()
	mayConverge := o.MaxSteps == 0 && o.TimeLimit == 0 && o.Patience == 0
	if mayConverge {
		o.MaxSteps = Budget(n)
	}
	watch := o.Watch(ctx, in)
	s, err := newSearch(in, o)
	if err != nil {
		return qap.Result{}, err
	}
	pace := tabu.NewPace(n, &watch)
	if threads > 1 {
		s.goAhead(&watch)
		defer s.halt()
	}
	for {
		status, stop := watch.Reached(s.steps(), s.steps()-s.bestStep, -s.bestCost)
		if !stop {
			status, stop = watch.Expired()
		}
		converged := max(convergedShare*s.bestStep, convergedPerNode*n)
		if !stop && mayConverge && s.steps() >= converged {
			status, stop = qap.Converged, true
		}
		if stop {
			result := qap.NewResult(in, s.best(), status)
			result.Steps, result.FoundBy = s.steps(), s.found.name
			return result, nil
		}
		until := s.steps() + s.made()
		if until > s.steps() { // at once, which says nothing of the pace
			pace = tabu.NewPace(n, &watch)
		} else {
			until = pace.Until(s.steps())
		}
		if o.MaxSteps > 0 {
			until = min(until, o.MaxSteps)
		}
		if mayConverge {
			until = min(until, converged)
		}
		if o.Patience > 0 {
			until = min(until, s.bestStep+o.Patience)
		}
		before := s.bestStep
		s.run(until)
		if o.OnBest != nil && s.bestStep > before {
			o.OnBest(qap.NewIncumbent(in, s.best(), -s.bestCost, s.bestStep))
		}
	}
}

// searcher is one of the searches that take turns.
type searcher interface {
	Run(steps int, target float64)
	Steps() int
	Best() qap.Matching
	BestCost() float64
	BestStep() int
	Tolerance() float64 // what a cost must be less by to be better
}

// part is a searcher and its share of the turns.
type part struct {
	searcher
	name   string
	share  float64 // by the features of the instance
	credit float64 // by what it brought
	passed float64 // its steps, each divided by share and credit
	end    int     // steps of its own at the end of its turn
	before float64 // cost of the best of all when the turn began
}

// search is the two searches together.
type search struct {
	in         *qap.Instance
	n          int
	target     float64
	seed       uint64
	trajectory *part // begins where the population is after its first turn
	population *part
	turn       *part
	watch      *qap.Watch // of parts that go ahead between their turns; nil: none does

	found    *part // the best
	bestCost float64
	bestStep int
}

func newSearch(in *qap.Instance, o qap.Options) (*search, error) {
	n, _ := in.Size()
	plan := planFor(in)
	s := &search{in: in, n: n, target: -o.TargetScore(in), seed: o.Seed, bestCost: math.Inf(1)}
	p, err := population.New(in, plan.settings, o.Initial, o.Seed)
	if err != nil {
		return nil, err
	}
	s.population = &part{searcher: p, name: ByPopulation, share: 1 - plan.trajectory, credit: 1}
	s.population.end = s.turnOf(firstTurn, mostFirstDeltas)
	s.trajectory = &part{name: ByTabu, share: plan.trajectory, credit: 1}
	s.turn = s.population
	s.note(s.population, 0)
	return s, nil
}

// Turns, in swaps ·n, but at most so many deltas: on large graphs the trajectory must
// begin soon, and the parts see early what the other one brings.
const (
	firstTurn       = 10
	laterTurn       = 100
	mostFirstDeltas = 20_000_000
	mostLaterDeltas = 200_000_000
)

// How credit grows with success and fades without.
const (
	mostCredit = 8
	fading     = 0.9
)

// turnOf returns the swaps of a turn.
func (s *search) turnOf(perNode, mostDeltas int) int {
	return max(1, min(perNode*s.n, mostDeltas/(s.n*s.n)))
}

func (s *search) steps() int {
	steps := s.population.Steps()
	if s.trajectory.searcher != nil {
		steps += s.trajectory.Steps()
	}
	return steps
}

func (s *search) best() qap.Matching { return s.found.Best() }

// run searches until a number of steps in all, or the target.
func (s *search) run(steps int) {
	for s.steps() < steps && s.bestCost > s.target {
		p := s.turn
		others := s.steps() - p.Steps()
		s.goOnBut(p)
		p.Run(min(p.end, steps-others), s.target)
		s.note(p, others)
		if p.Steps() >= p.end {
			s.endTurn(p)
		}
	}
}

// note keeps what a part found, where others made so many steps.
func (s *search) note(p *part, others int) {
	if p.BestCost() < s.bestCost {
		s.found, s.bestCost, s.bestStep = p, p.BestCost(), others+p.BestStep()
	}
}

// endTurn gives a part its credit and the next turn to the part that is most behind
// its share.
func (s *search) endTurn(p *part) {
	p.credit = max(1, p.credit*fading)
	if s.bestCost < p.before {
		p.credit = min(mostCredit, 2*p.credit)
	}
	if s.trajectory.searcher == nil {
		s.beginTrajectory()
	} else {
		p.passed += 1 / (p.share * p.credit)
	}
	s.turn = s.trajectory
	if s.population.passed < s.trajectory.passed {
		s.turn = s.population
	}
	s.turn.end = s.turn.Steps() + s.turnOf(laterTurn, mostLaterDeltas)
	s.turn.before = s.bestCost
}

// beginTrajectory has the trajectory begin at the best of the population.
func (s *search) beginTrajectory() {
	seed := rand.New(rand.NewPCG(s.seed, 0xa07)).Uint64()
	walk, err := tabu.NewWalk(s.in, s.best(), seed)
	if err != nil {
		panic(err) // the instance is served, and the start complete: it cannot be
	}
	s.trajectory.searcher = s.aheadOf(walk)
}
