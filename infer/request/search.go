package request

import (
	"context"
	"slices"
	"time"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/alignment"
	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/align"
)

// Incumbent is a better matching than those before, while the search goes on.
type Incumbent struct {
	Objective float64      `json:"objective" doc:"in the instance's own sense"`
	Elapsed   float64      `json:"elapsed" doc:"seconds since the search began"`
	Steps     int          `json:"steps" doc:"steps until then"`
	FoundBy   string       `json:"found_by" doc:"what found it: policy, tabu, profile, …"`
	Matching  qap.Matching `json:"matching,omitempty" doc:"graph 2's node for each node of graph 1, from 0; -1 unmatched"`
}

// Result is what rgm solve prints of an instance, and rgm match of two graphs.
type Result struct {
	portfolio.Record
	*graphs.Compared
	*graphs.Aligned
}

// Search searches with the options that Portfolio returned, and returns what rgm solve, or rgm match,
// prints of it.
func (s *Subject) Search(ctx context.Context, p *portfolio.Portfolio, options portfolio.Options, found func(Incumbent)) (Result, error) {
	result := Result{Compared: s.Compared}
	tell := func(i qap.Incumbent, elapsed time.Duration) {
		found(Incumbent{i.Objective, elapsed.Seconds(), i.Steps, i.FoundBy, slices.Clone(i.Matching)})
	}
	if a := s.Aligned; a != nil && !a.Assigned {
		start := time.Now()
		var err error
		result.Record, result.Aligned, err = alignment.Align(ctx, a.Method, a.Name, a.Why, &a.Alignment, align.Options{
			Limits: options.Limits(), Seed: options.Seed, Threads: options.Threads, Complete: a.Complete,
			OnBest: func(i qap.Incumbent) { tell(i, time.Since(start)) },
		})
		return result, err
	}
	options.OnBest = func(i infer.Incumbent) { tell(i.Incumbent, i.Elapsed) }
	if a := s.Aligned; a != nil {
		var err error
		result.Record, result.Aligned, err = alignment.Assign(ctx, p, a.Name, a.Why, &a.Alignment, options)
		return result, err
	}
	solved, err := p.Solve(ctx, s.Instance, options)
	if err != nil {
		return result, err
	}
	result.Record = portfolio.NewRecord(s.Instance, solved)
	result.BestKnown, result.GapPercent = datasets.Compared(s.Instance, result.Objective)
	return result, nil
}
