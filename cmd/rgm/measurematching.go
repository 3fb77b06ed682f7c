package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/qap"
)

// matchingMeasurement runs methods on the same pairs and seeds.
type matchingMeasurement struct {
	console  *console
	settings *matchingSettings
	sets     []pairs.Set // one or more, all with the same About
	bar      progress
}

func newMatchingMeasurement(c *console, s *matchingSettings) (*matchingMeasurement, error) {
	sets, err := openMatchingSet(s)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	return &matchingMeasurement{console: c, settings: s, sets: sets}, nil
}

// pairTrial is one run of a pair, or the error in its place.
type pairTrial struct {
	pair         pairs.Pair
	number, seed int
	err          error
}

// pairOutcome is what a trial gave.
type pairOutcome struct {
	class               string
	quality             pairs.Quality
	hasTruth, hasOptima bool
	seconds             float64
	err                 error
}

// measureAll returns the row of every method; those before an error are returned
// with it.
func (m *matchingMeasurement) measureAll(ctx context.Context, searchers []*searcher) ([]matchingRow, error) {
	var rows []matchingRow
	for _, s := range searchers {
		outcomes, err := m.run(ctx, s)
		if err != nil {
			return rows, fmt.Errorf("bench: %s: %w", s.method, err)
		}
		row := newMatchingRow(outcomes)
		row.Set, row.Method, row.Source, row.Seeds, row.About = m.settings.Set, s.method, sourceMeasured, m.settings.Seeds, m.sets[0].About
		if s.network != nil {
			row.Model, row.Provider = s.network.model, s.network.evaluator
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// run returns the outcome of every trial.
func (m *matchingMeasurement) run(ctx context.Context, s *searcher) ([]pairOutcome, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	const unknown = -1 // sets are read as they are used
	m.bar = m.console.startBar(unknown, s.method)
	var outcomes []pairOutcome
	for o := range inOrder(m.settings.Workers, m.trials, func(t pairTrial) pairOutcome { return m.try(ctx, s, t) }) {
		if o.err != nil {
			cancel()
			return nil, o.err
		}
		outcomes = append(outcomes, o)
		m.bar.add()
	}
	return outcomes, nil
}

// trials yields the seeds of the first pair, those of the second, and so on.
func (m *matchingMeasurement) trials(yield func(pairTrial) bool) {
	number := 0
	for _, set := range m.sets {
		for p, err := range set.Pairs {
			for seed := range m.settings.Seeds {
				if !yield(pairTrial{p, number, seed, err}) {
					return
				}
			}
			number++
		}
	}
}

// try relabels a pair, solves it, and judges the result.
func (m *matchingMeasurement) try(ctx context.Context, s *searcher, t pairTrial) pairOutcome {
	if t.err != nil {
		return pairOutcome{err: t.err}
	}
	p, err := t.pair.Relabelled(rand.New(rand.NewPCG(uint64(t.seed), uint64(t.number))))
	if err != nil {
		return pairOutcome{err: err}
	}
	p.Instance.Complete = p.Instance.Complete || m.settings.Complete
	o := m.settings.Search.options()
	o.Seed = uint64(t.seed)
	withGoal := s.network != nil || keepsGoals(s.method)
	if withGoal {
		regularizer, err := qap.ParseRegularizer(m.settings.Regularize)
		if err != nil {
			return pairOutcome{err: err}
		}
		o.Goal = qap.Goal{Inliers: m.settings.Inliers, Regularizer: regularizer}
	}
	start := time.Now()
	result, err := s.solve(ctx, p.Instance, o)
	seconds := time.Since(start).Seconds()
	if err == nil && result.Status == qap.Cancelled {
		err = errors.New("cancelled")
	}
	if err != nil {
		return pairOutcome{err: fmt.Errorf("%s: %w", p.Name, err)}
	}
	matching := result.Matching
	if m.settings.Inliers > 0 && !withGoal {
		matching = p.Instance.Reduce(matching, m.settings.Inliers)
	}
	return pairOutcome{p.Class, p.Judge(matching), p.Truth != nil, p.HasOptimum, seconds, nil}
}
