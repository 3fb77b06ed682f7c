package auto

import (
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/classic"
	"github.com/rgm-go/rgm/qap/tabu"
)

// walk is a trajectory that begins anew at what others find.
type walk struct {
	*tabu.Walk
	s     *search
	draws *rand.Rand

	earlier  int // steps of the trajectories before
	best     qap.Matching
	bestCost float64
	bestStep int
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
	var err error
	w.Walk, err = tabu.NewWalk(s.in, start, w.draws.Uint64(), s.watch)
	return w, err
}

func (w *walk) adopt(found qap.Matching, cost float64) {
	own, err := tabu.NewWalk(w.s.in, found, w.draws.Uint64(), w.s.watch)
	if err != nil {
		panic(err) // what others find is complete: it cannot be
	}
	if w.best == nil || w.Walk.BestCost() < w.bestCost {
		w.best, w.bestCost, w.bestStep = w.Walk.Best(), w.Walk.BestCost(), w.earlier+w.Walk.BestStep()
	}
	w.earlier += w.Walk.Steps()
	w.Walk = own
}

func (w *walk) Run(steps int, target float64) { w.Walk.Run(steps-w.earlier, target) }
func (w *walk) Steps() int                    { return w.earlier + w.Walk.Steps() }

// ahead reports whether the present trajectory has the best.
func (w *walk) ahead() bool { return w.best == nil || w.Walk.BestCost() < w.bestCost }

func (w *walk) Best() qap.Matching {
	if w.ahead() {
		return w.Walk.Best()
	}
	return w.best
}

func (w *walk) BestCost() float64 {
	if w.ahead() {
		return w.Walk.BestCost()
	}
	return w.bestCost
}

func (w *walk) BestStep() int {
	if w.ahead() {
		return w.earlier + w.Walk.BestStep()
	}
	return w.bestStep
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

// tabuAfter·n swaps without a better best end the trajectory from what FAQ found.
const tabuAfter = 10

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

// relax relaxes from what is similar at first, then from the barycentre, then from random starts.
func (r *relaxed) relax(turn int) {
	o := qap.Options{Seed: r.s.o.Seed, Limits: qap.Limits{Target: r.s.o.Target, HasTarget: r.s.o.HasTarget}}
	found, err := classic.FAQ{Similar: turn == 0, Skip: max(0, turn-1)}.Solve(r.s.ctx, r.s.in, o)
	if err == nil && !r.s.watch.Over() {
		o.Initial, o.Patience = found.Matching, tabuAfter*r.s.n
		found, err = tabu.Solver{}.Solve(r.s.ctx, r.s.in, o)
	}
	if err != nil {
		panic(err) // the instance is served, and the start complete: it cannot be
	}
	if cost := -found.Score; cost < r.bestCost-r.Tolerance() {
		r.best, r.bestCost, r.bestStep = found.Matching, cost, r.steps+1
	}
}

func (r *relaxed) Steps() int         { return r.steps }
func (r *relaxed) Best() qap.Matching { return r.best }
func (r *relaxed) BestCost() float64  { return r.bestCost }
func (r *relaxed) BestStep() int      { return r.bestStep }
func (r *relaxed) Tolerance() float64 { return 0 }
