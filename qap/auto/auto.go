// Package auto matches graphs by whichever searches suit an instance. The table in choose.go,
// which is that of docs/SOLVERS.md, says which instances get which search.
//
// Affinity matrices, graphs of two sizes and seeds get ruin and regrowth, or a policy and the
// search of the profile (affinities.go). All else here is for the instances that tabu search
// serves: Koopmans–Beckmann form, graphs of one size (swaps.go). Their searches take turns (see
// Component): one trajectory of tabu search is best where good assignments lie close to one
// another, a population where they lie in many funnels far apart. Whose turn is next follows
// from features of the instance and from what each search has found (turns.go). Turns are
// counted in swaps, so that a seed and a number of steps give the same result on any machine.
//
// On most large graphs, and where time is short for the graph, annealing (package anneal)
// takes most of the budget first, or a population grows.
//
// Several threads make it faster, or better. Where steps limit the search, parts that wait for
// their turn speculate: they make their next swaps already (speculate.go), and the result is
// the same. Under a time limit every thread is an island with all searches of its own, and
// islands exchange their best (islands.go).
package auto

import (
	"context"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/rollout"
	"github.com/rgm-go/rgm/qap/tabu"
)

// Solver is the search; its zero value is ready for use. Limits.MaxSteps counts swaps;
// where no limit is given it defaults to Budget, and the search ends before with the
// status Converged if it has long found nothing better. Result.FoundBy says which
// search found the matching, or ByStart where there is nothing to search.
type Solver struct {
	// Threads is how many processors to use (1). It changes the result only under a
	// time limit without a limit of steps.
	Threads int

	Goal   qap.Goal   // which matchings are sought (the best score)
	Policy qap.Solver // rollouts of a policy for the same goal, for affinity matrices (none)
}

// The values of Result.FoundBy.
const (
	ByTabu       = "tabu"
	ByPopulation = "population"
	ByAnneal     = "anneal"
	ByFAQ        = "faq"
	ByPolicy     = "policy"
	ByProfile    = "profile"
	ByRegrow     = "regrow"
	ByStart      = qap.ByStart
)

var foundBy = [Components]string{Trajectory: ByTabu, ShortPopulation: ByPopulation, LongPopulation: ByPopulation}

// Without a limit, a search has converged when it went on for convergedShare times the
// steps to its best, and for convergedPerNode·n in all.
const (
	convergedShare   = 10
	convergedPerNode = 2000
)

// Solve searches until a limit. A part of an assignment in Options.Initial is completed by
// the largest gains first.
func (v Solver) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	if err := v.Goal.CheckStart(in, o.Initial); err != nil {
		return qap.Result{}, err
	}
	if c := circumstancesOf(in, v.Goal, o.Limits); c.affinities {
		return v.solveAffinities(ctx, in, o, choose(in, c).way)
	}
	n, _ := in.Size()
	if o.Initial != nil && o.Initial.Size() < n {
		watch := o.Watch(ctx, in)
		o.Initial = rollout.GreedyMatchingUntil(in, qap.Goal{Fixed: o.Initial}, watch.Over)
	}
	if n < 2 { // nothing to search
		result, err := tabu.Solver{}.Solve(ctx, in, o)
		result.FoundBy = ByStart
		return result, err
	}
	return v.solveSwaps(ctx, in, o)
}

// turning is the search by turns.
type turning struct {
	plan        plan
	threads     int
	mayConverge bool
	annealed    *qap.Limits // of annealing before, on one of several threads (none)
}

// Solve searches until a limit or, if it may, until it has converged.
func (t turning) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	watch := o.Watch(ctx, in)
	if watch.Over() {
		return atStart(in, o, &watch)
	}
	if t.threads > 1 && o.TimeLimit > 0 && o.MaxSteps == 0 && o.Patience == 0 {
		return t.solveOnIslands(ctx, in, o, &watch)
	}
	return t.solveAlone(in, o, &watch)
}

// solveAlone is Solve by one search, whose parts may go ahead.
func (t turning) solveAlone(in *qap.Instance, o qap.Options, watch *qap.Watch) (qap.Result, error) {
	n, _ := in.Size()
	s, err := newSearch(in, t.plan, o, watch)
	if err != nil {
		return qap.Result{}, err
	}
	if t.threads > 1 {
		s.startSpeculating()
		defer s.halt()
	}
	pace := tabu.NewPace(n, watch)
	for {
		best := &s.state
		status, stop := watch.Reached(best.Steps, best.Steps-best.BestStep, -best.BestCost)
		if !stop {
			status, stop = watch.Expired()
		}
		converged := max(convergedShare*best.BestStep, convergedPerNode*n)
		if !stop && t.mayConverge && best.Steps >= converged {
			status, stop = qap.Converged, true
		}
		if stop {
			result := qap.NewResult(in, s.best(), status)
			result.Steps, result.FoundBy = best.Steps, foundBy[best.Found]
			return result, nil
		}
		until := best.Steps + s.stepsMade()
		if until > best.Steps { // at once, which says nothing of the pace
			pace = tabu.NewPace(n, watch)
		} else {
			until = pace.Until(best.Steps)
		}
		if o.MaxSteps > 0 {
			until = min(until, o.MaxSteps)
		}
		if t.mayConverge {
			until = min(until, converged)
		}
		if o.Patience > 0 {
			until = min(until, best.BestStep+o.Patience)
		}
		before := best.BestStep
		s.run(until)
		if o.OnBest != nil && best.BestStep > before {
			o.OnBest(s.incumbent())
		}
	}
}
