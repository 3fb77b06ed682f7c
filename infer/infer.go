// Package infer matches graphs with a trained Q-network.
//
// Open runs a model file through ONNX Runtime; Solve follows the network's
// actions in the revocable environment and maximises vec(X)ᵀ·K·vec(X) over
// matchings X; K is (n1·n2)×(n1·n2) and vertex i·n2+a means "node i matches node
// a". A cancelled Solve returns the best matching so far. A Network may be shared
// by goroutines.
//
// Without ONNX Runtime, or in a program built without cgo, Solve takes the network
// that models.Load reads from the same file and Go evaluates: models.QFunction. It
// is slower and finds the same (see the example of Solve).
//
// Package rgm is one call for everything that rgm solve does.
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
	Rollouts    int           // rollouts that advance together (DefaultRollouts)
	Beam        int           // states of a beam search (rollout.Beam), in place of rollouts where more than 1
	MaxSteps    int           // steps of each rollout (rollout.StepsPerNode·n)
	Patience    int           // steps without a better best, the paper's T_es (rollout.StepsPerNode·n/2; none with MaxSteps)
	TimeLimit   time.Duration // wall clock; rollouts start anew until it is up (none)
	Target      float64       // objective that is good enough, where HasTarget says so
	HasTarget   bool
	Goal        qap.Goal     // inliers, regularizer, seeds (the best score)
	Irrevocable bool         // match only free nodes: the paper's "w/o rev."
	Supported   bool         // with Irrevocable: each rollout begins at a match that K supports much, not at none; see rollout.StartSupported
	Initial     qap.Matching // where the first rollout starts
	Seed        uint64       // every random choice comes from it

	// Threads is how many processors a search may use (1; package rgm: all of them
	// for one instance). It changes what is found only under a time limit without a limit
	// of steps, where it is how many searches run side by side.
	Threads int

	// OnBest, if not nil, is told of every new best solution, by one goroutine at a
	// time, which searches on once it returns.
	OnBest func(Incumbent)
}

// DefaultRollouts is how many rollouts advance together by default.
const DefaultRollouts = 8

// ByPolicy is the qap.Result.FoundBy and Incumbent.FoundBy of what rollouts, or a beam, of a
// policy found.
const ByPolicy = "policy"

// Incumbent is the best solution so far of a search that goes on.
type Incumbent struct {
	qap.Incumbent
	Elapsed time.Duration // since the search began
}

// Limits returns what ends a search.
func (o *Options) Limits() qap.Limits {
	return qap.Limits{MaxSteps: o.MaxSteps, Patience: o.Patience, TimeLimit: o.TimeLimit, Target: o.Target, HasTarget: o.HasTarget}
}

// Solve searches an instance with a network, and with nothing else. Result.Objective is in
// the instance's own sense. Limits end it with a Status, not an error; wrong options are an
// error that wraps an OptionError. Under a time limit rollouts start anew, at other matchings,
// until it is up.
//
// Where the best matching counts, and not the network's, see package rgm: its method
// auto combines searches.
func Solve(ctx context.Context, q qap.QFunction, in *qap.Instance, o Options) (qap.Result, error) {
	if q == nil {
		return qap.Result{}, &OptionError{Option: "network", Reason: "there is none"}
	}
	if !features.OfPolicy(q.Features()) {
		return qap.Result{}, &OptionError{Option: "network", Reason: "it takes the features " + q.Features() + ", and chooses no actions"}
	}
	solver := o.solver(rollout.Learned{Q: q, Threads: o.Threads})
	if features.Plain(q.Features()) {
		if !o.Supported {
			solver.Start = rollout.StartEmpty
		}
		solver.Rules = qap.EnvironmentOptions{Irrevocable: o.Irrevocable, Goal: o.Goal}
	}
	if o.Beam > 1 {
		return search(ctx, rollout.Beam{Q: q, Width: o.Beam, Start: solver.Start, Rules: solver.Rules}, in, o)
	}
	return search(ctx, solver, in, o)
}

// SolveWith searches with any policy, by the rules and limits of Solve: so the
// unlearned controls are compared with a network.
func SolveWith(ctx context.Context, p rollout.Policy, in *qap.Instance, o Options) (qap.Result, error) {
	if p == nil {
		return qap.Result{}, &OptionError{Option: "policy", Reason: "there is none"}
	}
	return search(ctx, o.solver(p), in, o)
}

// solver returns the rollouts of a policy.
func (o *Options) solver(p rollout.Policy) *rollout.Solver {
	goal := o.Goal
	if goal.Inliers > 0 {
		// All solutions share the factor, which would only draw a walk to other sizes.
		goal.Regularizer = qap.Regularizer{}
	}
	solver := &rollout.Solver{
		Policy: p, Rollouts: o.Rollouts,
		Rules: qap.EnvironmentOptions{Irrevocable: o.Irrevocable, Autofill: true, Release: !o.Irrevocable, Goal: goal},
	}
	if solver.Rollouts == 0 {
		solver.Rollouts = DefaultRollouts
	}
	if o.Supported {
		solver.Start = rollout.StartSupported
	}
	return solver
}
