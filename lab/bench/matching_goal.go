package bench

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/qap"
)

// matchingGoal is what a row of rgm-lab bench matching asks of every pair: one
// combination of --regularize, --inliers and --fix.
type matchingGoal struct {
	regularizer qap.Regularizer
	inliers     int // matches to keep (0: any number)
	seeds       int // true matches that are given
}

// goals returns all combinations, or an error that lists what the settings have wrong.
func (s *MatchingSettings) goals() ([]matchingGoal, error) {
	regularizers, regularizersErr := ParseRegularizers(s.Regularize)
	inliers, inliersErr := parseCounts("inliers", s.Inliers)
	seeds, seedsErr := parseCounts("fix", s.Fix)
	var goals []matchingGoal
	for _, regularizer := range regularizers {
		for _, count := range inliers {
			for _, given := range seeds {
				goals = append(goals, matchingGoal{regularizer, count, given})
			}
		}
	}
	return goals, errors.Join(regularizersErr, inliersErr, seedsErr)
}

// parseCounts reads numbers and ranges of them, such as 8..13; of none it returns 0.
func parseCounts(setting string, texts []string) ([]int, error) {
	const most = 1000
	if len(texts) == 0 {
		return []int{0}, nil
	}
	var counts []int
	var errs []error
	for _, text := range texts {
		first, last, isRange := strings.Cut(text, "..")
		if !isRange {
			last = first
		}
		from, fromErr := strconv.Atoi(first)
		to, toErr := strconv.Atoi(last)
		if fromErr != nil || toErr != nil || from < 0 || to < from || to > most {
			errs = append(errs, fmt.Errorf("--%s %s: want numbers from 0 to %d, or ranges such as 8..13", setting, text, most))
			continue
		}
		for count := from; count <= to; count++ {
			counts = append(counts, count)
		}
	}
	return counts, errors.Join(errs...)
}

// needsGoals reports whether only methods that keep to goals can meet it. A count
// alone can be met by releasing the weakest matches.
func (g matchingGoal) needsGoals() bool { return !g.regularizer.None() || g.seeds > 0 }

// of returns the goal for a pair. The seeds are drawn from its true matches; more of
// them contain the fewer.
func (g matchingGoal) of(p pairs.Pair, rng *rand.Rand) (qap.Goal, error) {
	goal := qap.Goal{Inliers: g.inliers, Regularizer: g.regularizer}
	if g.seeds == 0 {
		return goal, goal.Check(p.Instance)
	}
	if p.Truth == nil || p.Truth.Size() < g.seeds {
		return goal, fmt.Errorf("--fix %d: %d true matches are known", g.seeds, p.Truth.Size())
	}
	goal.Fixed = qap.NewMatching(len(p.Truth))
	left := g.seeds
	for _, i := range rng.Perm(len(p.Truth)) {
		if left > 0 && p.Truth[i] != qap.Unmatched {
			goal.Fixed[i] = p.Truth[i]
			left--
		}
	}
	return goal, goal.Check(p.Instance)
}

// setGoal has a search keep to a goal.
func setGoal(o *rgm.Options, g qap.Goal) {
	o.Inliers, o.Fix = g.Inliers, nil
	if !g.Regularizer.None() {
		o.Regularize = g.Regularizer.String()
	}
	for i, a := range g.Fixed {
		if a != qap.Unmatched {
			o.Fix = append(o.Fix, fmt.Sprintf("%d:%d", i, a))
		}
	}
}

// ParseRegularizers reads --regularize.
func ParseRegularizers(names []string) ([]qap.Regularizer, error) {
	var all []qap.Regularizer
	var errs []error
	for _, name := range names {
		regularizer, err := qap.ParseRegularizer(name)
		if err != nil {
			errs = append(errs, fmt.Errorf("--regularize: %w", err))
			continue
		}
		all = append(all, regularizer)
	}
	return all, errors.Join(errs...)
}

// ParseFixedRegularizers is ParseRegularizers of regularizers that are the same on every instance.
func ParseFixedRegularizers(names []string) ([]qap.Regularizer, error) {
	all, err := ParseRegularizers(names)
	for _, r := range all {
		if r.Unknown() {
			err = errors.Join(err, fmt.Errorf("--regularize %s: every instance has its own: want one of the others", r))
		}
	}
	return all, err
}
