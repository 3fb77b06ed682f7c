package infer

import (
	"context"
	"slices"
	"time"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/multistart"
	"github.com/rgm-go/rgm/qap/profile"
	"github.com/rgm-go/rgm/qap/regrow"
	"github.com/rgm-go/rgm/qap/rollout"
	"github.com/rgm-go/rgm/qap/tabu"
)

// plan says which parts a search has, by their limits, and whether the second
// follows a first that ended with a status.
type plan struct {
	policy, polish *qap.Limits // nil: not this part
	goesOn         func(qap.Status) bool
}

// rolloutShare is the part of a time limit that rollouts get which complete a matching
// for tabu search to start from.
const rolloutShare = 50

// smallestAlone is from how many nodes on ruin and regrowth needs no other search: it
// finds at least what rollouts and the search of the profile find, in a tenth of their
// time (cmd/rgm-lab/notes/MATCHING_RESULTS.md).
const smallestAlone = 21

// shortPatience is, in steps a node, the patience of rollouts that the search of the
// profile follows.
const shortPatience = 1

// plan returns the parts of a search. Under a time limit every share of rollouts was a
// loss (cmd/rgm-lab/notes/EXPERIMENTS.md): in the time of one step of a network, tabu search makes
// hundreds. Only a network's rollouts without limits are followed by the search of the
// profile, of its own length.
func (o *Options) plan(in *qap.Instance, network bool) plan {
	limits := o.Limits()
	patient := o.withPatience(limits, in)
	limited := o.TimeLimit > 0 || o.MaxSteps > 0 || o.Patience > 0
	switch {
	case o.NoPolish:
		return plan{policy: &patient}
	case o.TimeLimit > 0:
		limits.MaxSteps, limits.Patience = 0, 0
		p := plan{polish: &limits, goesOn: func(s qap.Status) bool { return s == qap.TimeLimit }}
		if o.Initial != nil && !in.IsSolution(o.Initial) && swaps(in, o.Goal) {
			patient.TimeLimit = max(o.TimeLimit/rolloutShare, 1)
			p.policy = &patient
		}
		return p
	case network && !limited && !o.Irrevocable && !swaps(in, o.Goal):
		n1, n2 := in.Size()
		if max(n1, n2) >= smallestAlone {
			return plan{polish: &limits}
		}
		short := limits
		short.Patience = shortPatience * max(n1, n2)
		return plan{&short, &limits, func(s qap.Status) bool { return s != qap.Target && !s.Interrupted() }}
	}
	return plan{policy: &patient}
}

// Evaluates tells whether Solve evaluates its network on an instance: under a time
// limit, tabu search may take all of it.
func (o *Options) Evaluates(in *qap.Instance) bool { return o.plan(in, o.Beam <= 1).policy != nil }

// withPatience fills in the patience of rollouts that no number of steps limits.
func (o *Options) withPatience(limits qap.Limits, in *qap.Instance) qap.Limits {
	if o.Patience == 0 && o.MaxSteps == 0 {
		n1, n2 := in.Size()
		limits.Patience = rollout.StepsPerNode * max(n1, n2) / 2
	}
	return limits
}

// search runs the parts of the plan, each on its own: what rollouts find is no better
// a start for another search than a random one. The best result counts.
func search(ctx context.Context, policy qap.Solver, in *qap.Instance, o Options, network bool) (qap.Result, error) {
	if err := o.Validate(in); err != nil {
		return qap.Result{}, err
	}
	p, run := o.plan(in, network), newRun(in, &o)
	initial := o.Initial
	if p.policy != nil {
		status, err := run.part(ctx, policy, ByPolicy, *p.policy, initial)
		if err != nil || p.polish == nil || !p.goesOn(status) {
			return run.best, err
		}
		if initial != nil { // it may have been incomplete
			initial = run.best.Matching
		}
	}
	if o.TimeLimit > 0 {
		p.polish.TimeLimit = max(o.TimeLimit-time.Since(run.start), 1)
	} else if p.policy != nil {
		initial = nil
	}
	polisher, name := polisher(in, o.Goal, p.policy == nil)
	_, err := run.part(ctx, multistart.Solver{Solver: polisher, Threads: o.Threads, Goal: o.Goal}, name, *p.polish, initial)
	return run.best, err
}

// swaps tells whether the polish is search over swaps: where all is to be matched.
func swaps(in *qap.Instance, g qap.Goal) bool { return tabu.Serves(in) && g.Fixed == nil }

// polisher returns the search that follows rollouts, and its name: over swaps; or one
// that knows the other goals, over the moves of the profile or, alone, ruin and regrowth.
func polisher(in *qap.Instance, g qap.Goal, alone bool) (qap.Solver, string) {
	switch {
	case swaps(in, g):
		return tabu.Solver{}, ByTabu
	case alone:
		return regrow.Solver{Goal: g}, ByRegrow
	}
	return profile.Solver{Goal: g}, ByProfile
}

// run is a search that goes on.
type run struct {
	in    *qap.Instance
	o     *Options
	start time.Time
	best  qap.Result // of all parts so far; its steps and rollouts are those of all

	told  bool    // whether OnBest was called
	value float64 // of the last solution told
}

func newRun(in *qap.Instance, o *Options) *run { return &run{in: in, o: o, start: time.Now()} }

// part runs a part of the search, and returns its status.
func (r *run) part(ctx context.Context, solver qap.Solver, name string, limits qap.Limits, initial qap.Matching) (qap.Status, error) {
	options := qap.Options{Limits: limits, Seed: r.o.Seed, Initial: initial}
	before := r.best.Steps
	if r.o.OnBest != nil {
		options.OnBest = func(found qap.Incumbent) {
			found.Steps += before
			r.tell(found, name)
		}
	}
	result, err := solver.Solve(ctx, r.in, options)
	if err != nil {
		r.best = qap.Result{}
		return "", err
	}
	if result.FoundBy == "" { // else the start
		result.FoundBy = name
	}
	r.keep(result)
	if r.o.OnBest != nil {
		r.tell(qap.NewIncumbent(r.in, r.best.Matching, r.best.Score, r.best.Steps), r.best.FoundBy)
	}
	return result.Status, nil
}

// keep makes a result the best unless the one before it is better. What is not of the
// matching is of the last part.
func (r *run) keep(result qap.Result) {
	first := r.best
	result.Steps, result.Rollouts = result.Steps+first.Steps, max(first.Rollouts, result.Rollouts, 1)
	if slices.Equal(first.Matching, result.Matching) {
		result.FoundBy = first.FoundBy
	} else if first.Matching != nil && better(r.in, r.o.Goal, &first, &result) {
		result.Matching, result.Score, result.Objective, result.FoundBy = first.Matching, first.Score, first.Objective, first.FoundBy
	}
	r.best = result
}

// tell passes a solution on if it is better than those before by more than rounding.
func (r *run) tell(found qap.Incumbent, name string) {
	least, most := r.o.Goal.Sizes(r.in)
	m := found.Matching.Size()
	value := r.o.Goal.Value(r.in, found.Score, m)
	if m < least || m > most || r.told && value <= r.value+rounding*max(value, -value) {
		return
	}
	r.told, r.value = true, value
	r.o.OnBest(Incumbent{Incumbent: found, Elapsed: time.Since(r.start), FoundBy: name})
}

// rounding is the relative error of scores that a search keeps.
const rounding = 1e-12

// better tells whether r is a better solution for a goal than s.
func better(in *qap.Instance, g qap.Goal, r, s *qap.Result) bool {
	least, most := g.Sizes(in)
	m := r.Matching.Size()
	return m >= least && m <= most && g.Value(in, r.Score, m) > g.Value(in, s.Score, s.Matching.Size())
}
