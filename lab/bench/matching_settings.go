package bench

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/search"
	"github.com/rgm-go/rgm/cli/settings"
)

// MatchingSettings are the settings of rgm-lab bench matching.
type MatchingSettings struct {
	Search Settings `mapstructure:",squash"`

	Set        string   `mapstructure:"set"`
	Data       string   `mapstructure:"data"`
	Pairs      int      `mapstructure:"pairs"`
	Edges      string   `mapstructure:"edges"`
	Nodes      []string `mapstructure:"nodes"` // counts
	Methods    []string `mapstructure:"methods"`
	Seeds      int      `mapstructure:"seeds"`
	Complete   bool     `mapstructure:"complete"`
	Revocable  bool     `mapstructure:"revocable"`
	Inliers    []string `mapstructure:"inliers"` // counts
	Regularize []string `mapstructure:"regularize"`
	Affinities []string `mapstructure:"affinities"` // in place of Search.Affinity
	Fix        []string `mapstructure:"fix"`        // counts
	Scatter    []string `mapstructure:"scatter"`
	Workers    int      `mapstructure:"workers"`
	Clock      string   `mapstructure:"clock"` // of the time limits and of the time a pair takes
	Format     string   `mapstructure:"format"`

	Discrepancy bool `mapstructure:"discrepancy"`
}

// Check returns an error that lists everything the settings have wrong.
func (s *MatchingSettings) Check() error {
	goals, err := s.goals()
	errs := []error{
		err,
		s.Search.Check(),
		s.Search.CheckEffect(s.Methods...),
		settings.OneOf("set", s.Set, MatchingSetNames()...),
		settings.OneOf("edges", s.Edges, append(EdgeRules(), "")...),
		settings.OneOf("format", s.Format, report.Table, report.JSON, report.CSV, report.Markdown),
		settings.AtLeast(1, "pairs", s.Pairs),
		settings.AtLeast(1, "seeds", s.Seeds),
		settings.AtLeast(1, "workers", s.Workers),
		checkClock(s.Clock, s.Workers, s.Search.Threads),
		s.checkAffinities(),
		checkScatter(s.Scatter),
		checkMethods(s.Methods),
		checkRevocable(s.Revocable, s.Search.Start, s.Methods),
	}
	for _, method := range s.Methods {
		if slices.ContainsFunc(goals, matchingGoal.needsGoals) && !search.IsModel(method) && !search.KeepsGoals(method) {
			errs = append(errs, fmt.Errorf("--regularize, --fix: the method %s cannot", method))
		}
	}
	if set, ok := findMatchingSet(s.Set); ok {
		if set.folder != "" && s.Data == "" {
			errs = append(errs, fmt.Errorf("--set %s needs --data: the folder that holds %s (lab/notes/MATCHING_RESULTS.md)", s.Set, set.folder))
		}
		if len(s.Nodes) > 0 && set.name != sizesSet {
			errs = append(errs, fmt.Errorf("--nodes is of --set %s", sizesSet))
		}
		if set.edgesFixed && s.Edges != "" {
			errs = append(errs, fmt.Errorf("--edges: the affinities of --set %s are given", s.Set))
		}
	}
	return errors.Join(errs...)
}

// checkAffinities returns an error unless all are values of --affinity, and that is not
// given beside them.
func (s *MatchingSettings) checkAffinities() error {
	if len(s.Affinities) > 0 && s.Search.Affinity != search.AffinityGiven {
		return fmt.Errorf("--affinities and --affinity %s: want one of them", s.Search.Affinity)
	}
	if len(s.Affinities) == 0 {
		return nil
	}
	var errs []error
	for _, one := range s.searches() {
		errs = append(errs, one.Check())
	}
	return errors.Join(errs...)
}

// searches returns the settings of the search for each of the affinities.
func (s *MatchingSettings) searches() []Settings {
	if len(s.Affinities) == 0 {
		return []Settings{s.Search}
	}
	var list []Settings
	for _, a := range s.Affinities {
		one := s.Search
		one.Affinity = a
		list = append(list, one)
	}
	return list
}
