package serve

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/rgm-go/rgm/datasets"
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

// solvePortfolio searches an instance and returns what rgm solve prints of it.
func solvePortfolio(ctx context.Context, p *portfolio.Portfolio, in *qap.Instance, o SolveOptions, found func(Incumbent)) (portfolio.Record, error) {
	options, err := o.portfolio(in)
	if err != nil {
		return portfolio.Record{}, err
	}
	options.OnBest = func(i infer.Incumbent) {
		found(Incumbent{i.Objective, i.Elapsed.Seconds(), i.Steps, i.FoundBy, slices.Clone(i.Matching)})
	}
	result, err := p.Solve(ctx, in, options)
	if err != nil {
		return portfolio.Record{}, err
	}
	record := portfolio.NewRecord(in, result)
	if best, known := bestKnown(in); known {
		record.BestKnown = &best.Value
		if gap, defined := datasets.Gap(record.Objective, best.Value); defined {
			record.GapPercent = &gap
		}
	}
	return record, nil
}

// portfolio returns the options in the portfolio's words, for an instance.
func (o *SolveOptions) portfolio(in *qap.Instance) (portfolio.Options, error) {
	goal, err := o.goal(in)
	p := portfolio.Options{Method: o.Method, Model: o.Model, Affinity: o.Affinity}
	p.Options = infer.Options{
		Rollouts: o.Rollouts, MaxSteps: o.MaxSteps, TimeLimit: time.Duration(o.TimeLimit), Goal: goal,
		Initial: o.Initial, Seed: o.Seed, Threads: 1, // workers share the processors
	}
	if o.Target != nil {
		p.Target, p.HasTarget = *o.Target, true
	}
	return p, err
}

// goal returns which matchings of an instance are sought.
func (o *SolveOptions) goal(in *qap.Instance) (qap.Goal, error) {
	goal := qap.Goal{Inliers: o.Inliers}
	var err error
	if o.Regularize != "" {
		if goal.Regularizer, err = qap.ParseRegularizer(o.Regularize); err != nil {
			return goal, invalid("/options/regularize", "%v", err)
		}
	}
	seeds, err := o.seeds()
	if err != nil {
		return goal, err
	}
	n1, n2 := in.Size()
	if len(seeds) > 0 {
		goal.Fixed = qap.NewMatching(n1)
	}
	for _, seed := range seeds {
		i, a := seed[0], seed[1]
		if i >= n1 || a >= n2 {
			return goal, invalid("/options/fix", "%d:%d: graphs of %d and %d nodes have no such pair", i, a, n1, n2)
		}
		goal.Fixed[i] = a
	}
	if err := goal.Check(in); err != nil {
		return goal, invalid("/options/inliers", "%s", withoutPackage(err))
	}
	return goal, nil
}

// optionNames are the fields of portfolio.Options as clients know them.
var optionNames = map[string]string{
	"Method": "method", "Model": "model", "Rollouts": "rollouts", "TimeLimit": "time_limit", "MaxSteps": "max_steps",
	"Target": "target", "Goal": "inliers", "Goal.Inliers": "inliers", "Goal.Regularizer": "regularize", "Goal.Fixed": "fix",
	"Affinity": "affinity", "Initial": "initial", "Irrevocable": "method",
}

// asProblem turns the error of an option, or of a method that does not serve the
// instance, into a problem of the client; others stay as they are.
func asProblem(err error) error {
	var wrong *infer.OptionError
	switch {
	case errors.As(err, &wrong):
		if name, known := optionNames[wrong.Option]; known {
			return invalid("/options/"+name, "%s", firstLine(wrong.Reason))
		}
		return invalid("/options", "%s: %s", wrong.Option, firstLine(wrong.Reason))
	case errors.Is(err, qap.ErrUnsupported):
		return invalid("/options/method", "%s", firstLine(withoutPackage(err)))
	}
	return err
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
