package bench

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/internal/cputime"
)

// searches returns the settings of the search, once for each time limit. It needs
// settings that checkLimits has found usable.
func (s *QAPLIBSettings) searches() []Settings {
	if len(s.Limits) == 0 {
		return []Settings{s.Search}
	}
	var all []Settings
	for _, text := range s.Limits {
		search := s.Search
		search.TimeLimit, _ = time.ParseDuration(text)
		all = append(all, search)
	}
	return all
}

// checkLimits returns an error that lists what the time limits and the other
// settings of the search have wrong.
func (s *QAPLIBSettings) checkLimits() error {
	var errs []error
	for _, text := range s.Limits {
		if limit, err := time.ParseDuration(text); err != nil || limit <= 0 {
			errs = append(errs, fmt.Errorf("--time-limits %q: want durations above 0, such as 10ms,1s", text))
		}
	}
	if len(s.Limits) > 0 && s.Search.TimeLimit != 0 {
		errs = append(errs, errors.New("--time-limit and --time-limits: want one of them"))
	}
	return errors.Join(append(errs, s.searches()[0].Check(), s.Search.CheckEffect(s.Methods...))...)
}

// QAPLIBSettings are the settings of rgm-lab bench qaplib.
type QAPLIBSettings struct {
	Search Settings `mapstructure:",squash"`

	Classes []string `mapstructure:"classes"`
	MinN    int      `mapstructure:"min-n"`
	MaxN    int      `mapstructure:"max-n"`
	Half    string   `mapstructure:"half"`
	Methods []string `mapstructure:"methods"`
	Peers   []string `mapstructure:"peer"`
	Limits  []string `mapstructure:"time-limits"` // durations
	Clock   string   `mapstructure:"clock"`       // of the time limits
	Plot    string   `mapstructure:"plot"`
	Seeds   int      `mapstructure:"seeds"`

	Revocable bool `mapstructure:"revocable"`

	Workers int    `mapstructure:"workers"`
	Format  string `mapstructure:"format"`
}

// The values of --clock.
const (
	ClockWall = "wall"
	ClockCPU  = "cpu" // processor time of the program
)

// The values of --half.
const (
	HalfBoth    = "both"
	HalfSmaller = "smaller"
	HalfLarger  = "larger"
)

// Check returns an error that lists everything the settings have wrong.
func (s *QAPLIBSettings) Check() error {
	errs := []error{
		s.checkLimits(),
		settings.AtLeast(1, "seeds", s.Seeds),
		settings.AtLeast(1, "workers", s.Workers),
		checkClock(s.Clock, s.Workers, s.Search.Threads),
		checkRevocable(s.Revocable, s.Search.Start, s.Methods),
		settings.OneOf("half", s.Half, HalfBoth, HalfSmaller, HalfLarger),
		settings.OneOf("format", s.Format, report.Table, report.JSON, report.CSV, report.Markdown),
	}
	if s.Plot != "" {
		errs = append(errs, settings.CheckOutput("plot", s.Plot, report.SVG, report.PNG))
	}
	for _, peer := range s.Peers {
		errs = append(errs, checkPeer(peer))
	}
	for _, class := range s.Classes {
		errs = append(errs, settings.OneOf("classes", class, paperClasses...))
	}
	return errors.Join(append(errs, checkMethods(s.Methods))...)
}

// checkClock returns an error unless the clock is known here, and runs for one search at a
// time.
func checkClock(clock string, workers, threads int) error {
	if clock != ClockCPU {
		return settings.OneOf("clock", clock, ClockWall, ClockCPU)
	}
	if _, ok := cputime.Taken(); !ok {
		return errors.New("--clock cpu: this system does not tell the time of its processors: leave it out")
	}
	if workers > 1 {
		return fmt.Errorf("--clock cpu, with --workers %d: it runs for all searches together: want --workers 1", workers)
	}
	if threads > 1 {
		return fmt.Errorf("--clock cpu, with --threads %d: it runs for all threads together: want --threads 1", threads)
	}
	return nil
}

// Instances returns the names of the instances to measure on.
func (s *QAPLIBSettings) Instances() []string {
	return slices.DeleteFunc(qaplib.PaperSet(s.MinN, s.MaxN), func(name string) bool {
		return len(s.Classes) > 0 && !slices.Contains(s.Classes, qaplib.Class(name)) ||
			s.Half != HalfBoth && (s.Half == HalfSmaller) != qaplib.InSmallerHalf(name)
	})
}
