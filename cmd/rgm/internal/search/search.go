// Package search solves instances by the methods of rgm solve, with the network, the goal,
// the affinities and the refinement that the settings name.
package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/rgm-go/rgm/cmd/rgm/internal/console"
	"github.com/rgm-go/rgm/cmd/rgm/internal/networks"
	"github.com/rgm-go/rgm/cmd/rgm/internal/settings"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/auto"
	"github.com/rgm-go/rgm/qap/classic"
	"github.com/rgm-go/rgm/qap/exact"
	"github.com/rgm-go/rgm/qap/population"
	"github.com/rgm-go/rgm/qap/profile"
	"github.com/rgm-go/rgm/qap/refine"
	"github.com/rgm-go/rgm/qap/reweigh"
	"github.com/rgm-go/rgm/qap/rollout"
	"github.com/rgm-go/rgm/qap/tabu"
)

// The methods, besides those of package classic. All but MethodRGM do without a
// network.
const (
	MethodRGM        = "rgm"
	MethodGreedy     = "greedy"
	MethodGreedyTabu = "greedy-tabu"
	methodGreedyAges = "greedy-ages"
	methodTabu       = "tabu"
	methodAuto       = "auto"
	methodPopulation = "population"
	methodExact      = "exact"
	methodFAQ        = "faq"
	methodProfile    = "profile"
)

// policies are the methods that step through the revocable environment as the
// network does, without it.
var policies = map[string]rollout.Policy{
	MethodGreedy:     rollout.Greedy{},
	MethodGreedyTabu: rollout.GreedyTabu{},
	methodGreedyAges: rollout.GreedyAges{},
}

// ControlNames are the network and what it is measured against by default.
func ControlNames() []string {
	return []string{MethodRGM, MethodGreedy, MethodGreedyTabu, methodGreedyAges, methodTabu}
}

func MethodNames() []string {
	return slices.Concat(ControlNames(), []string{methodAuto, methodPopulation, methodExact, methodProfile}, classic.Methods())
}

// StepsFreely tells whether a method can also go without releasing matches.
func StepsFreely(method string) bool { return method == MethodRGM || policies[method] != nil }

// KeepsGoals tells whether a method serves inlier counts, seeds and regularisation.
func KeepsGoals(method string) bool { return method == methodProfile || StepsFreely(method) }

// The values of --polish.
const (
	PolishNone = "none"
	PolishTabu = "tabu"
)

// RefineNone is the value of --refine besides those of package refine.
const RefineNone = "none"

func Refinements() []string { return append([]string{RefineNone}, refine.Methods()...) }

const DefaultRollouts = 8

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
	Polish    string        `mapstructure:"polish"`
	Refine    string        `mapstructure:"refine"`
	Restarts  int           `mapstructure:"restarts"`
	Affinity  string        `mapstructure:"affinity"`
}

// Check returns an error that lists everything the settings have wrong.
func (s *Settings) Check() error {
	_, providerErr := networks.ParseProvider(s.Provider)
	errs := []error{
		providerErr,
		checkAffinity(s.Affinity),
		settings.OneOf("polish", s.Polish, "", PolishNone, PolishTabu),
		settings.OneOf("refine", s.Refine, Refinements()...),
		settings.AtLeast(1, "rollouts", s.Rollouts),
		settings.AtLeast(1, "beam", s.Beam),
		settings.AtLeast(1, "restarts", s.Restarts),
		settings.AtLeast(0, "max-steps", s.MaxSteps),
		settings.AtLeast(0, "steps-per-node", s.PerNode),
		settings.AtLeast(0, "patience", s.Patience),
	}
	if s.TimeLimit < 0 {
		errs = append(errs, fmt.Errorf("--time-limit %v: want 0 (none) or more", s.TimeLimit))
	}
	if s.Beam > 1 && s.Rollouts != DefaultRollouts {
		errs = append(errs, fmt.Errorf("--beam %d and --rollouts %d: want one of them; a beam is in place of rollouts", s.Beam, s.Rollouts))
	}
	if s.MaxSteps > 0 && s.PerNode > 0 {
		errs = append(errs, fmt.Errorf("--max-steps %d and --steps-per-node %d: want one of them", s.MaxSteps, s.PerNode))
	}
	if s.Polish == PolishTabu && s.TimeLimit == 0 {
		errs = append(errs, errors.New("--polish tabu needs a --time-limit, most of which it takes"))
	}
	return errors.Join(errs...)
}

// Options returns the settings as options of a search.
func (s *Settings) Options() infer.Options {
	o := infer.Options{
		Rollouts: s.Rollouts, Beam: s.Beam, MaxSteps: s.MaxSteps, Patience: s.Patience, TimeLimit: s.TimeLimit,
		NoPolish: s.Polish == PolishNone,
	}
	if o.Beam > 1 { // in place of rollouts
		o.Rollouts = 0
	}
	return o
}

// Searcher is a method ready to solve instances, and what improves its results.
// It may be shared by goroutines.
type Searcher struct {
	Method  string
	Network *networks.Network // of MethodRGM
	other   *networks.Network // the network for affinity matrices, where that is another
	solver  qap.Solver        // of a method that knows no goal
	perNode int               // steps for each node of the larger graph, in place of Options.MaxSteps if not 0
	Refine  string
	Learned *learnedAffinity // nil where instances are searched as they are given
}

// New prepares a method; it opens the network if the method has one. The
// searcher must be closed.
func New(ctx context.Context, c *console.Console, method string, s *Settings) (*Searcher, error) {
	ready := &Searcher{Method: method, perNode: s.PerNode, Refine: s.Refine}
	var err error
	switch {
	case method == MethodRGM:
		err = ready.open(ctx, c, s)
	case policies[method] != nil, method == methodProfile:
	case method == methodTabu:
		ready.solver = tabu.Solver{}
	case method == methodAuto:
		ready.solver = auto.Solver{}
	case method == methodPopulation:
		ready.solver = population.Solver{}
	case method == methodExact:
		ready.solver = exact.Solver{}
	case method == methodFAQ:
		ready.solver = classic.FAQ{Restarts: s.Restarts}
	default:
		ready.solver, err = classic.New(method)
	}
	if err == nil {
		ready.Learned, err = openAffinity(ctx, c, s.Affinity, s.Provider)
	}
	if err != nil {
		return nil, errors.Join(err, ready.Close())
	}
	return ready, nil
}

// open opens the network that the settings name, or those for all kinds of instances.
// The searcher is to be closed even where it fails.
func (s *Searcher) open(ctx context.Context, c *console.Console, settings *Settings) (err error) {
	s.Network, err = networks.Open(ctx, c, cmp.Or(settings.Model, networks.QAP), settings.Provider)
	if err == nil {
		err = s.Network.RefuseAffinity()
	}
	if err != nil || settings.Model != "" {
		return err
	}
	provider := settings.Provider
	if s.Network.Session == nil { // found out once that there is no ONNX Runtime
		provider = networks.ProviderGo
	}
	s.other, err = networks.Open(ctx, c, networks.Matching, provider)
	return err
}

// NetworkFor returns the network for an instance, nil if the method has none.
func (s *Searcher) NetworkFor(in *qap.Instance) *networks.Network {
	if _, product := in.Affinity.(*qap.KoopmansBeckmann); !product && s.other != nil {
		return s.other
	}
	return s.Network
}

// Solve searches an instance, with the affinities wanted, and improves the result. The
// decision says which they were where learned ones were wanted.
func (s *Searcher) Solve(ctx context.Context, in *qap.Instance, o infer.Options) (qap.Result, reweigh.Decision, error) {
	if s.perNode > 0 {
		n1, n2 := in.Size()
		o.MaxSteps = min(s.perNode, math.MaxInt32) * max(n1, n2)
	}
	var result qap.Result
	var decision reweigh.Decision
	var err error
	if s.Learned != nil {
		result, decision, err = s.Learned.solve(ctx, in, o, s.solveGiven)
	} else {
		result, err = s.solveGiven(ctx, in, o)
	}
	if err == nil && o.Goal.Inliers > 0 && s.Network == nil && !KeepsGoals(s.Method) {
		result = in.Reduced(result, o.Goal.Inliers)
	}
	return result, decision, err
}

// solveGiven searches an instance as it is and improves the result.
func (s *Searcher) solveGiven(ctx context.Context, in *qap.Instance, o infer.Options) (qap.Result, error) {
	if s.Refine == RefineNone {
		return s.search(ctx, in, o)
	}
	start, whole := time.Now(), o.TimeLimit
	o.TimeLimit /= 2
	result, err := s.search(ctx, in, o)
	if err != nil || result.Status.Interrupted() || result.Status == qap.Optimal || result.Status == qap.Target {
		return result, err
	}
	limits := qap.Limits{Target: o.Target, HasTarget: o.HasTarget}
	if whole > 0 {
		limits.TimeLimit = max(whole-time.Since(start), 1)
	}
	refined, err := refine.Refine(ctx, in, result.Matching, s.Refine, qap.Options{Limits: limits, Seed: o.Seed})
	if err != nil {
		return qap.Result{}, err
	}
	result.Matching, result.Score, result.Objective = refined.Matching, refined.Score, refined.Objective
	result.Steps, result.Status = result.Steps+refined.Steps, refined.Status
	return result, nil
}

// search searches an instance.
func (s *Searcher) search(ctx context.Context, in *qap.Instance, o infer.Options) (qap.Result, error) {
	switch {
	case s.Network != nil:
		return infer.Solve(ctx, s.NetworkFor(in).Q, in, o)
	case policies[s.Method] != nil:
		return infer.SolveWith(ctx, policies[s.Method], in, o)
	}
	solver := s.solver
	if s.Method == methodProfile {
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
func (s *Searcher) Close() error {
	errs := []error{s.Network.Close(), s.other.Close()}
	if s.Learned != nil {
		errs = append(errs, s.Learned.Close())
	}
	return errors.Join(errs...)
}
