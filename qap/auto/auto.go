// Package auto is the default method for affinities: it runs whichever searches suit an instance. Two graphs that are
// aligned by their edges do not come here: see package align, and the rules of rgm.Match.
//
// Affinity matrices, graphs of two sizes and seeds get ruin and regrowth, or a policy and the
// search of the profile (affinities.go). Flows and distances of one size, the instances of tabu search, get the
// rest of the package: a portfolio of searches, the
// candidates, takes turns (portfolio.go; the tables in candidates.go are those of
// docs/SOLVERS.md). All begin small, in an order and with shares that features of the instance
// suggest; who finds a better best has more turns, and what one finds is handed to the others.
// A turn is a share of the work so far, so that it pays to begin many candidates and costs
// little to leave them. Turns are counted in swaps: a seed and a number of steps give the same
// result on any machine, and no turn depends on how many steps or how much time are left, so a
// longer search contains a shorter one.
//
// Sources: Streeter, Smith, CP 2006, doi:10.1007/11889205_40, for searches chosen by who last
// had a new best (the max k-armed bandit); Waldspurger, Weihl, MIT/LCS/TM-528 (1995), for
// shares of turns by strides; Luby, Sinclair, Zuckerman, Information Processing Letters 47
// (1993), doi:10.1016/0020-0190(93)90029-9, for rounds of double length.
//
// Several threads make it faster, or better. Where steps limit the search, parts that wait for
// their turn speculate: they make their next swaps already (speculate.go), and the result is
// the same. Under a time limit every thread is an island with all searches of its own, and
// islands exchange their best (islands.go).
package auto

import (
	"context"
	"math"

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

	// Recalled is a complete assignment that was found for a problem like this one, where swaps
	// serve: a second portfolio begins there, beside the one that begins as without it (none).
	Recalled qap.Matching
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
	ByRecalled   = "recalled" // the portfolio that began at Solver.Recalled
)

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
	if !swaps(in, v.Goal) {
		return v.solveAffinities(ctx, in, o)
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
	if v.Recalled != nil {
		if err := tabu.CheckInitial(in, v.Recalled); err != nil {
			return qap.Result{}, err
		}
	}
	result, err := v.solveSwaps(ctx, in, o)
	if o.Initial != nil && err == nil {
		keepStart(in, &result, o.Initial, ByStart)
	}
	if v.Recalled != nil && err == nil {
		keepStart(in, &result, v.Recalled, ByRecalled)
	}
	return result, err
}

// keepStart puts a start that no search has come up to in the place of a result: annealing, which
// comes first on large instances, begins elsewhere.
func keepStart(in *qap.Instance, r *qap.Result, start qap.Matching, by string) {
	if score := in.Score(start); score > r.Score {
		r.Matching, r.Score, r.Objective, r.FoundBy = start.Clone(), score, in.Objective(score), by
	}
}

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
		result, err := tabu.AtStart(&watch, in, o)
		result.FoundBy = ByStart
		return result, err
	}
	if v.Threads > 1 && o.TimeLimit > 0 && o.MaxSteps == 0 && o.Patience == 0 {
		return solveOnIslands(ctx, v.Threads, in, o, v.Recalled, &watch)
	}
	if v.Recalled != nil {
		r, err := newRecalling(ctx, in, o, v.Recalled, &watch)
		if err != nil {
			return qap.Result{}, err
		}
		if v.Threads > 1 {
			for _, s := range []*search{r.cold, r.warm} {
				s.startSpeculating()
				defer s.halt()
			}
		}
		return r.cold.follow(r, mayConverge), nil
	}
	s, err := newSearch(ctx, in, o, &watch)
	if err != nil {
		return qap.Result{}, err
	}
	if v.Threads > 1 {
		s.startSpeculating()
		defer s.halt()
	}
	return s.follow(s, mayConverge), nil
}

// follow searches along a course until a limit or, if it may, until it has converged.
func (s *search) follow(c course, mayConverge bool) qap.Result {
	best, o := c.at(), &s.o
	for told := math.Inf(1); ; {
		if o.OnBest != nil && best.BestCost < told {
			told = best.BestCost
			o.OnBest(c.incumbent())
		}
		status, stop := s.watch.Reached(best.Steps, best.Steps-best.BestStep, -best.BestCost)
		if !stop {
			status, stop = s.watch.Expired()
		}
		converged := max(convergedShare*best.BestStep, convergedPerNode*s.n)
		if !stop && mayConverge && best.Steps >= converged {
			status, stop = qap.Converged, true
		}
		if stop {
			result := qap.NewResult(s.in, c.best(), status)
			result.Steps, result.FoundBy = best.Steps, c.foundBy()
			return result
		}
		until := best.Steps + c.stepsMade()
		if until > best.Steps { // at once, which says nothing of the pace
			s.pace = tabu.NewPace(s.n, s.watch)
		} else {
			until = s.pace.Until(best.Steps)
		}
		if o.MaxSteps > 0 {
			until = min(until, o.MaxSteps)
		}
		if mayConverge {
			until = min(until, converged)
		}
		if o.Patience > 0 {
			until = min(until, best.BestStep+o.Patience)
		}
		c.advance(until)
	}
}

// Budget returns the default number of swaps for graphs of n nodes, which take a core of some
// speed about half a second at n = 30, four at 100 and ten at 256: by the processor time of a swap, which grows
// faster than n² as matrices leave the caches.
func Budget(n int) int {
	size := float64(n)
	swap := min(0.4+0.00033*size*size, 0.67+1.27e-6*size*size*size) // microseconds
	return int(min(10, max(0.3, 0.06*size-0.8)) / (1e-6 * swap))
}

// swaps reports whether the search is one over swaps: where all nodes are matched, and any
// with any.
func swaps(in *qap.Instance, g qap.Goal) bool { return tabu.Serves(in) && g.Fixed == nil }
