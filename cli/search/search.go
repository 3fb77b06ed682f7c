// Package search solves instances by the methods of rgm solve, with the network, the goal,
// the affinities and the refinement that the settings name.
package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/infer/alignment"
	"github.com/rgm-go/rgm/infer/portfolio"
	"github.com/rgm-go/rgm/infer/portfolio/full"
	"github.com/rgm-go/rgm/internal/lab"
	"github.com/rgm-go/rgm/internal/lists"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/refine"
)

// Methods that the program knows by name.
const (
	MethodAuto       = portfolio.MethodAuto
	MethodRGM        = portfolio.MethodRGM
	MethodGreedy     = portfolio.MethodGreedy
	MethodGreedyTabu = portfolio.MethodGreedyTabu
)

// MethodNames returns the values of --method.
func MethodNames() []string {
	return lists.Of(full.Methods(), func(m portfolio.Method) string { return m.Name })
}

// method returns a method, or one that can do nothing.
func method(name string) portfolio.Method {
	for _, m := range full.Methods() {
		if m.Name == name {
			return m
		}
	}
	return portfolio.Method{}
}

// Unlearned returns those of some methods that have no network, but for the default.
func Unlearned(methods []string) []string {
	return slices.DeleteFunc(slices.Clone(methods), func(name string) bool { return HasNetwork(name) })
}

// SoftMethods says which of some methods are one evaluation of a network of their own, "" where
// none is.
func SoftMethods(methods []string) string {
	names := slices.DeleteFunc(slices.Clone(methods), func(name string) bool { return method(name).Architecture == "" })
	if len(names) == 0 {
		return ""
	}
	return strings.Join(names, " or ") + " (one evaluation of --model, by default the model of that name where one ships), "
}

// CheckMethod returns an error unless a name is one of some methods.
func CheckMethod(name string, methods []string) error {
	if hint := lab.Hint("a method", name, lab.Methods); hint != "" && !slices.Contains(methods, name) {
		return fmt.Errorf("--method %s: %s", name, hint)
	}
	return settings.OneOf("method", name, methods...)
}

// StepsFreely reports whether a method can also go without releasing matches.
func StepsFreely(name string) bool { return method(name).Steps }

// KeepsGoals reports whether a method serves inlier counts, seeds and regularisation.
func KeepsGoals(name string) bool { return method(name).Goals }

// HasNetwork reports whether a method has a network.
func HasNetwork(name string) bool { return method(name).Network }

// releases reports whether a method matches all nodes, and meets a count of inliers by
// releasing the weakest matches.
func releases(name string) bool {
	m := method(name)
	return m.Reduces && m.MatchesAll
}

// The values of --start.
const (
	StartEmpty     = "empty"
	StartSupported = "supported"
)

// RefineNone is the value of --refine besides those of package refine.
const RefineNone = portfolio.RefineNone

// Refinements returns the values of --refine.
func Refinements() []string { return append([]string{RefineNone}, refine.Methods()...) }

// DefaultRollouts is the default of --rollouts.
const DefaultRollouts = infer.DefaultRollouts

// Settings say how to search an instance.
type Settings struct {
	Model     string        `mapstructure:"model"`
	Provider  string        `mapstructure:"provider"`
	Rollouts  int           `mapstructure:"rollouts"`
	Beam      int           `mapstructure:"beam"`
	TimeLimit time.Duration `mapstructure:"time-limit"`
	MaxSteps  int           `mapstructure:"max-steps"`
	PerNode   int           `mapstructure:"steps-per-node"`
	Patience  int           `mapstructure:"patience"`
	Refine    string        `mapstructure:"refine"`
	Restarts  int           `mapstructure:"restarts"`
	Threads   int           `mapstructure:"threads"`
	Affinity  string        `mapstructure:"affinity"`
	Start     string        `mapstructure:"start" json:",omitempty"` // left out of fingerprints where it says nothing
}

// Check returns an error that lists everything the settings have wrong.
func (s *Settings) Check() error {
	_, providerErr := networks.ParseProvider(s.Provider)
	return errors.Join(
		providerErr,
		oneOrFile("affinity", cmp.Or(s.Affinity, AffinityGiven), portfolio.Affinities()),
		settings.OneOf("start", s.Start, "", StartEmpty, StartSupported),
		oneOrFile("refine", s.Refine, Refinements()),
		settings.AtLeast(1, "rollouts", s.Rollouts),
		settings.AtLeast(1, "beam", s.Beam),
		settings.AtLeast(1, "restarts", s.Restarts),
		settings.AtLeast(0, "max-steps", s.MaxSteps),
		settings.AtLeast(0, "steps-per-node", s.PerNode),
		settings.AtLeast(0, "patience", s.Patience),
		settings.AtLeast(0, "threads", s.Threads),
		settings.ErrorIf(s.TimeLimit < 0, "--time-limit %v: want 0 (none) or more", s.TimeLimit),
		settings.ErrorIf(s.Beam > 1 && s.Rollouts != DefaultRollouts, "--beam %d and --rollouts %d: want one of them; a beam is in place of rollouts", s.Beam, s.Rollouts),
		settings.ErrorIf(s.MaxSteps > 0 && s.PerNode > 0, "--max-steps %d and --steps-per-node %d: want one of them", s.MaxSteps, s.PerNode),
	)
}

// Options returns the settings as options of a search.
func (s *Settings) Options() infer.Options {
	o := infer.Options{
		Rollouts: s.Rollouts, Beam: s.Beam, MaxSteps: s.MaxSteps, Patience: s.Patience, TimeLimit: s.TimeLimit,
		Supported: s.Start == StartSupported, Threads: s.ThreadsFor(false),
	}
	if o.Rollouts == DefaultRollouts { // nothing that was asked for
		o.Rollouts = 0
	}
	return o
}

// ThreadsFor returns how many processors an instance has: by default all of them where it
// is alone, else one.
func (s *Settings) ThreadsFor(alone bool) int {
	switch {
	case s.Threads > 0:
		return s.Threads
	case alone:
		return runtime.GOMAXPROCS(0)
	}
	return 1
}

// Searcher is a method ready to solve instances, and what improves its results.
// It may be shared by goroutines.
type Searcher struct {
	Method    string
	portfolio *portfolio.Portfolio
	options   portfolio.Options // but for those of a search
}

// New prepares a method; networks are opened when they are needed, but for a provider
// that the settings demand. The searcher must be closed.
func New(ctx context.Context, c *console.Console, name string, s *Settings) (*Searcher, error) {
	config, by, err := networks.Configuration(c, s.Provider)
	if err != nil {
		return nil, err
	}
	config.Model = networks.Read
	demanded := by.Name == networks.ProviderCPU || by.Name == networks.ProviderCUDA
	p, err := portfolio.Open(config)
	if err != nil {
		return nil, err
	}
	m := method(name)
	options := portfolio.Options{
		Method: name, Model: s.Model, Affinity: s.Affinity, Refine: s.Refine, StepsPerNode: s.PerNode, Restarts: s.Restarts,
	}
	if !m.Network {
		options.Model = ""
	}
	err = ofUse(p.Check(options))
	if err == nil && demanded && m.Network {
		var models []string // none for those by kind of instance
		if model := cmp.Or(s.Model, m.Architecture); model != "" {
			models = []string{model}
		}
		err = networks.Advise(p.Load(ctx, models...))
		c.EndBar()
	}
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return &Searcher{name, p, options}, nil
}

// ofUse returns an error of the portfolio in the words of the flags.
func ofUse(err error) error {
	var wrong *infer.OptionError
	if !errors.As(err, &wrong) {
		return err
	}
	what := errors.New(wrong.Reason)
	switch {
	case errors.Is(err, portfolio.ErrReweighs):
		return settings.Usage(fmt.Errorf("%w: name it with --affinity", what))
	case wrong.Option == "Model":
		return settings.Usage(what)
	}
	return settings.Usage(fmt.Errorf("--%s: %w", flagOf(wrong.Option), what))
}

// flagOf returns the flag of an option: steps-per-node of StepsPerNode.
func flagOf(option string) string {
	option = option[strings.LastIndexByte(option, '.')+1:]
	var flag strings.Builder
	for k, r := range option {
		if unicode.IsUpper(r) && k > 0 {
			flag.WriteByte('-')
		}
		flag.WriteRune(unicode.ToLower(r))
	}
	return flag.String()
}

// Solve searches an instance, with the affinities wanted, and improves the result.
func (s *Searcher) Solve(ctx context.Context, in *qap.Instance, o infer.Options) (portfolio.Result, error) {
	options := s.options
	options.Options = o
	r, err := s.portfolio.Solve(ctx, in, options)
	return r, networks.Advise(err)
}

// Answer solves an instance and returns what is printed of it, with the profile if that is
// asked for.
func (s *Searcher) Answer(ctx context.Context, in *qap.Instance, o infer.Options, profile bool) report.Answer {
	result, err := s.Solve(ctx, in, o)
	if err != nil {
		return report.Failure(in.Name, err)
	}
	a := report.NewAnswer(in, result)
	if profile {
		a.Profile = portfolio.Sizes(in, result.Profile)
	}
	return a
}

// Listener returns what tells a display of better solutions; nil where nothing is shown.
func Listener(shown *console.Search) func(infer.Incumbent) {
	if shown == nil {
		return nil
	}
	return func(best infer.Incumbent) { shown.Found(best.Incumbent) }
}

// Assign aligns two graphs by a method for flows and distances.
func (s *Searcher) Assign(ctx context.Context, name, why string, p *graphs.Alignment, o infer.Options) (portfolio.Record, *graphs.Aligned, error) {
	options := s.options
	options.Options = o
	return alignment.Assign(ctx, s.portfolio, name, why, p, options)
}

// Close frees the networks.
func (s *Searcher) Close() error { return s.portfolio.Close() }

// AffinityGiven is the default of --affinity.
const AffinityGiven = portfolio.AffinityGiven

// oneOrFile returns an error unless the value of a flag is a known one or a model file.
func oneOrFile(flag, value string, known []string) error {
	if networks.IsFile(value) {
		return nil
	}
	return settings.OneOf(flag, value, append(known, "FILE.onnx")...)
}
