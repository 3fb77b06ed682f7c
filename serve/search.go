package serve

import (
	"context"
	"slices"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/qap"
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
}

// search searches an instance and returns what rgm solve prints of it.
func search(ctx context.Context, p *portfolio.Portfolio, in *qap.Instance, options portfolio.Options, found func(Incumbent)) (portfolio.Record, error) {
	options.OnBest = func(i infer.Incumbent) {
		found(Incumbent{i.Objective, i.Elapsed.Seconds(), i.Steps, i.FoundBy, slices.Clone(i.Matching)})
	}
	result, err := p.Solve(ctx, in, options)
	if err != nil {
		return portfolio.Record{}, err
	}
	record := portfolio.NewRecord(in, result)
	if best, known := datasets.BestKnownOf(in); known {
		record.BestKnown = &best.Value
		if gap, defined := datasets.Gap(record.Objective, best.Value); defined {
			record.GapPercent = &gap
		}
	}
	return record, nil
}
