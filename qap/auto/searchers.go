package auto

import (
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/anneal"
	"github.com/rgm-go/rgm/qap/bisect"
	"github.com/rgm-go/rgm/qap/classic"
	"github.com/rgm-go/rgm/qap/tabu"
)

// relay is searchers one after the other, of which the last one is at work.
type relay struct {
	now searcher

	earlier  int // steps of those before
	best     qap.Matching
	bestCost float64
	bestStep int
}

// pass has another searcher go on.
func (r *relay) pass(to searcher) {
	if !r.ahead() {
		r.best, r.bestCost, r.bestStep = r.Best(), r.BestCost(), r.BestStep()
	}
	r.earlier += r.now.Steps()
	r.now = to
}

func (r *relay) Run(steps int, target float64) { r.now.Run(steps-r.earlier, target) }
func (r *relay) Steps() int                    { return r.earlier + r.now.Steps() }
func (r *relay) Tolerance() float64            { return r.now.Tolerance() }

// ahead reports whether an earlier searcher has the best.
func (r *relay) ahead() bool { return r.best != nil && r.now.BestCost() >= r.bestCost }

func (r *relay) Best() qap.Matching {
	if r.ahead() {
		return r.best
	}
	return r.now.Best()
}

func (r *relay) BestCost() float64 {
	if r.ahead() {
		return r.bestCost
	}
	return r.now.BestCost()
}

func (r *relay) BestStep() int {
	if r.ahead() {
		return r.bestStep
	}
	return r.earlier + r.now.BestStep()
}

// walk is a trajectory that begins anew at what others find.
type walk struct {
	relay
	s     *search
	draws *rand.Rand
}

// newWalk returns a trajectory from the best of all, or where it comes first from where the
// search begins.
func newWalk(s *search) (*walk, error) {
	w := &walk{s: s, draws: rand.New(rand.NewPCG(s.o.Seed, 0xa07))}
	start := s.o.Initial
	if s.state.Steps > 0 {
		start, _ = s.elite()
	} else if start == nil {
		start = s.random(0xa22f)
	}
	own, err := tabu.NewWalk(s.in, start, w.draws.Uint64(), s.watch)
	w.now = own
	return w, err
}

func (w *walk) adopt(found qap.Matching, _ float64) {
	own, err := tabu.NewWalk(w.s.in, found, w.draws.Uint64(), w.s.watch)
	if err != nil {
		panic(err) // what others find is complete: it cannot be
	}
	w.pass(own)
}

// annealed is rounds of annealing of double length. They begin at random or, where flows are few, at a
// bisection or the best so far, and keep what is good of that.
type annealed struct {
	relay
	s      *search
	view   *tabu.View
	flows  *bisect.Flows // nil where they are not few
	draws  *rand.Rand
	found  qap.Matching // the best so far, of others too
	cost   float64
	length int // of the next round
	end    int // steps at which the round ends
}

// A bisection for every stepsOfBisection steps of a round takes about a quarter of its time, of any
// number of facilities.
const (
	stepsOfBisection = 2800
	mostBisections   = 8
)

func newAnnealed(s *search) (*annealed, error) {
	view, err := tabu.NewView(s.in)
	if err != nil {
		return nil, err
	}
	a := &annealed{s: s, view: view, draws: rand.New(rand.NewPCG(s.o.Seed, 0xa22e)), found: s.o.Initial, cost: math.Inf(1), length: s.turnOf(Annealing)}
	if s.sparse {
		a.flows = bisect.FlowsOf(view, s.n)
	}
	if a.found != nil {
		a.cost = -s.in.Score(a.found)
	}
	a.now, err = a.round()
	return a, err
}

// round returns a round that is about to begin.
func (a *annealed) round() (searcher, error) {
	length := a.length
	a.end, a.length = a.end+length, 2*length
	if a.flows == nil {
		return anneal.New(a.s.in, a.s.random(a.draws.Uint64()), a.draws.Uint64(), length)
	}
	tries := min(mostBisections, max(1, length/stepsOfBisection))
	start := a.view.Assignment(bisect.Map(a.flows, bisect.Matrix{N: a.s.n, Distances: a.view.Distance}, tries, a.draws.Uint64()))
	if -a.s.in.Score(start) >= a.cost && a.draws.IntN(2) == 0 {
		start = a.found
	}
	return anneal.NewKept(a.s.in, start, a.draws.Uint64(), length)
}

func (a *annealed) Run(steps int, target float64) {
	for a.relay.Run(min(steps, a.end), target); a.Steps() == a.end && a.end < steps && a.BestCost() > target; a.relay.Run(min(steps, a.end), target) {
		a.adopt(a.Best(), a.BestCost())
		next, err := a.round()
		if err != nil {
			panic(err) // the instance is served, and the start complete: it cannot be
		}
		a.pass(next)
	}
}

func (a *annealed) adopt(found qap.Matching, cost float64) {
	if cost < a.cost {
		a.found, a.cost = found, cost
	}
}

// relaxed is FAQ from one start in each turn, and a short trajectory from its result. All is
// done at the first step of a turn; the others only pass.
type relaxed struct {
	s     *search
	steps int

	best     qap.Matching
	bestCost float64
	bestStep int
}

// Swaps without a better best, ·n, that end the trajectory from what FAQ found: at first, and later.
const (
	tabuFirst = 1
	tabuAfter = 10
)

func newRelaxed(s *search) (*relaxed, error) {
	r := &relaxed{s: s}
	r.best = s.o.Initial
	if r.best == nil {
		r.best = s.random(0xa22f)
	}
	r.bestCost = -s.in.Score(r.best)
	return r, nil
}

func (r *relaxed) Run(steps int, _ float64) {
	turn := relaxationTurn * r.s.n
	for r.steps < steps {
		if r.steps%turn == 0 {
			r.relax(r.steps / turn)
		}
		r.steps = min(steps, (r.steps/turn+1)*turn)
	}
}

// relax relaxes from degree profiles and from what is similar at first, then from random starts.
func (r *relaxed) relax(turn int) {
	if turn > 0 {
		r.improve(classic.FAQ{Skip: turn}, tabuAfter)
		return
	}
	r.improve(classic.FAQ{Profiles: true}, tabuFirst)
	r.improve(classic.FAQ{Similar: true}, tabuAfter)
}

// improve relaxes, and has a trajectory go on from what is found until so many swaps a node find
// nothing better.
func (r *relaxed) improve(by classic.FAQ, patience int) {
	o := qap.Options{Seed: r.s.o.Seed, Limits: qap.Limits{Target: r.s.o.Target, HasTarget: r.s.o.HasTarget}}
	for _, search := range []qap.Solver{by, tabu.Solver{}} {
		if r.s.watch.Over() {
			return
		}
		found, err := search.Solve(r.s.ctx, r.s.in, o)
		if err != nil {
			panic(err) // the instance is served, and the start complete: it cannot be
		}
		if cost := -found.Score; cost < r.bestCost-r.Tolerance() {
			r.best, r.bestCost, r.bestStep = found.Matching, cost, r.steps+1
		}
		o.Initial, o.Patience = found.Matching, patience*r.s.n
	}
}

func (r *relaxed) Steps() int         { return r.steps }
func (r *relaxed) Best() qap.Matching { return r.best }
func (r *relaxed) BestCost() float64  { return r.bestCost }
func (r *relaxed) BestStep() int      { return r.bestStep }
func (r *relaxed) Tolerance() float64 { return 0 }
