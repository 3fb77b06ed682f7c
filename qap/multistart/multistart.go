// Package multistart runs a search from several seeds side by side, for searches that
// are one trajectory: the best of all counts.
package multistart

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/qap"
)

// Solver runs another solver. Several of it run only under a time limit without a limit
// of steps: elsewhere the result of a seed would depend on their number, and cost more.
type Solver struct {
	Solver  qap.Solver
	Threads int      // how many run side by side (1)
	Goal    qap.Goal // what decides between their results (the best score)
}

// Solve runs the solver with Options.Seed, and others with seeds that come from it. Once
// one has reached the target, or proved its result, all end. Result.Steps counts those of
// all, Result.Bound is the best.
func (s Solver) Solve(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	if s.Threads < 2 || o.TimeLimit == 0 || o.MaxSteps > 0 || o.Patience > 0 {
		return s.Solver.Solve(ctx, in, o)
	}
	all, stop := context.WithCancel(ctx)
	defer stop()
	results, errs := make([]qap.Result, s.Threads), make([]error, s.Threads)
	listener := s.listener(in, o.OnBest)
	seeds := rand.New(rand.NewPCG(o.Seed, 0x5747))
	var done parallel.Group
	for k := range s.Threads {
		own := o
		own.OnBest = listener
		if k > 0 {
			own.Seed = seeds.Uint64()
		}
		done.Go(func() {
			defer func() {
				if s := results[k].Status; s == "" || s == qap.Target || s == qap.Optimal || errs[k] != nil { // "": it panicked
					stop()
				}
			}()
			results[k], errs[k] = s.Solver.Solve(all, in, own)
		})
	}
	done.Wait()
	for _, err := range errs {
		if err != nil {
			return qap.Result{}, err
		}
	}
	return s.best(in, results), nil
}

// best returns the best result, the first of equal ones, with the status of one that
// reached the target or proved its result, else of the first, and the best bound.
func (s Solver) best(in *qap.Instance, results []qap.Result) qap.Result {
	best, status, steps := results[0], results[0].Status, 0
	bound, bounded := math.Inf(1), false // of the score
	for _, r := range results {
		steps += r.Steps
		if s.value(in, r.Score, r.Matching) > s.value(in, best.Score, best.Matching) {
			best = r
		}
		if r.Status == qap.Target || r.Status == qap.Optimal {
			status = r.Status
		}
		if r.HasBound {
			bound, bounded = min(bound, in.ScoreOf(r.Bound)), true
		}
	}
	best.Steps, best.Status = steps, status
	if bounded { // a search may be better than another's proof by rounding
		best.Bound, best.HasBound = in.Objective(max(bound, best.Score)), true
	}
	return best
}

func (s Solver) value(in *qap.Instance, score float64, m qap.Matching) float64 {
	return s.Goal.Value(in, score, m.Size())
}

// listener passes solutions on that are better than those of all before, one at a time.
func (s Solver) listener(in *qap.Instance, onBest func(qap.Incumbent)) func(qap.Incumbent) {
	if onBest == nil {
		return nil
	}
	var mutex sync.Mutex
	told, value := false, 0.0
	return func(found qap.Incumbent) {
		mutex.Lock()
		defer mutex.Unlock()
		if v := s.value(in, found.Score, found.Matching); !told || v > value {
			told, value = true, v
			onBest(found)
		}
	}
}
