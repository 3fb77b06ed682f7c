// Package infer matches graphs with a trained Q-network.
//
// Open runs a model file through ONNX Runtime; Solve follows the network's
// actions in the revocable environment and maximises vec(X)ᵀ·K·vec(X) over
// matchings X; K is (n1·n2)×(n1·n2) and vertex i·n2+a means "node i matches node
// a". A cancelled Solve returns the best matching so far. A Network may be shared
// by goroutines.
package infer

import (
	"context"
	"time"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/rollout"
)

// Options of Solve. The zero value is ready for use.
type Options struct {
	Rollouts    int           // rollouts that advance together (8)
	Beam        int           // states of a beam search (rollout.Beam), in place of rollouts where more than 1
	MaxSteps    int           // steps of each rollout (rollout.StepsPerNode·n)
	Patience    int           // steps without a better best, the paper's T_es (rollout.StepsPerNode·n/2; none with MaxSteps)
	TimeLimit   time.Duration // wall clock; rollouts start anew until it is up (none)
	Target      float64       // objective that is good enough, where HasTarget says so
	HasTarget   bool
	Goal        qap.Goal     // inliers, regularizer, seeds (the best score)
	Irrevocable bool         // match only free nodes: the paper's "w/o rev."
	Polish      bool         // spend most of the time limit on tabu search; see Solve for what it is without one
	Initial     qap.Matching // where the first rollout starts
	Seed        uint64       // every random choice comes from it
}

// defaultRollouts is how many rollouts advance together.
const defaultRollouts = 8

// Solve searches an instance with a network. Result.Objective is in the
// instance's own sense. Limits end it with a Status, not an error.
//
// With Polish but no limit of any kind, an instance on which tabu search cannot swap
// gets short rollouts and then the search of package profile, of its own length;
// the better result counts.
func Solve(ctx context.Context, q qap.QFunction, in *qap.Instance, o Options) (qap.Result, error) {
	solver := o.solver(rollout.Learned{Q: q})
	if q.Features() == features.Paper { // the paper's own semantics
		solver.Start, solver.Rules = rollout.StartEmpty, qap.EnvironmentOptions{Irrevocable: o.Irrevocable, Goal: o.Goal}
	}
	if o.Beam > 1 {
		return search(ctx, rollout.Beam{Q: q, Width: o.Beam, Start: solver.Start, Rules: solver.Rules}, in, o)
	}
	if o.endsWithProfile(in) {
		return searchAndProfile(ctx, solver, in, o)
	}
	return search(ctx, solver, in, o)
}

// SolveWith searches with any policy, by the rules and limits of Solve: so the
// unlearned controls are compared with a network.
func SolveWith(ctx context.Context, p rollout.Policy, in *qap.Instance, o Options) (qap.Result, error) {
	return search(ctx, o.solver(p), in, o)
}

// solver returns the rollouts of a policy.
func (o *Options) solver(p rollout.Policy) *rollout.Solver {
	solver := &rollout.Solver{
		Policy: p, Rollouts: o.Rollouts,
		Rules: qap.EnvironmentOptions{Irrevocable: o.Irrevocable, Autofill: true, Release: !o.Irrevocable, Goal: o.Goal},
	}
	if solver.Rollouts == 0 {
		solver.Rollouts = defaultRollouts
	}
	return solver
}

// search runs the rollouts and, if asked for, the polish.
func search(ctx context.Context, solver qap.Solver, in *qap.Instance, o Options) (qap.Result, error) {
	limits := qap.Limits{
		MaxSteps: o.MaxSteps, Patience: o.Patience, TimeLimit: o.TimeLimit, Target: o.Target, HasTarget: o.HasTarget,
	}
	if o.Polish && o.TimeLimit > 0 {
		return searchAndPolish(ctx, solver, in, o, limits)
	}
	return solver.Solve(ctx, in, qap.Options{Limits: o.orDefaultPatience(limits, in), Seed: o.Seed, Initial: o.Initial})
}

// orDefaultPatience fills in the patience of rollouts that no number of steps limits.
func (o *Options) orDefaultPatience(limits qap.Limits, in *qap.Instance) qap.Limits {
	if o.Patience == 0 && o.MaxSteps == 0 {
		n1, n2 := in.Size()
		limits.Patience = rollout.StepsPerNode * max(n1, n2) / 2
	}
	return limits
}
