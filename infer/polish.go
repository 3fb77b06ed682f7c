package infer

import (
	"context"
	"time"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/profile"
	"github.com/rgm-go/rgm/qap/tabu"
)

// Under a time limit with polish, rollouts get a fiftieth of the time where tabu
// search cannot swap, and none where that is too short for some steps. Where it can,
// every share of theirs was a loss (docs/EXPERIMENTS.md): in the time of one step of
// a network, it makes hundreds.
const (
	rolloutShare    = 50
	leastRolloutsOf = 10 * time.Millisecond
)

// searchAndPolish runs tabu search, after rollouts where it does not swap or needs a
// solution to start from; the better result counts. Tabu search starts on its own:
// what rollouts find is no better for it than a random start.
func searchAndPolish(ctx context.Context, solver qap.Solver, in *qap.Instance, o Options, limits qap.Limits) (qap.Result, error) {
	start := time.Now()
	first := qap.Result{Matching: o.Initial}
	share := o.TimeLimit / rolloutShare
	useful := share >= leastRolloutsOf && !swaps(in, o.Goal)
	if incomplete := o.Initial != nil && !in.IsSolution(o.Initial); useful || incomplete {
		limits := o.orDefaultPatience(limits, in)
		limits.TimeLimit = share
		var err error
		first, err = solver.Solve(ctx, in, qap.Options{Limits: limits, Seed: o.Seed, Initial: o.Initial})
		if err != nil || first.Status != qap.TimeLimit {
			return first, err
		}
	}
	limits.MaxSteps, limits.Patience = 0, 0
	limits.TimeLimit = max(o.TimeLimit-time.Since(start), 1)
	initial := o.Initial
	if initial != nil { // it may have been incomplete
		initial = first.Matching
	}
	result, err := polisher(in, o.Goal).Solve(ctx, in, qap.Options{Limits: limits, Seed: o.Seed, Initial: initial})
	if err != nil {
		return qap.Result{}, err
	}
	result.Steps += first.Steps
	if first.Status != "" && better(in, o.Goal, &first, &result) {
		result.Matching, result.Score, result.Objective = first.Matching, first.Score, first.Objective
	}
	result.Rollouts = max(first.Rollouts, result.Rollouts, 1)
	return result, nil
}

// endsWithProfile tells whether the search of the profile follows the rollouts.
func (o *Options) endsWithProfile(in *qap.Instance) bool {
	limited := o.TimeLimit > 0 || o.MaxSteps > 0 || o.Patience > 0
	return o.Polish && !limited && !o.Irrevocable && !swaps(in, o.Goal)
}

// shortPatience is, in steps a node, the patience of rollouts that another search
// follows.
const shortPatience = 1

// searchAndProfile runs short rollouts and then the search of the profile, on its
// own; the better result counts.
func searchAndProfile(ctx context.Context, solver qap.Solver, in *qap.Instance, o Options) (qap.Result, error) {
	n1, n2 := in.Size()
	limits := qap.Limits{Patience: shortPatience * max(n1, n2), Target: o.Target, HasTarget: o.HasTarget}
	first, err := solver.Solve(ctx, in, qap.Options{Limits: limits, Seed: o.Seed, Initial: o.Initial})
	if err != nil || first.Status == qap.Target || first.Status == qap.Cancelled {
		return first, err
	}
	limits.Patience = 0
	result, err := profile.Solver{Goal: o.Goal}.Solve(ctx, in, qap.Options{Limits: limits, Seed: o.Seed})
	if err != nil {
		return qap.Result{}, err
	}
	result.Steps, result.Rollouts = result.Steps+first.Steps, first.Rollouts
	if better(in, o.Goal, &first, &result) {
		result.Matching, result.Score, result.Objective = first.Matching, first.Score, first.Objective
	}
	return result, nil
}

// better tells whether r is a better solution for a goal than s.
func better(in *qap.Instance, g qap.Goal, r, s *qap.Result) bool {
	least, most := g.Sizes(in)
	m := r.Matching.Size()
	return m >= least && m <= most && g.Value(in, r.Score, m) > g.Value(in, s.Score, s.Matching.Size())
}

// swaps tells whether the polish is search over swaps: where all is to be matched.
func swaps(in *qap.Instance, g qap.Goal) bool { return tabu.Serves(in) && g.Fixed == nil }

// polisher returns the tabu search for an instance: over swaps, or over the moves
// of the profile, which know the other goals.
func polisher(in *qap.Instance, g qap.Goal) qap.Solver {
	if swaps(in, g) {
		return tabu.Solver{}
	}
	return profile.Solver{Goal: g}
}
