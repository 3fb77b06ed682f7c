package auto

import (
	"math"
	"sync/atomic"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/tabu"
)

// speculator is a searcher that goes on, on a goroutine of its own, while others have their
// turns. What it does there shows only in its next turns, and with its first better
// best it waits for them. So the turns find the same on any number of processors.
//
// The methods of searcher tell of its turns. They are for one goroutine.
type speculator struct {
	own   searcher
	steps int // of its turns, and the best of those
	best  qap.Matching
	cost  float64
	step  int

	halting atomic.Bool
	ahead   *parallel.Group // nil where it does not go on
}

func newSpeculator(s searcher) *speculator {
	a := &speculator{own: s, steps: s.Steps()}
	a.show()
	return a
}

// show tells of the best that was found in turns.
func (a *speculator) show() {
	if a.own.BestStep() <= a.steps {
		a.best, a.cost, a.step = a.own.Best(), a.own.BestCost(), a.own.BestStep()
	}
}

// Run has a turn: it may have made the steps already.
func (a *speculator) Run(steps int, target float64) {
	a.halt()
	a.own.Run(steps, target)
	a.steps = max(a.steps, min(steps, a.own.Steps()))
	if a.own.BestStep() > a.step {
		a.show()
	}
}

func (a *speculator) Steps() int         { return a.steps }
func (a *speculator) Best() qap.Matching { return a.best }
func (a *speculator) BestCost() float64  { return a.cost }
func (a *speculator) BestStep() int      { return a.step }
func (a *speculator) Tolerance() float64 { return a.own.Tolerance() }

// adopt has the searcher go on from what others found, if it can. It must be where its turn
// ended.
func (a *speculator) adopt(m qap.Matching, cost float64) {
	if own, can := a.own.(adopter); can {
		own.adopt(m, cost)
		a.show()
	}
}

// speculate has the searcher go on for at most the steps of its next turn, or until it has a
// better best, the target's, or is halted.
func (a *speculator) speculate(steps int, s *search) {
	until := a.steps + steps
	if a.ahead != nil || a.own.BestStep() > a.step || a.own.Steps() >= until {
		return
	}
	better := math.Nextafter(a.own.BestCost()-a.own.Tolerance(), math.Inf(-1))
	target, pace := max(s.target, better), tabu.NewPace(s.n, s.watch)
	a.ahead = new(parallel.Group)
	a.ahead.Go(func() {
		for !a.halting.Load() && a.own.Steps() < until && a.own.BestCost() > target {
			before := a.own.Steps()
			if a.own.Run(min(until, pace.Until(before)), target); a.own.Steps() == before {
				return // its time is over
			}
		}
	})
}

// halt ends the speculation, and waits for that.
func (a *speculator) halt() {
	ahead := a.ahead
	if ahead == nil {
		return
	}
	a.ahead = nil
	a.halting.Store(true)
	defer a.halting.Store(false)
	ahead.Wait()
}

// startSpeculating has the parts go ahead between their turns from now on.
func (s *search) startSpeculating() {
	s.speculates = true
	for k, p := range s.parts {
		if p != nil {
			s.parts[k] = newSpeculator(p)
		}
	}
}

// speculatorOf returns a searcher that goes ahead, if parts do.
func (s *search) speculatorOf(part searcher) searcher {
	if !s.speculates {
		return part
	}
	return newSpeculator(part)
}

// speculateBut has the parts go on that do not have the turn.
func (s *search) speculateBut(turn Component) {
	if !s.speculates {
		return
	}
	for k, p := range s.parts {
		if Component(k) != turn && p != nil {
			p.(*speculator).speculate(s.turnOf(Component(k)), s)
		}
	}
}

// stepsMade returns how many swaps of the present turn were made ahead.
func (s *search) stepsMade() int {
	if !s.speculates {
		return 0
	}
	a := s.parts[s.state.Last].(*speculator)
	a.halt()
	return min(a.own.Steps(), s.end) - a.steps
}

// halt ends what goes on.
func (s *search) halt() {
	for _, p := range s.parts {
		if p != nil {
			p.(*speculator).halt()
		}
	}
}
