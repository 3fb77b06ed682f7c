package search

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/qap"

	"github.com/rgm-go/rgm/internal/suggest"
)

// GoalSettings say which matching is sought where nodes may have no true partner.
type GoalSettings struct {
	Inliers    int      `mapstructure:"inliers"`
	Regularize string   `mapstructure:"regularize"`
	Fix        []string `mapstructure:"fix"`
	Profile    bool     `mapstructure:"profile"`
}

// MethodOr returns the method, by default the one that finds what is to be shown.
func (s *GoalSettings) MethodOr(method string) string {
	switch {
	case method != "":
		return method
	case s.Profile:
		return portfolio.MethodProfile
	}
	return MethodAuto
}

// Goal is what the settings ask of every instance.
type Goal struct {
	qap.Goal
	seeds [][2]int // nodes of graph 1 and graph 2
}

// Goal returns the goal, or an error that lists everything the settings have wrong.
func (s *GoalSettings) Goal() (Goal, error) {
	regularizer, err := qap.ParseRegularizer(s.Regularize)
	if err != nil {
		err = fmt.Errorf("--regularize: %w", err)
	}
	seeds, seedsErr := parseSeeds(s.Fix)
	g := Goal{qap.Goal{Inliers: s.Inliers, Regularizer: regularizer}, seeds}
	return g, errors.Join(settings.AtLeast(0, "inliers", s.Inliers), err, seedsErr)
}

// With returns the goal with further matches that stay.
func (g Goal) With(fixed [][2]int) Goal {
	g.seeds = append(slices.Clone(g.seeds), fixed...)
	return g
}

// Seeds returns the matches that stay.
func (g *Goal) Seeds() [][2]int { return g.seeds }

// parseSeeds reads pairs i:a.
func parseSeeds(texts []string) ([][2]int, error) {
	var seeds [][2]int
	var errs []error
	for _, text := range texts {
		left, right, _ := strings.Cut(text, ":")
		i, errI := strconv.Atoi(left)
		a, errA := strconv.Atoi(right)
		if errI != nil || errA != nil || i < 0 || a < 0 {
			errs = append(errs, fmt.Errorf("--fix %q: want i:a, a node of each graph, from 0", text))
			continue
		}
		for _, other := range seeds {
			switch {
			case other == [2]int{i, a}:
				errs = append(errs, fmt.Errorf("--fix: %d:%d is given twice", i, a))
			case other[0] == i || other[1] == a:
				errs = append(errs, fmt.Errorf("--fix: %d:%d conflicts with %d:%d", i, a, other[0], other[1]))
			}
		}
		seeds = append(seeds, [2]int{i, a})
	}
	return seeds, errors.Join(errs...)
}

// Of returns the goal for an instance.
func (g *Goal) Of(in *qap.Instance) (qap.Goal, error) {
	n1, n2 := in.Size()
	one := g.Goal
	if len(g.seeds) > 0 {
		one.Fixed = qap.NewMatching(n1)
	}
	for _, seed := range g.seeds {
		i, a := seed[0], seed[1]
		if i >= n1 || a >= n2 {
			return one, fmt.Errorf("the fixed match %d:%d: graphs of %d and %d nodes have no such pair", i, a, n1, n2)
		}
		one.Fixed[i] = a
	}
	return one, one.Check(in)
}

// Check returns an error unless the method, with what improves its result, can
// meet the goal.
func (s *GoalSettings) Check(method string, search *Settings) error {
	var errs []error
	if s.Profile && method != portfolio.MethodProfile {
		errs = append(errs, fmt.Errorf("--profile: the method %s does not search all sizes: want %s", method, portfolio.MethodProfile))
	}
	for _, name := range s.given() {
		if !KeepsGoals(method) && !(name == flagInliers && releases(method)) {
			errs = append(errs, fmt.Errorf("%s: the method %s cannot: want %s", name, method,
				suggest.OneOf(portfolio.MethodProfile, portfolio.MethodRegrow, MethodRGM, MethodGreedy, MethodGreedyTabu, portfolio.MethodGreedyAges)))
		}
		if search.Refine != RefineNone {
			errs = append(errs, fmt.Errorf("%s: --refine %s would not keep to it", name, search.Refine))
		}
	}
	return errors.Join(errs...)
}

const flagInliers = "--inliers"

// ForPartial returns the flags given that choose how many nodes are matched, which have no
// effect where all are.
func (s *GoalSettings) ForPartial() []string {
	if s.Regularize == "none" {
		return nil
	}
	return []string{"--regularize " + s.Regularize}
}

// given returns the flags that restrict or weigh matchings.
func (s *GoalSettings) given() []string {
	var names []string
	if s.Inliers > 0 {
		names = append(names, flagInliers)
	}
	if s.Regularize != "none" {
		names = append(names, "--regularize")
	}
	if len(s.Fix) > 0 {
		names = append(names, "--fix")
	}
	return names
}
