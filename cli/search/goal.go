package search

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/settings"
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
		return rgm.MethodProfile
	}
	return MethodAuto
}

// Set sets the options of the goal; fix are the matches that stay.
func (s *GoalSettings) Set(o *rgm.Options, fix []string) {
	o.Inliers, o.Regularize, o.Fix, o.Profile = s.Inliers, s.Regularize, fix, s.Profile
}

// CheckValues returns an error that lists everything the settings have wrong by themselves.
func (s *GoalSettings) CheckValues() error {
	_, err := qap.ParseRegularizer(s.Regularize)
	if err != nil {
		err = fmt.Errorf("--regularize: %w", err)
	}
	return errors.Join(settings.AtLeast(0, "inliers", s.Inliers), err)
}

// CheckFix returns an error unless matches that stay are numbers of nodes, each once.
func (s *GoalSettings) CheckFix() error {
	_, err := parseSeeds(s.Fix)
	return err
}

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

// Check returns an error unless the method, with what improves its result, can
// meet the goal.
func (s *GoalSettings) Check(method string, search *Settings) error {
	errs := []error{s.CheckValues()}
	if s.Profile && method != rgm.MethodProfile {
		errs = append(errs, fmt.Errorf("--profile: the method %s does not search all sizes: want %s", method, rgm.MethodProfile))
	}
	for _, name := range s.given() {
		if !KeepsGoals(method) && !(name == flagInliers && releases(method)) {
			errs = append(errs, fmt.Errorf("%s: the method %s cannot: want %s", name, method,
				suggest.OneOf(rgm.MethodProfile, rgm.MethodRegrow, MethodRGM, MethodGreedy, MethodGreedyTabu, rgm.MethodGreedyAges)))
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
