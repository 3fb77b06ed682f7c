package auto

import (
	"context"
	"time"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/anneal"
	"github.com/rgm-go/rgm/qap/classic"
	"github.com/rgm-go/rgm/qap/population"
	"github.com/rgm-go/rgm/qap/tabu"
)

// Annealing takes annealedShare of its budget, and a trajectory goes on from what it found;
// all of a time limit where the trajectory could make hardly a swap: in the time of fewer
// than leastTrajectory·n swaps it could hardly begin.
const (
	annealedShare   = 0.95
	leastTrajectory = 0.5
)

// solveSwaps is Solve where swaps serve.
func (v Solver) solveSwaps(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	n, _ := in.Size()
	mayConverge := o.MaxSteps == 0 && o.TimeLimit == 0 && o.Patience == 0
	if mayConverge {
		o.MaxSteps = Budget(n)
	}
	ctx = qap.WithTimeLimit(ctx, o.TimeLimit) // looking at the instance takes time too
	watch := o.Watch(ctx, in)
	if watch.Over() {
		return atStart(in, o, &watch)
	}
	c := circumstancesOf(in, v.Goal, o.Limits)
	l := choose(in, c)
	p := newParts(in, qap.Goal{}, o.OnBest)
	if l.way == relaxing {
		if err := p.relaxed(ctx, o); err != nil || !p.goesOn(ctx, &o, 0) {
			return p.best, err
		}
		c.relaxed = true
		l = choose(in, c)
	}
	var err error
	switch l.way {
	case annealing:
		err = p.annealed(ctx, o)
	case trajectory:
		_, err = p.run(ctx, tabu.Solver{}, ByTabu, o)
	case growth:
		_, err = p.run(ctx, population.Solver{Settings: population.Grown()}, ByPopulation, o)
	default:
		t := turning{plan: l.plan, threads: v.Threads, mayConverge: mayConverge}
		if l.way == annealedTurns {
			first := shortOf(o.Limits, n)
			if v.Threads > 1 && c.byClock { // on one of them, while others begin with turns
				first = mostOf(first, n)
				t.annealed = &first
			} else {
				short := o
				short.Limits = first
				from := p.best.Steps
				if err = p.annealed(ctx, short); err != nil || !p.goesOn(ctx, &o, from) {
					break
				}
			}
		}
		_, err = p.run(ctx, t, "", o)
	}
	return p.best, err
}

// Before other searches FAQ has at most relaxedShare of the time, and tabuAfter·n swaps of a
// trajectory mend what its rounding left.
const (
	relaxedShare = 0.7
	tabuAfter    = 10
)

// relaxed runs FAQ, and a short trajectory from its result.
func (p *parts) relaxed(ctx context.Context, o qap.Options) error {
	n, _ := p.in.Size()
	first := o
	first.Patience, first.TimeLimit = 0, time.Duration(relaxedShare*float64(o.TimeLimit))
	if _, err := p.run(ctx, classic.FAQ{Similar: true}, ByFAQ, first); err != nil || !p.goesOn(ctx, &o, 0) {
		return err
	}
	o.Patience = tabuAfter * n
	_, err := p.run(ctx, tabu.Solver{}, ByTabu, o)
	return err
}

// atStart is the result where the time is over before the first swap.
func atStart(in *qap.Instance, o qap.Options, watch *qap.Watch) (qap.Result, error) {
	result, err := tabu.AtStart(watch, in, o)
	result.FoundBy = ByStart
	return result, err
}

// mostOf returns the limits of annealing that has most of those of a search.
func mostOf(l qap.Limits, n int) qap.Limits {
	first := l
	first.Patience = 0
	switch {
	case l.MaxSteps > 0: // time only ends the search then
		first.MaxSteps = max(1, int(annealedShare*float64(l.MaxSteps)))
	case l.TimeLimit > 0:
		after := time.Duration((1 - annealedShare) * float64(l.TimeLimit))
		if swapsIn(after, n) >= leastTrajectory*float64(n) {
			first.TimeLimit = max(1, l.TimeLimit-after)
		}
	default:
		first.MaxSteps = l.Patience
	}
	return first
}

// shortOf returns the limits of a search with shortBudget, with which a longer one begins: so
// it finds what that finds.
func shortOf(l qap.Limits, n int) qap.Limits {
	short := l
	switch swaps := shortBudget * n; {
	case l.MaxSteps > 0:
		short.MaxSteps = swaps
	case l.TimeLimit > 0:
		short.TimeLimit = min(l.TimeLimit, time.Duration(float64(swaps)*slowness()*float64(nominalSwap(n))))
	default:
		short.MaxSteps = min(swaps, l.Patience)
	}
	return short
}

// annealed runs annealing for most of the limits, and then a trajectory from its result.
func (p *parts) annealed(ctx context.Context, o qap.Options) error {
	n, _ := p.in.Size()
	ctx, from := qap.WithTimeLimit(ctx, o.TimeLimit), p.best.Steps
	first := o
	first.Limits = mostOf(o.Limits, n)
	if _, err := p.run(ctx, anneal.Solver{}, ByAnneal, first); err != nil || !p.goesOn(ctx, &o, from) {
		return err
	}
	_, err := p.run(ctx, tabu.Solver{}, ByTabu, o)
	return err
}

// goesOn reports whether limits leave something to another part, sets the status if not, and
// has the other part begin at the best, with the steps that are left since there were so many.
func (p *parts) goesOn(ctx context.Context, o *qap.Options, from int) bool {
	used := p.best.Steps - from
	if p.best.Status == qap.Target {
		return false
	}
	watch := o.Watch(ctx, p.in)
	status, ended := watch.Expired()
	if !ended {
		status, ended = watch.Reached(used, 0, p.best.Score)
	}
	if ended {
		p.best.Status = status
		return false
	}
	o.Initial = p.best.Matching
	if o.MaxSteps > 0 {
		o.MaxSteps -= used
	}
	return true
}
