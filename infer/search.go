package infer

import (
	"context"
	"time"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/rollout"
)

// search runs a policy until a limit, and tells of its solutions.
func search(ctx context.Context, policy qap.Solver, in *qap.Instance, o Options) (qap.Result, error) {
	if ctx == nil {
		return qap.Result{}, ErrNoContext
	}
	if err := o.Validate(in); err != nil {
		return qap.Result{}, err
	}
	options := qap.Options{Limits: o.Limits(), Seed: o.Seed, Initial: o.Initial}
	if o.Patience == 0 && o.MaxSteps == 0 {
		n1, n2 := in.Size()
		options.Patience = rollout.StepsPerNode * max(n1, n2) / 2
	}
	start := time.Now()
	if o.OnBest != nil {
		options.OnBest = o.Goal.Better(in, func(found qap.Incumbent) {
			found.FoundBy = ByPolicy
			o.OnBest(Incumbent{Incumbent: found, Elapsed: time.Since(start)})
		})
	}
	result, err := policy.Solve(ctx, in, options)
	if err != nil {
		return qap.Result{}, err
	}
	if result.FoundBy == "" { // else the start
		result.FoundBy = ByPolicy
	}
	if o.OnBest != nil {
		options.OnBest(qap.NewIncumbent(in, result.Matching, result.Score, result.Steps))
	}
	return result, nil
}
