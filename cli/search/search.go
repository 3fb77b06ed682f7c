// Package search solves instances by the methods of rgm solve, with the network, the goal,
// the affinities and the refinement that the settings name.
package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/rgm-go/rgm"
	"github.com/rgm-go/rgm/cli/console"
	"github.com/rgm-go/rgm/cli/networks"
	"github.com/rgm-go/rgm/cli/report"
	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/lab"
	"github.com/rgm-go/rgm/internal/lists"
	"github.com/rgm-go/rgm/qap"
)

// Methods that the program knows by name.
const (
	MethodAuto       = rgm.MethodAuto
	MethodRGM        = rgm.MethodRGM
	MethodGreedy     = rgm.MethodGreedy
	MethodGreedyTabu = rgm.MethodGreedyTabu
)

// MethodNames returns the values of --method.
func MethodNames() []string {
	return lists.Of(rgm.Methods(), func(m rgm.Method) string { return m.Name })
}

// method returns a method, or one that can do nothing.
func method(name string) rgm.Method {
	for _, m := range rgm.Methods() {
		if m.Name == name {
			return m
		}
	}
	return rgm.Method{}
}

// Unlearned returns those of some methods that have no network, but for the default.
func Unlearned(methods []string) []string {
	return slices.DeleteFunc(slices.Clone(methods), func(name string) bool { return hasNetwork(name) })
}

// checkMethod returns an error unless a name is one of some methods.
func checkMethod(name string, methods []string) error {
	if hint := lab.Hint("a method", name, lab.Methods); hint != "" && !slices.Contains(methods, name) {
		return fmt.Errorf("--method %s: %s", name, hint)
	}
	return settings.OneOf("method", name, methods...)
}

// StepsFreely reports whether a method can also go without releasing matches.
func StepsFreely(name string) bool { return method(name).Steps }

// KeepsGoals reports whether a method serves inlier counts, seeds and regularisation.
func KeepsGoals(name string) bool { return method(name).Goals }

// hasNetwork reports whether a method has a network.
func hasNetwork(name string) bool { return method(name).Network }

// releases reports whether a method matches all nodes, and meets a count of inliers by
// releasing the weakest matches.
func releases(name string) bool {
	m := method(name)
	return m.Reduces && m.MatchesAll
}

// RefineNone is the value of --refine besides those of package refine.
const RefineNone = rgm.RefineNone

// Refinements returns the values of --refine.
func Refinements() []string { return append([]string{RefineNone}, rgm.Refinements()...) }

// defaultRollouts is the default of --rollouts.
const defaultRollouts = infer.DefaultRollouts

// ThreadsFor returns how many processors an instance has: what is asked for, by default all of them where it
// is alone, else one.
func ThreadsFor(asked int, alone bool) int {
	switch {
	case asked > 0:
		return asked
	case alone:
		return runtime.GOMAXPROCS(0)
	}
	return 1
}

// Searcher is a method ready to solve instances, and what improves its results.
// It may be shared by goroutines.
type Searcher struct {
	Method string
	*rgm.Solver
	model string // of its options
}

// New prepares the method of options, whose networks a provider evaluates: they are opened when they are
// needed, but for a provider that is demanded. The searcher must be closed.
func New(ctx context.Context, c *console.Console, provider, recall string, o rgm.Options) (*Searcher, error) {
	config, by, err := networks.Configuration(c, provider)
	if err != nil {
		return nil, err
	}
	config.Model, config.Recall = networks.Read, recall
	demanded := by.Name == networks.ProviderCPU || by.Name == networks.ProviderCUDA
	solver, err := networks.Open(config)
	if err != nil {
		return nil, err
	}
	all := &Searcher{cmp.Or(o.Method, MethodAuto), solver, o.Model}
	m := method(all.Method)
	if m.Name != "" { // else it is for two graphs
		own := all.options(rgm.Options{Model: o.Model, Affinity: o.Affinity, Refine: o.Refine, StepsPerNode: o.StepsPerNode, Restarts: o.Restarts})
		err = OfUse(solver.Check(own), own)
	}
	if err == nil && demanded && m.Network {
		var models []string // none for those by kind of instance
		if model := cmp.Or(o.Model, m.Architecture); model != "" {
			models = []string{model}
		}
		err = networks.Advise(solver.Load(ctx, models...))
		c.EndBar()
	}
	if err != nil {
		return nil, errors.Join(err, solver.Close())
	}
	return all, nil
}

// options returns the options of a search by the method, which has a model only if it takes one.
func (s *Searcher) options(o rgm.Options) rgm.Options {
	o.Method, o.Model = s.Method, cmp.Or(s.model, o.Model)
	if m := method(s.Method); !m.Network && s.Method != rgm.MethodAlign {
		o.Model = ""
	}
	return o
}

// OfUse returns an error of options in the words of the flags.
func OfUse(err error, o rgm.Options) error {
	if all, joined := err.(interface{ Unwrap() []error }); joined {
		errs := slices.Clone(all.Unwrap())
		for k, one := range errs {
			errs[k] = OfUse(one, o)
		}
		return settings.Usage(errs...)
	}
	var wrong *rgm.OptionError
	if !errors.As(err, &wrong) {
		return err
	}
	flag, what := "--"+settings.Dashed(wrong.Option), wrong.Reason
	value := ""
	if of := reflect.ValueOf(o).FieldByName(wrong.Option); of.IsValid() && !of.IsZero() && of.Kind() != reflect.Bool {
		value = fmt.Sprint(of.Interface())
	}
	switch {
	case errors.Is(err, rgm.ErrReweighs):
		what += ": name it with --affinity"
	case strings.HasPrefix(what, "has no effect"):
		what = strings.TrimSpace(flag+" "+value) + " " + what
	case wrong.Option != "Model":
		what = flag + ": " + what
	case wrong.Err == nil && value != "":
		what = flag + " " + value + ": " + what
	}
	return settings.Usage(errors.New(what))
}

// Solve searches an instance, with the affinities wanted, and improves the result.
func (s *Searcher) Solve(ctx context.Context, in *qap.Instance, o rgm.Options) (rgm.Result, error) {
	r, err := s.Solver.Solve(ctx, in, s.options(o))
	return r, networks.Advise(err)
}

// Match matches two graphs.
func (s *Searcher) Match(ctx context.Context, g1, g2 *graphs.Graph, o rgm.Options) (rgm.Result, error) {
	r, err := s.Solver.Match(ctx, g1, g2, s.options(o))
	return r, networks.Advise(err)
}

// Answer solves an instance and returns what is printed of it.
func (s *Searcher) Answer(ctx context.Context, in *qap.Instance, o rgm.Options) report.Answer {
	result, err := s.Solve(ctx, in, o)
	if err != nil {
		return report.Failure(in.Name, err)
	}
	return report.NewAnswer(in, result)
}

// Listener returns what tells a display of better solutions; nil where nothing is shown.
func Listener(shown *console.Search) func(rgm.Incumbent) {
	if shown == nil {
		return nil
	}
	return func(best rgm.Incumbent) { shown.Found(best) }
}

// AffinityGiven is the default of --affinity.
const AffinityGiven = rgm.AffinityGiven

// oneOrFile returns an error unless the value of a flag is a known one or a model file.
func oneOrFile(flag, value string, known []string) error {
	if networks.IsFile(value) {
		return nil
	}
	return settings.OneOf(flag, value, append(known, "FILE.onnx")...)
}
