// Package anneal solves quadratic assignment by simulated annealing over swaps, for
// hundreds of nodes and for few flows.
//
// It serves the instances that tabu search serves: Koopmans–Beckmann form, graphs of
// one size. On large graphs a step of tabu search looks at all n²/2 swaps to make one;
// annealing tries swaps at random, and its schedule knows the budget: the temperatures
// come from shares of trials that are made (see schedule.go), the time between them from
// the limit. Inside the package costs are minimised.
//
// A trial costs a product of rows, of 16-bit integers where the data allow, or a look at
// the partners of both facilities where flows are few. Memory is two matrices of n² in
// all, with a flow and a distance that are both asymmetric four. Trials are made by a C
// kernel in the widest vector instructions at hand, or without cgo in Go; a seed and a
// number of steps give the same result in all.
//
// Sources: Burkard, Rendl, European J. Operational Research 17 (1984),
// doi:10.1016/0377-2217(84)90231-5, for annealing by swaps; Lam, Delosme, 25th Design
// Automation Conference (1988), doi:10.1109/DAC.1988.14775, for temperatures by the
// share of trials that are made; Paul, arXiv:1009.4880, for deltas by lists of flows.
package anneal

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/bisect"
	"github.com/rgm-go/rgm/qap/tabu"
)

// Solver is the search; its zero value is ready for use. A step is n trials.
// Limits.MaxSteps stretches the cooling; without it Limits.TimeLimit does, which beside it
// only ends the search, so that a seed and a number of steps give the same result where
// the time suffices. Limits.Patience is the length of a first round where neither is
// given, and DefaultSteps where no limit is.
type Solver struct{}

// DefaultSteps is the number of steps where no limit is given.
const DefaultSteps = 20_000

// bisections of each part are tried before a mapping is annealed.
const bisections = 4

// Solve searches until a limit. It returns an error wrapping qap.ErrUnsupported unless
// tabu.Serves the instance, and an error if Options.Initial is not a complete
// assignment. The search leaves Initial behind, but returns nothing worse.
func (Solver) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	n, places := in.Size()
	mapping, mapped := in.Affinity.(*qap.Mapping)
	if n < 2 || !mapped && !tabu.Serves(in) {
		return tabu.Solver{}.Solve(ctx, in, o) // nothing to search, or the error
	}
	if o.MaxSteps == 0 && o.TimeLimit == 0 && o.Patience == 0 {
		o.MaxSteps = DefaultSteps
	}
	watch := o.Watch(ctx, in)
	start, kept := o.Initial, mapped && o.Initial != nil
	if mapped && start == nil {
		start, kept = bisect.Map(bisect.FlowsOfMapping(mapping, -in.ScoreOf(1)), mapping.Topology(), bisections, o.Seed)[:n], true
	}
	if start == nil {
		start = qap.RandomMatching(n, places, rand.New(rand.NewPCG(o.Seed, 0xa22f)))
	}
	err := tabu.CheckInitial(in, start)
	if err != nil {
		return qap.Result{}, err
	}
	if watch.Over() {
		return watch.AtStart(in, start), nil
	}
	length := o.MaxSteps
	if length == 0 {
		length = o.Patience
	}
	var s *Search
	if mapped {
		s = NewMapped(in, start, kept, o.Seed, length)
	} else if s, err = New(in, start, o.Seed, length); err != nil {
		return qap.Result{}, err
	}
	clock := clock{watch: &watch}
	if o.MaxSteps == 0 && o.TimeLimit > 0 {
		clock.limit, _ = watch.Remaining()
	}
	for {
		status, stop := watch.Reached(s.Steps(), s.Steps()-s.BestStep(), -s.BestCost())
		if !stop {
			status, stop = watch.Expired()
		}
		if stop {
			result := qap.NewResult(in, s.Best(), status)
			result.Steps = s.Steps()
			return result, nil
		}
		before := s.BestStep()
		s.stage(&clock, o.Limits)
		if o.OnBest != nil && s.BestStep() > before {
			o.OnBest(qap.NewIncumbent(in, s.Best(), -s.BestCost(), s.BestStep()))
		}
	}
}

// stage runs one stage within limits. The clock's limit is 0 where steps say how far the
// search is.
func (s *Search) stage(c *clock, l qap.Limits) {
	if c.limit == 0 {
		s.nextStage()
		s.stageEnd = s.bounded(l)
		s.runUntil(s.stageEnd)
		s.endStage(s.part())
		return
	}
	progress := c.progress()
	if progress > 0 {
		s.expect(int(float64(s.Steps()) / progress))
	}
	s.beginStage(progress, c.steps(s.Steps(), int(s.s.n)))
	s.runUntil(s.stageEnd)
	s.endStage(c.progress())
}

// bounded returns the end of the stage, but not beyond the limit of steps.
func (s *Search) bounded(l qap.Limits) int {
	if l.MaxSteps > 0 {
		return min(s.stageEnd, l.MaxSteps)
	}
	return s.stageEnd
}

// A clock says how far a search with a time limit is.
type clock struct {
	watch *qap.Watch
	limit time.Duration
}

// passed returns the time since the search began.
func (c *clock) passed() time.Duration {
	left, _ := c.watch.Remaining()
	return c.limit - left
}

// progress returns the part of the time that has passed.
func (c *clock) progress() float64 { return min(1, float64(c.passed())/float64(c.limit)) }

// longestStage is how long a stage may take.
const longestStage = 5 * time.Millisecond

// steps returns the steps of the next stage after those made so far, by how long they
// took.
func (c *clock) steps(made, n int) int {
	passed := c.passed()
	if made == 0 || passed <= 0 {
		return 1
	}
	want := min(longestStage, c.limit/stages, (c.limit-passed)/2)
	return max(1, min(mostTrials/n, int(float64(made)*float64(want)/float64(passed))))
}
