package align

import (
	"context"
	"math"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/isomorphism"
)

// What finds where one graph lies in another.
const (
	ByWithin  = "within"  // all its edges are there
	ByInduced = "induced" // and no others between its nodes
)

// Within seeks the smaller graph in the larger one: a matching that takes all its edges to edges of the same weights and
// directions, and nodes to nodes of the same attributes; induced, nodes that are not joined to nodes that are not. Where
// there is none the matching is empty and Result.Reason says why: Optimal is then a proof. Steps are entries of rows
// that are looked at, isomorphism.DefaultWork without a limit.
func Within(ctx context.Context, p *Problem, o Options, induced bool) (Result, error) {
	if err := p.Check(); err != nil {
		return Result{}, err
	}
	e := newEngine(p)
	watch := o.Limits.Watch(ctx, nil)
	e.watch = &watch
	g1, g2 := e.coloured()
	exchanged := g1.Nodes() > g2.Nodes()
	if exchanged {
		g1, g2 = g2, g1
	}
	options := isomorphism.Options{MaxWork: o.MaxSteps, Over: watch.Over}
	if o.TimeLimit > 0 && o.MaxSteps == 0 {
		options.MaxWork = math.MaxInt / 2
	}
	found := isomorphism.Within(ctx, g1, g2, induced, options)
	m := narrow(found.Matching)
	switch {
	case found.Matching == nil:
		m = newMatching(p.A.Nodes())
	case exchanged:
		m = m.inverted(p.A.Nodes())
	}
	e.foundBy, e.steps = ByWithin, found.Work
	if induced {
		e.foundBy = ByInduced
	}
	status := qap.Optimal
	if found.Verdict == isomorphism.Undecided {
		status = qap.MaxSteps
		if s, ended := watch.Expired(); ended {
			status = s
		}
	}
	r := e.result(p, m, status)
	switch found.Verdict {
	case isomorphism.Different:
		r.Reason = "the smaller graph is not in the larger one, which is proved: " + found.Reason
	case isomorphism.Undecided:
		r.Reason = "the smaller graph was not found in the larger one, and may be there"
	}
	return r, nil
}
