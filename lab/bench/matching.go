package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/search"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/internal/cputime"
	"github.com/rgm-go/rgm/qap"
)

// Matching runs methods on the same pairs and seeds.
type Matching struct {
	console  *console.Console
	settings *MatchingSettings
	goals    []matchingGoal
	sets     []pairs.Set // one or more, all with the same About
	Points   []ScatterPoint
}

// NewMatching prepares a measurement on the pairs that the settings name.
func NewMatching(c *console.Console, s *MatchingSettings) (*Matching, error) {
	goals, err := s.goals()
	if err != nil {
		return nil, err
	}
	sets, err := openMatchingSet(s)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	return &Matching{console: c, settings: s, goals: goals, sets: sets}, nil
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
	points              []ScatterPoint
	result              rgm.Result
}

// Run prepares the methods, measures them by each of the affinities, and shows the rows:
// those that were finished before an error too.
func (m *Matching) Run(ctx context.Context, show func([]MatchingRow) error) error {
	var rows []MatchingRow
	var err error
	for _, settings := range m.settings.searches() {
		m.settings.Search = settings
		measure := func(ctx context.Context, searchers []*search.Searcher) ([]MatchingRow, error) {
			return m.MeasureAll(ctx, searchers, len(m.settings.Affinities) == 0 || settings.Affinity == search.AffinityGiven)
		}
		collect := func(part []MatchingRow) error { rows = append(rows, part...); return nil }
		if err = Methods(ctx, m.console, m.settings.Methods, settings, measure, collect); err != nil {
			break
		}
	}
	if len(rows) > 0 {
		err = errors.Join(err, show(rows))
	}
	return err
}

// MeasureAll returns the row of every method and goal; those before an error are
// returned with it. Goals with a regularizer are left out unless they are wanted.
func (m *Matching) MeasureAll(ctx context.Context, searchers []*search.Searcher, regularized bool) ([]MatchingRow, error) {
	var rows []MatchingRow
	for _, s := range searchers {
		for _, goal := range m.goals {
			if !regularized && !goal.regularizer.None() {
				continue
			}
			row, err := m.measure(ctx, s, goal)
			if err != nil {
				return rows, fmt.Errorf("bench: %s: %w", s.Method, err)
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// measure runs a method with a goal on all pairs with all seeds.
func (m *Matching) measure(ctx context.Context, s *search.Searcher, goal matchingGoal) (MatchingRow, error) {
	outcomes, err := m.run(ctx, s, goal)
	if err != nil {
		return MatchingRow{}, err
	}
	row := newMatchingRow(outcomes)
	row.Set, row.Method, row.Source, row.Seeds, row.About = m.settings.Set, s.Method, sourceMeasured, m.settings.Seeds, m.sets[0].About
	row.Inliers, row.Fix, row.Irrevocable = goal.inliers, goal.seeds, !m.settings.Revocable
	row.Start = m.settings.Search.Start
	if !goal.regularizer.None() {
		row.Regularize = goal.regularizer.String()
	}
	for _, o := range outcomes {
		row.Affinity = cmp.Or(row.Affinity, o.result.Affinity)
		row.Model, row.Provider = cmp.Or(row.Model, o.result.Model), cmp.Or(row.Provider, o.result.Provider)
		for _, p := range o.points {
			p.label = row.Label()
			m.Points = append(m.Points, p)
		}
	}
	return row, nil
}

// run returns the outcome of every trial.
func (m *Matching) run(ctx context.Context, s *search.Searcher, goal matchingGoal) ([]pairOutcome, error) {
	const unknown = -1 // sets are read as they are used
	bar := m.console.StartBar(unknown, s.Method)
	if m.settings.Clock == ClockCPU {
		ctx = qap.WithClock(ctx, cputime.Clock)
	}
	return tryAll(ctx, m.settings.Workers, m.trials, bar.Add, func(ctx context.Context, t pairTrial) (pairOutcome, error) { return m.try(ctx, s, goal, t) })
}

// trials yields the seeds of the first pair, those of the second, and so on.
func (m *Matching) trials(yield func(pairTrial) bool) {
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
func (m *Matching) try(ctx context.Context, s *search.Searcher, goal matchingGoal, t pairTrial) (pairOutcome, error) {
	if t.err != nil {
		return pairOutcome{}, t.err
	}
	rng := rand.New(rand.NewPCG(uint64(t.seed), uint64(t.number)))
	p, err := t.pair.Relabelled(rng)
	if err != nil {
		return pairOutcome{}, err
	}
	p.Instance.Complete = p.Instance.Complete || m.settings.Complete
	o := m.settings.Search.Options()
	o.Seed, o.Irrevocable = uint64(t.seed), !m.settings.Revocable
	wanted, err := goal.of(p, rng)
	if err != nil {
		return pairOutcome{}, fmt.Errorf("%s: %w", p.Name, err)
	}
	setGoal(&o, wanted)
	o.Profile = len(m.settings.Scatter) > 0 && s.Method == rgm.MethodProfile
	before, _ := cputime.Taken()
	result, err := solve(ctx, s, p.Name, p.Instance, o)
	if err != nil {
		return pairOutcome{}, err
	}
	took := time.Duration(result.Seconds * float64(time.Second))
	if m.settings.Clock == ClockCPU {
		after, _ := cputime.Taken()
		took = after - before
	}
	outcome := pairOutcome{
		class: p.Class, quality: p.Judge(result.Matching), hasTruth: p.Truth != nil, hasOptima: p.HasOptimum,
		seconds: took.Seconds(), result: result,
	}
	if len(m.settings.Scatter) > 0 {
		outcome.points = newScatterPoints(p, t.seed, result)
	}
	return outcome, nil
}
