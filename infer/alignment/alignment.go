// Package alignment aligns the two graphs of package datasets/graphs, and tells the result as
// package portfolio tells those of instances: what rgm match and the service do with graphs.
package alignment

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/models/pretrained"
	"github.com/rgm-go/rgm/models/propagation"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
	"github.com/rgm-go/rgm/qap/align/belief"
	"github.com/rgm-go/rgm/qap/auto"
)

// The methods that two graphs have and instances do not: alignment by structure, see Align, the
// same begun by belief propagation by hand, see package belief, and GRAMPA, see align.Grampa.
const (
	Method            = "align"
	BeliefPropagation = belief.Name
	Grampa            = align.ByGrampa
)

// Methods returns them.
func Methods() []string { return []string{Method, BeliefPropagation, Grampa} }

// NeedsFlows reports whether a method serves flows and distances alone: the searches over swaps.
func NeedsFlows(method string) bool {
	return slices.Contains([]string{portfolio.MethodTabu, portfolio.MethodPopulation, portfolio.MethodAnneal}, method)
}

// Assigns reports whether a method takes two graphs with their edges as flows and distances, see
// Assign: those that need them, and FAQ where graphs have nothing but edges.
func Assigns(method string, plain bool) bool {
	return NeedsFlows(method) || method == auto.ByFAQ && plain
}

// Learned returns the start that the pretrained model proposes. It is for one call of Align.
func Learned() (align.Start, error) {
	network, err := pretrainedNetwork()
	if err != nil {
		return align.Start{}, err
	}
	return network.Start(), nil
}

var pretrainedNetwork = sync.OnceValues(func() (*propagation.Network, error) {
	data, err := pretrained.Model(pretrained.Align)
	if err != nil {
		return nil, err
	}
	return propagation.Load(data)
})

// Align aligns two graphs by one of Methods, and returns its record and what is known of the
// alignment; why says why they are aligned. Without Options.Starts the pretrained model
// begins anew where the searches of Method share few edges.
func Align(ctx context.Context, method, name, why string, p *graphs.Alignment, o align.Options) (portfolio.Record, *graphs.Aligned, error) {
	start := time.Now()
	solve := align.Solve
	switch {
	case method == Grampa:
		solve = align.Grampa
	case method == BeliefPropagation:
		o.Starts = append(o.Starts, belief.Start())
	case o.Starts == nil:
		learned, err := Learned()
		if err != nil {
			return portfolio.Record{}, nil, err
		}
		o.Starts = []align.Start{learned}
	}
	r, err := solve(ctx, &p.Problem, o)
	if err != nil {
		return portfolio.Record{}, nil, err
	}
	record := portfolio.Record{
		Instance: name, N1: p.A.Nodes(), N2: p.B.Nodes(), Sense: qap.Maximize.String(), Objective: r.Objective,
		Matched: r.Matching.Size(), Matching: r.Matching, Method: method, FoundBy: r.FoundBy,
		Rollouts: 1, Steps: r.Steps, Seconds: portfolio.Seconds(time.Since(start)), Status: r.Status, Seed: o.Seed,
	}
	known := assess(ctx, p, why, r.Matching, max(o.TimeLimit/10, o.TimeLimit-time.Since(start)))
	if p.Counts() {
		most := float64(known.SharedBound)
		record.Bound = &most
	}
	return record, &known, nil
}

// Assign aligns two graphs by a method for flows and distances, and returns what Align does.
func Assign(ctx context.Context, p *portfolio.Portfolio, name, why string, a *graphs.Alignment, o portfolio.Options) (portfolio.Record, *graphs.Aligned, error) {
	in, err := a.Assignment()
	if err != nil {
		return portfolio.Record{}, nil, err
	}
	in.Name = name
	if tell := o.OnBest; tell != nil {
		o.OnBest = func(i infer.Incumbent) {
			i.Matching = a.Assigned(i.Matching)
			i.Objective = a.Objective(i.Matching)
			tell(i)
		}
	}
	if a.Counts() {
		o.Target, o.HasTarget = float64(a.Sides()*a.Bound()), true
	}
	r, err := p.Solve(ctx, in, o)
	if err != nil {
		return portfolio.Record{}, nil, err
	}
	m := a.Assigned(r.Matching)
	record := portfolio.NewRecord(in, r)
	record.N1, record.N2, record.Matching, record.Matched = a.A.Nodes(), a.B.Nodes(), m, m.Size()
	record.Objective, record.Bound, record.BoundGap = a.Objective(m), nil, nil
	known := assess(ctx, a, why, m, o.TimeLimit/10)
	if a.Counts() {
		most := float64(known.SharedBound)
		record.Bound = &most
		if known.SharedEdges == known.SharedBound {
			record.Status = qap.Optimal
		}
	}
	return record, &known, nil
}

// leastAssessing is how long a matching may be looked at, however short the time limit is.
const leastAssessing = 200 * time.Millisecond

// assess returns what is known of a matching, looking at it within a limit, 0 for none: a tenth of the
// search's, or what that left; for a second where the search was interrupted.
func assess(ctx context.Context, a *graphs.Alignment, why string, m qap.Matching, limit time.Duration) graphs.Aligned {
	if ctx.Err() != nil {
		ctx, limit = context.WithoutCancel(ctx), time.Second
	}
	if limit > 0 {
		ctx = qap.WithTimeLimit(ctx, max(limit, leastAssessing))
	}
	return a.Assess(ctx, why, m)
}
