package auto

import (
	"context"
	"time"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/anneal"
	"github.com/rgm-go/rgm/qap/population"
	"github.com/rgm-go/rgm/qap/tabu"
)

// From largeFrom nodes on a trajectory makes too few steps in seconds, since each looks
// at n²/2 swaps: annealing takes annealedShare of the budget, and a trajectory goes on
// from what it found. Not so where both matrices have no structure, as uniform ones:
// there the best swap of all is worth its price, and the trajectory has all of the
// budget; and where a population grows, the turns are as on small graphs. Of a time limit
// annealing has all where the trajectory could make hardly a swap.
const (
	largeFrom     = 300
	annealedShare = 0.95

	leastTrajectory = 0.5 // ·n swaps: in the time of fewer it could hardly begin, and annealing has all
)

// Where flows are few and the budget is below growBudget·n swaps, annealing has no time to
// bring partners together: a population grows (population.Grown). Its steps are sooner made than
// the swaps of a trajectory, so a limit of time has less to do before annealing is better:
// growInTime swaps of a trajectory.
const (
	growBudget    = 20
	growInTime    = 1500
	growNeighbors = 16 // of a node, in the mean
)

// leastLook is the time, in swaps ·n of a trajectory on a large graph, below which looking at the
// structure would take most of it, and nothing but annealing gets anywhere.
const leastLook = 0.25

// isHurried tells whether there is no time to look at a large graph.
func isHurried(n int, l qap.Limits) bool {
	return n >= largeFrom && l.TimeLimit > 0 && l.MaxSteps == 0 && l.Patience == 0 && float64(budgetOf(l, n)) < leastLook*float64(n)
}

// From middleFrom nodes on the same holds of budgets of fewer than shortBudget·n swaps,
// where there is structure but not in blocks.
const (
	middleFrom  = 100
	shortBudget = 1500
)

// isLarge tells whether an instance of middleFrom nodes or more is for solveLarge, not
// for turns.
func isLarge(f Features, l qap.Limits) bool {
	switch {
	case f.grows(f.Narrow) || f.grows(f.Tree):
		return false
	case f.N >= largeFrom:
		return true
	}
	return f.structured() && !f.blocks() && budgetOf(l, f.N) < shortBudget*f.N
}

// growsFirst tells whether a population grows on a large graph: few flows, and a budget from
// that of the first growth to where annealing is better.
func growsFirst(f Features, l qap.Limits) bool {
	budget, most := budgetOf(l, f.N), growBudget*f.N
	if l.MaxSteps == 0 && l.TimeLimit > 0 {
		most = min(most, growInTime)
	}
	return min(f.Neighbors[0], f.Neighbors[1]) <= growNeighbors && budget >= 2*f.N && budget < most
}

// solveLarge is Solve for large graphs, but where a population grows.
func solveLarge(ctx context.Context, in *qap.Instance, o qap.Options, f Features, watch *qap.Watch) (qap.Result, error) {
	limits := o.Limits
	if left, limited := watch.Remaining(); limited {
		o.TimeLimit = max(1, left)
	}
	switch {
	case !f.structured():
		result, err := tabu.Solver{}.Solve(ctx, in, o)
		result.FoundBy = ByTabu
		return result, err
	case growsFirst(f, limits):
		result, err := population.Solver{Settings: population.Grown()}.Solve(ctx, in, o)
		result.FoundBy = ByPopulation
		return result, err
	}
	return solveAnnealed(ctx, in, o)
}

// solveAnnealed is Solve by annealing and a trajectory.
func solveAnnealed(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	watch := o.Watch(ctx, in)
	first := o
	first.Patience = 0
	switch {
	case o.MaxSteps > 0: // time only ends the search then
		first.MaxSteps = max(1, int(annealedShare*float64(o.MaxSteps)))
	case o.TimeLimit > 0:
		n, _ := in.Size()
		after := time.Duration((1 - annealedShare) * float64(o.TimeLimit))
		if float64(SwapsIn(after, n)) >= leastTrajectory*float64(n) {
			first.TimeLimit = max(1, o.TimeLimit-after)
		}
	default:
		first.MaxSteps = o.Patience
	}
	annealed, err := anneal.Solver{}.Solve(ctx, in, first)
	annealed.FoundBy = ByAnneal
	if err != nil || annealed.Status == qap.Target {
		return annealed, err
	}
	status, ended := watch.Expired()
	if !ended {
		status, ended = watch.Reached(annealed.Steps, 0, annealed.Score)
	}
	if ended {
		annealed.Status = status
		return annealed, nil
	}
	o.Initial = annealed.Matching
	if left, limited := watch.Remaining(); limited {
		o.TimeLimit = max(1, left)
	}
	if o.MaxSteps > 0 {
		o.MaxSteps -= annealed.Steps
	}
	if tell := o.OnBest; tell != nil {
		o.OnBest = func(found qap.Incumbent) {
			found.Steps += annealed.Steps
			if found.Score > annealed.Score {
				tell(found)
			}
		}
	}
	result, err := tabu.Solver{}.Solve(ctx, in, o)
	result.Steps, result.FoundBy = result.Steps+annealed.Steps, ByTabu
	if result.Score <= annealed.Score {
		result.Matching, result.Score, result.Objective = annealed.Matching, annealed.Score, annealed.Objective
		result.FoundBy = ByAnneal
	}
	return result, err
}
