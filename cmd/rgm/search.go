package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/classic"
	"github.com/rgm-go/rgm/qap/exact"
	"github.com/rgm-go/rgm/qap/profile"
	"github.com/rgm-go/rgm/qap/refine"
	"github.com/rgm-go/rgm/qap/reweigh"
	"github.com/rgm-go/rgm/qap/rollout"
	"github.com/rgm-go/rgm/qap/tabu"
)

// The methods, besides those of package classic. All but methodRGM do without a
// network.
const (
	methodRGM        = "rgm"
	methodGreedy     = "greedy"
	methodGreedyTabu = "greedy-tabu"
	methodGreedyAges = "greedy-ages"
	methodTabu       = "tabu"
	methodExact      = "exact"
	methodFAQ        = "faq"
	methodProfile    = "profile"
)

// policies are the methods that step through the revocable environment as the
// network does, without it.
var policies = map[string]rollout.Policy{
	methodGreedy:     rollout.Greedy{},
	methodGreedyTabu: rollout.GreedyTabu{},
	methodGreedyAges: rollout.GreedyAges{},
}

// controlNames are the network and what it is measured against by default.
func controlNames() []string {
	return []string{methodRGM, methodGreedy, methodGreedyTabu, methodGreedyAges, methodTabu}
}

func methodNames() []string {
	return slices.Concat(controlNames(), []string{methodExact, methodProfile}, classic.Methods())
}

// stepsFreely tells whether a method can also go without releasing matches.
func stepsFreely(method string) bool { return method == methodRGM || policies[method] != nil }

// keepsGoals tells whether a method serves inlier counts, seeds and regularisation.
func keepsGoals(method string) bool { return method == methodProfile || stepsFreely(method) }

// The values of --polish.
const (
	polishNone = "none"
	polishTabu = "tabu"
)

// refineNone is the value of --refine besides those of package refine.
const refineNone = "none"

func refinements() []string { return append([]string{refineNone}, refine.Methods()...) }

const defaultRollouts = 8

// searchSettings say how to search an instance.
type searchSettings struct {
	Model     string        `mapstructure:"model"`
	Provider  string        `mapstructure:"provider"`
	Rollouts  int           `mapstructure:"rollouts"`
	Beam      int           `mapstructure:"beam"`
	TimeLimit time.Duration `mapstructure:"time-limit"`
	MaxSteps  int           `mapstructure:"max-steps"`
	PerNode   int           `mapstructure:"steps-per-node"`
	Patience  int           `mapstructure:"patience"`
	Polish    string        `mapstructure:"polish"`
	Refine    string        `mapstructure:"refine"`
	Restarts  int           `mapstructure:"restarts"`
	Affinity  string        `mapstructure:"affinity"`
}

func addSearchFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.String("model", "", "pretrained model, or an .onnx `file` (default "+modelMatching+" for affinity matrices, else "+modelQAP+")")
	flags.String("provider", providerAuto, "who evaluates the network: cpu (ONNX Runtime), cuda or cuda:`N` (ONNX Runtime on GPU N), go, or auto (cpu, where that cannot be had go)")
	flags.Int("rollouts", defaultRollouts, "rollouts that advance together")
	flags.Int("beam", 1, "states of a beam search with the network, in place of rollouts where more than 1")
	flags.Duration("time-limit", 0, "wall clock for an instance once it is loaded (default none)")
	flags.Int("max-steps", 0, "steps of a rollout; swaps of tabu (default from the size)")
	flags.Int("steps-per-node", 0, "in place of --max-steps: steps for each node of the larger graph")
	flags.Int("patience", 0, "steps without a better best that end a search, the paper's T_es (default from the size, none with --max-steps or --steps-per-node)")
	flags.String("polish", "", "tabu search in most of the time limit: none or tabu (default tabu with a time limit, else none; affinity matrices without any limit: a search of the profile)")
	flags.String("refine", refineNone, "improve the result of any method: none, rewrite (local rewrite), ipfp or tabu; it gets half of the time limit")
	flags.Int("restarts", 1, "starts of faq, the best of which counts")
	complete(cmd, "provider", providers()...)
	complete(cmd, "refine", refinements()...)
	complete(cmd, "polish", polishNone, polishTabu)
}

// check returns an error that lists everything the settings have wrong.
func (s *searchSettings) check() error {
	_, providerErr := parseProvider(s.Provider)
	errs := []error{
		providerErr,
		checkAffinity(s.Affinity),
		oneOf("polish", s.Polish, "", polishNone, polishTabu),
		oneOf("refine", s.Refine, refinements()...),
		atLeast(1, "rollouts", s.Rollouts),
		atLeast(1, "beam", s.Beam),
		atLeast(1, "restarts", s.Restarts),
		atLeast(0, "max-steps", s.MaxSteps),
		atLeast(0, "steps-per-node", s.PerNode),
		atLeast(0, "patience", s.Patience),
	}
	if s.TimeLimit < 0 {
		errs = append(errs, fmt.Errorf("--time-limit %v: want 0 (none) or more", s.TimeLimit))
	}
	if s.Beam > 1 && s.Rollouts != defaultRollouts {
		errs = append(errs, fmt.Errorf("--beam %d and --rollouts %d: want one of them; a beam is in place of rollouts", s.Beam, s.Rollouts))
	}
	if s.MaxSteps > 0 && s.PerNode > 0 {
		errs = append(errs, fmt.Errorf("--max-steps %d and --steps-per-node %d: want one of them", s.MaxSteps, s.PerNode))
	}
	if s.Polish == polishTabu && s.TimeLimit == 0 {
		errs = append(errs, errors.New("--polish tabu needs a --time-limit, most of which it takes"))
	}
	return errors.Join(errs...)
}

// options returns the settings as options of a search.
func (s *searchSettings) options() infer.Options {
	return infer.Options{
		Rollouts: s.Rollouts, Beam: s.Beam, MaxSteps: s.MaxSteps, Patience: s.Patience, TimeLimit: s.TimeLimit,
		Polish: s.Polish != polishNone,
	}
}

// searcher is a method ready to solve instances, and what improves its results.
// It may be shared by goroutines.
type searcher struct {
	method  string
	network *network   // of methodRGM
	other   *network   // the network for affinity matrices, where that is another
	solver  qap.Solver // of a method that knows no goal
	perNode int        // steps for each node of the larger graph, in place of Options.MaxSteps if not 0
	refine  string
	learned *learnedAffinity // nil where instances are searched as they are given
}

// newSearcher prepares a method; it opens the network if the method has one. The
// searcher must be closed.
func newSearcher(ctx context.Context, c *console, method string, s *searchSettings) (*searcher, error) {
	ready := &searcher{method: method, perNode: s.PerNode, refine: s.Refine}
	var err error
	switch {
	case method == methodRGM:
		err = ready.open(ctx, c, s)
	case policies[method] != nil, method == methodProfile:
	case method == methodTabu:
		ready.solver = tabu.Solver{}
	case method == methodExact:
		ready.solver = exact.Solver{}
	case method == methodFAQ:
		ready.solver = classic.FAQ{Restarts: s.Restarts}
	default:
		ready.solver, err = classic.New(method)
	}
	if err == nil {
		ready.learned, err = openAffinity(ctx, c, s.Affinity, s.Provider)
	}
	if err != nil {
		return nil, errors.Join(err, ready.Close())
	}
	return ready, nil
}

// open opens the network that the settings name, or those for all kinds of instances.
// The searcher is to be closed even where it fails.
func (s *searcher) open(ctx context.Context, c *console, settings *searchSettings) (err error) {
	s.network, err = openNetwork(ctx, c, cmp.Or(settings.Model, modelQAP), settings.Provider)
	if err == nil {
		err = s.network.refuseAffinity()
	}
	if err != nil || settings.Model != "" {
		return err
	}
	provider := settings.Provider
	if s.network.session == nil { // found out once that there is no ONNX Runtime
		provider = providerGo
	}
	s.other, err = openNetwork(ctx, c, modelMatching, provider)
	return err
}

// networkFor returns the network for an instance, nil if the method has none.
func (s *searcher) networkFor(in *qap.Instance) *network {
	if _, product := in.Affinity.(*qap.KoopmansBeckmann); !product && s.other != nil {
		return s.other
	}
	return s.network
}

// solve searches an instance, with the affinities wanted, and improves the result. The
// decision says which they were where learned ones were wanted.
func (s *searcher) solve(ctx context.Context, in *qap.Instance, o infer.Options) (qap.Result, reweigh.Decision, error) {
	if s.perNode > 0 {
		n1, n2 := in.Size()
		o.MaxSteps = min(s.perNode, math.MaxInt32) * max(n1, n2)
	}
	var result qap.Result
	var decision reweigh.Decision
	var err error
	if s.learned != nil {
		result, decision, err = s.learned.solve(ctx, in, o, s.solveGiven)
	} else {
		result, err = s.solveGiven(ctx, in, o)
	}
	if err == nil && o.Goal.Inliers > 0 && s.network == nil && !keepsGoals(s.method) {
		result = in.Reduced(result, o.Goal.Inliers)
	}
	return result, decision, err
}

// solveGiven searches an instance as it is and improves the result.
func (s *searcher) solveGiven(ctx context.Context, in *qap.Instance, o infer.Options) (qap.Result, error) {
	if s.refine == refineNone {
		return s.search(ctx, in, o)
	}
	start, whole := time.Now(), o.TimeLimit
	o.TimeLimit /= 2
	result, err := s.search(ctx, in, o)
	if err != nil || slices.Contains([]qap.Status{qap.Optimal, qap.Target, qap.Cancelled}, result.Status) {
		return result, err
	}
	limits := qap.Limits{Target: o.Target, HasTarget: o.HasTarget}
	if whole > 0 {
		limits.TimeLimit = max(whole-time.Since(start), 1)
	}
	refined, err := refine.Refine(ctx, in, result.Matching, s.refine, qap.Options{Limits: limits, Seed: o.Seed})
	if err != nil {
		return qap.Result{}, err
	}
	result.Matching, result.Score, result.Objective = refined.Matching, refined.Score, refined.Objective
	result.Steps, result.Status = result.Steps+refined.Steps, refined.Status
	return result, nil
}

// search searches an instance.
func (s *searcher) search(ctx context.Context, in *qap.Instance, o infer.Options) (qap.Result, error) {
	switch {
	case s.network != nil:
		return infer.Solve(ctx, s.networkFor(in).q, in, o)
	case policies[s.method] != nil:
		return infer.SolveWith(ctx, policies[s.method], in, o)
	}
	solver := s.solver
	if s.method == methodProfile {
		solver = profile.Solver{Goal: o.Goal}
	}
	limits := qap.Limits{
		MaxSteps: o.MaxSteps, Patience: o.Patience, TimeLimit: o.TimeLimit, Target: o.Target, HasTarget: o.HasTarget,
	}
	return solver.Solve(ctx, in, qap.Options{Limits: limits, Seed: o.Seed, Initial: o.Initial})
}

// releases tells whether a method matches all nodes, and meets a count of inliers by
// releasing the weakest matches.
func releases(method string) bool { return slices.Contains(classic.Methods(), method) }

// Close frees the networks.
func (s *searcher) Close() error {
	errs := []error{s.network.Close(), s.other.Close()}
	if s.learned != nil {
		errs = append(errs, s.learned.Close())
	}
	return errors.Join(errs...)
}
