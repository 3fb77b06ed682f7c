package auto

import (
	"context"
	"slices"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/multistart"
	"github.com/rgm-go/rgm/qap/profile"
	"github.com/rgm-go/rgm/qap/regrow"
)

// way is how an affinity matrix is searched.
type way int

const (
	regrowth      way = iota // ruin and regrowth
	rollouts                 // the policy
	rolloutsFirst            // the policy for a short while, then the search of the profile
)

// ways is the table of searches of affinity matrices, graphs of two sizes, and fixed matches:
// the first row that applies decides. It is that of docs/SOLVERS.md.
var ways = []struct {
	instance, runs, chosenOn string
	applies                  func(n int, l qap.Limits) bool
	way                      way
}{
	{"a time limit", "`regrow`", "synthetic, mixture, sizes (pairs of graphs)",
		func(_ int, l qap.Limits) bool { return l.TimeLimit > 0 }, regrowth},
	{"a limit of steps", "rollouts of the policy", "synthetic",
		func(_ int, l qap.Limits) bool { return l.MaxSteps > 0 || l.Patience > 0 }, rollouts},
	{"no limit, up to 20 nodes", "short rollouts of the policy, then `profile`; the better result counts", "synthetic",
		func(n int, _ qap.Limits) bool { return n < regrowFrom }, rolloutsFirst},
	{"no limit, more nodes", "`regrow`", "synthetic, mixture, sizes",
		func(int, qap.Limits) bool { return true }, regrowth},
}

// regrowFrom is from how many nodes on ruin and regrowth finds what rollouts and the search of
// the profile do, in a tenth of their time.
const regrowFrom = 21

// shortPatience is, in steps a node, the patience of rollouts that the search of the
// profile follows.
const shortPatience = 1

func wayOf(in *qap.Instance, l qap.Limits) way {
	n1, n2 := in.Size()
	for _, row := range ways {
		if row.applies(max(n1, n2), l) {
			return row.way
		}
	}
	panic("unreachable") // the last row applies always
}

// Evaluates reports whether Solve asks Solver.Policy.
func Evaluates(in *qap.Instance, g qap.Goal, l qap.Limits) bool {
	return !swaps(in, g) && wayOf(in, l) != regrowth
}

// solveAffinities is Solve where swaps do not serve. Under a time limit every share of
// rollouts was a loss (lab/notes/EXPERIMENTS.md): in the time of one step of a
// network, other searches make hundreds. Without a policy the search of the profile does
// what it would.
func (v Solver) solveAffinities(ctx context.Context, in *qap.Instance, o qap.Options) (qap.Result, error) {
	p, way := newParts(in, v.Goal, o.OnBest), wayOf(in, o.Limits)
	if v.Policy != nil && way != regrowth {
		short := o
		if way == rolloutsFirst {
			n1, n2 := in.Size()
			short.Patience = shortPatience * max(n1, n2)
		}
		status, err := p.run(ctx, v.Policy, ByPolicy, short)
		if err != nil || way == rollouts || status == qap.Target || status.Interrupted() {
			return p.best, err
		}
		o.Initial = nil // what rollouts find is no better a start than a random one
	}
	if o.TimeLimit > 0 {
		o.MaxSteps, o.Patience = 0, 0
	}
	var search, name = qap.Solver(profile.Solver{Goal: v.Goal}), ByProfile
	if way == regrowth {
		search, name = regrow.Solver{Goal: v.Goal}, ByRegrow
	}
	_, err := p.run(ctx, multistart.Solver{Solver: search, Threads: v.Threads, Goal: v.Goal}, name, o)
	return p.best, err
}

// parts is a search by several: the best result counts.
type parts struct {
	in   *qap.Instance
	goal qap.Goal
	tell func(qap.Incumbent) // nil: nobody listens
	best qap.Result          // so far; its steps and rollouts are those of all
}

func newParts(in *qap.Instance, g qap.Goal, onBest func(qap.Incumbent)) *parts {
	p := &parts{in: in, goal: g}
	if onBest != nil {
		p.tell = g.Better(in, onBest)
	}
	return p
}

// run runs a part, and returns its status. One without a name says itself what found a matching.
func (p *parts) run(ctx context.Context, solver qap.Solver, name string, o qap.Options) (qap.Status, error) {
	before := p.best.Steps
	if p.tell != nil {
		o.OnBest = func(found qap.Incumbent) {
			found.Steps += before
			if name != "" {
				found.FoundBy = name
			}
			p.tell(found)
		}
	}
	result, err := solver.Solve(ctx, p.in, o)
	if err != nil {
		p.best = qap.Result{}
		return "", err
	}
	if result.FoundBy == "" { // else the start
		result.FoundBy = name
	}
	p.keep(result)
	if p.tell != nil {
		last := qap.NewIncumbent(p.in, p.best.Matching, p.best.Score, p.best.Steps)
		last.FoundBy = p.best.FoundBy
		p.tell(last)
	}
	return result.Status, nil
}

// keep makes a result the best unless the one before it is better. What is not of the
// matching is of the last part.
func (p *parts) keep(result qap.Result) {
	first := p.best
	result.Steps, result.Rollouts = result.Steps+first.Steps, max(first.Rollouts, result.Rollouts, 1)
	if slices.Equal(first.Matching, result.Matching) {
		result.FoundBy = first.FoundBy
	} else if first.Matching != nil && p.better(&first, &result) {
		result.Matching, result.Score, result.Objective, result.FoundBy = first.Matching, first.Score, first.Objective, first.FoundBy
	}
	p.best = result
}

// better reports whether r is a better solution than s.
func (p *parts) better(r, s *qap.Result) bool {
	least, most := p.goal.Sizes(p.in)
	m := r.Matching.Size()
	return m >= least && m <= most && p.goal.Value(p.in, r.Score, m) > p.goal.Value(p.in, s.Score, s.Matching.Size())
}
