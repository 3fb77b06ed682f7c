// Package alignment aligns the two graphs of package datasets/graphs, and tells the result as
// package portfolio tells those of instances: what rgm match and the service do with graphs.
package alignment

import (
	"context"
	"time"

	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

// Method is alignment by structure, which two graphs have and instances do not: see Align.
const Method = "align"

// Align aligns two graphs, and returns its record and what is known of the alignment; why says why
// they are aligned.
func Align(ctx context.Context, name, why string, p *graphs.Alignment, o align.Options) (portfolio.Record, *graphs.Aligned, error) {
	start := time.Now()
	r, err := align.Solve(ctx, &p.Problem, o)
	if err != nil {
		return portfolio.Record{}, nil, err
	}
	record := portfolio.Record{
		Instance: name, N1: p.A.Nodes(), N2: p.B.Nodes(), Sense: qap.Maximize.String(), Objective: r.Objective,
		Matched: r.Matching.Size(), Matching: r.Matching, Method: Method, FoundBy: r.FoundBy,
		Rollouts: 1, Steps: r.Steps, Seconds: portfolio.Seconds(time.Since(start)), Status: r.Status, Seed: o.Seed,
	}
	known := p.Assess(why, r.Matching)
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
	known := a.Assess(why, m)
	if a.Counts() {
		most := float64(known.SharedBound)
		record.Bound = &most
		if known.SharedEdges == known.SharedBound {
			record.Status = qap.Optimal
		}
	}
	return record, &known, nil
}
