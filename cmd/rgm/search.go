package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/rollout"
	"github.com/rgm-go/rgm/qap/tabu"
)

// The methods. All but methodRGM do without a network.
const (
	methodRGM        = "rgm"
	methodGreedy     = "greedy"
	methodGreedyTabu = "greedy-tabu"
	methodGreedyAges = "greedy-ages"
	methodTabu       = "tabu"
)

func methodNames() []string {
	return []string{methodRGM, methodGreedy, methodGreedyTabu, methodGreedyAges, methodTabu}
}

// The values of --polish.
const (
	polishNone = "none"
	polishTabu = "tabu"
)

// searchSettings say how to search an instance.
type searchSettings struct {
	Model     string        `mapstructure:"model"`
	Provider  string        `mapstructure:"provider"`
	Rollouts  int           `mapstructure:"rollouts"`
	TimeLimit time.Duration `mapstructure:"time-limit"`
	MaxSteps  int           `mapstructure:"max-steps"`
	Patience  int           `mapstructure:"patience"`
	Polish    string        `mapstructure:"polish"`
}

func addSearchFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.String("model", "qap", "pretrained model, or an .onnx `file`")
	flags.String("provider", providerAuto, "who evaluates the network: cpu (ONNX Runtime), go, or auto (cpu, where that cannot be had go)")
	flags.Int("rollouts", 8, "rollouts that advance together")
	flags.Duration("time-limit", 0, "wall clock for an instance once it is loaded (default none)")
	flags.Int("max-steps", 0, "steps of a rollout; swaps of tabu (default from the size)")
	flags.Int("patience", 0, "steps without a better best that end a search, the paper's T_es (default from the size, none with --max-steps)")
	flags.String("polish", "", "swap tabu search from the best matching in half of the time limit: none or tabu (default tabu with a time limit, else none)")
	complete(cmd, "provider", providers()...)
	complete(cmd, "polish", polishNone, polishTabu)
}

// check returns an error that lists everything the settings have wrong.
func (s *searchSettings) check() error {
	errs := []error{
		oneOf("provider", s.Provider, providers()...),
		oneOf("polish", s.Polish, "", polishNone, polishTabu),
		atLeast(1, "rollouts", s.Rollouts),
		atLeast(0, "max-steps", s.MaxSteps),
		atLeast(0, "patience", s.Patience),
	}
	if s.TimeLimit < 0 {
		errs = append(errs, fmt.Errorf("--time-limit %v: want 0 (none) or more", s.TimeLimit))
	}
	if s.Polish == polishTabu && s.TimeLimit == 0 {
		errs = append(errs, errors.New("--polish tabu needs a --time-limit, half of which it takes"))
	}
	return errors.Join(errs...)
}

// options returns the settings as options of a search.
func (s *searchSettings) options() infer.Options {
	return infer.Options{
		Rollouts: s.Rollouts, MaxSteps: s.MaxSteps, Patience: s.Patience, TimeLimit: s.TimeLimit,
		Polish: s.TimeLimit > 0 && s.Polish != polishNone,
	}
}

// searcher is a method ready to solve instances. It may be shared by goroutines.
type searcher struct {
	method  string
	network *network // nil for a method without one
}

// newSearcher prepares a method; it opens the network if the method has one. The
// searcher must be closed.
func newSearcher(ctx context.Context, c *console, method string, s *searchSettings) (*searcher, error) {
	if method != methodRGM {
		return &searcher{method: method}, nil
	}
	n, err := openNetwork(ctx, c, s.Model, s.Provider)
	return &searcher{method, n}, err
}

// solve searches an instance.
func (s *searcher) solve(ctx context.Context, in *qap.Instance, o infer.Options) (qap.Result, error) {
	switch s.method {
	case methodRGM:
		return infer.Solve(ctx, s.network.q, in, o)
	case methodGreedy:
		return infer.SolveWith(ctx, rollout.Greedy{}, in, o)
	case methodGreedyTabu:
		return infer.SolveWith(ctx, rollout.GreedyTabu{}, in, o)
	case methodGreedyAges:
		return infer.SolveWith(ctx, rollout.GreedyAges{}, in, o)
	case methodTabu:
		limits := qap.Limits{
			MaxSteps: o.MaxSteps, Patience: o.Patience, TimeLimit: o.TimeLimit, Target: o.Target, HasTarget: o.HasTarget,
		}
		return tabu.Solver{}.Solve(ctx, in, qap.Options{Limits: limits, Seed: o.Seed, Initial: o.Initial})
	}
	panic("unknown method " + s.method)
}

// Close frees the network.
func (s *searcher) Close() error {
	if s.network == nil {
		return nil
	}
	return s.network.Close()
}
