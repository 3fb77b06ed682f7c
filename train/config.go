// Package train learns Q-networks by double duelling deep Q-learning with
// prioritised replay in the revocable environment: the paper's Algorithm 1.
//
// Run trains a Trainer until its budget is spent. Everything random comes from
// Config.Seed, and work that is spread over processors is put together in a
// fixed order, so that a seed gives the same weights on any number of them.
package train

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
)

// Config holds every hyper-parameter. Symbols are those of the paper's Algorithm 1.
type Config struct {
	Seed  uint64        `mapstructure:"seed"`
	Model models.Config `mapstructure:"model"`

	// Instances.
	Instances  string   `mapstructure:"instances"`  // where they come from (package sources); "" is generated
	Families   []string `mapstructure:"families"`   // of generated instances; all where it is empty
	Sizes      []int    `mapstructure:"sizes"`      // nodes of a graph; one group of environments each; those of given instances where instances are given
	Pool       int      `mapstructure:"pool"`       // instances of each size, where they are generated
	Curriculum float64  `mapstructure:"curriculum"` // share of the episodes over which the sizes enter, small first; 0 plays all from the start

	// Budget.
	Episodes int `mapstructure:"episodes"` // episodes after which training ends

	// Acting.
	Environments int     `mapstructure:"environments"`   // environments of each size that act together
	StepsPerNode float64 `mapstructure:"steps_per_node"` // T_max of an episode, times n
	StepsSpread  float64 `mapstructure:"steps_spread"`   // T_max varies by up to this share
	Patience     int     `mapstructure:"patience"`       // T_es: steps without a better best that end an episode; 0 none
	Revocable    bool    `mapstructure:"revocable"`      // paper §4.2
	Autofill     bool    `mapstructure:"autofill"`       // forced last matches are part of a step
	EpsilonFrom  float64 `mapstructure:"epsilon_from"`   // exploration rate ε at the start
	EpsilonTo    float64 `mapstructure:"epsilon_to"`     // and once it has decayed
	EpsilonShare float64 `mapstructure:"epsilon_share"`  // share of the episodes over which it decays
	ExploreBest  float64 `mapstructure:"explore_best"`   // share of explorations among the 2n largest ΔV, the rest uniform
	StartGreedy  float64 `mapstructure:"start_greedy"`   // share of episodes that start at a greedy matching
	StartLocal   float64 `mapstructure:"start_local"`    // at a local optimum of swaps
	StartRandom  float64 `mapstructure:"start_random"`   // at a random matching; the rest start empty

	// Reward.
	Reward      string  `mapstructure:"reward"`       // score (the paper's J(s')−J(s)) or log-gap
	StepPenalty float64 `mapstructure:"step_penalty"` // r_p, taken off every step's reward

	// Learning.
	Gamma         float64 `mapstructure:"gamma"`           // discount γ
	NStep         int     `mapstructure:"n_step"`          // rewards before the bootstrap
	Batch         int     `mapstructure:"batch"`           // transitions of an update
	ActsPerUpdate int     `mapstructure:"acts_per_update"` // c1
	TargetEvery   int     `mapstructure:"target_every"`    // c2: updates between copies to the target network
	LearningRate  float64 `mapstructure:"learning_rate"`   // η, halved over the last half of training
	ClipNorm      float64 `mapstructure:"clip_norm"`       // largest norm of a gradient; 0 none
	AverageDecay  float64 `mapstructure:"average_decay"`   // of the moving average of the weights that is validated and kept; 0 keeps the latest
	Loss          string  `mapstructure:"loss"`            // huber or squared (the paper's)

	// Replay.
	Replay        int     `mapstructure:"replay"`         // transitions held
	Warmup        int     `mapstructure:"warmup"`         // transitions before the first update
	PriorityAlpha float64 `mapstructure:"priority_alpha"` // α; 0 samples uniformly
	PriorityBeta  float64 `mapstructure:"priority_beta"`  // β at the start, annealed to 1
	PriorityFloor float64 `mapstructure:"priority_floor"` // added to |TD| so that all can be sampled

	// Validation.
	ValidationPool  int `mapstructure:"validation_pool"`  // instances of each size, never trained on
	ValidationEvery int `mapstructure:"validation_every"` // updates between validations
	ValidationRuns  int `mapstructure:"validation_runs"`  // rollouts of each instance
}

// MaxNodes bounds the nodes of a graph.
const MaxNodes = 256

// Bounds of every number of things, so that a slip of the pen is no panic.
const (
	mostCounted = 1 << 30
	mostReplay  = 1 << 27 // transitions
)

// InstancesGenerated is the value of Config.Instances for generated ones.
const InstancesGenerated = "generated"

// The values of Config.Reward and Config.Loss.
const (
	RewardScore  = "score"
	RewardLogGap = "log-gap"
	LossHuber    = "huber"
	LossSquared  = "squared"
)

// Preset returns a named configuration: "qap" trains the shipped model of the
// same name, "smoke" a small one within a minute, "paper" the paper's network by
// its hyper-parameters, "qaplib" the network of "qap" on the smaller halves of
// QAPLIB's classes, as the paper trains.
func Preset(name string) (Config, error) {
	c, ok := presets()[name]
	if !ok {
		return Config{}, fmt.Errorf("train: unknown preset %q: want one of %v", name, Presets())
	}
	return c, nil
}

// Presets returns the names of the presets.
func Presets() []string { return slices.Sorted(maps.Keys(presets())) }

func presets() map[string]Config {
	base := Config{
		Model:     models.Config{Architecture: models.ArchitectureGain, Hidden: 16, Head: 16},
		Instances: InstancesGenerated,
		Sizes:     []int{12, 16, 20}, Pool: 150,
		Episodes:     9000,
		Environments: 24, StepsPerNode: 5, StepsSpread: 0.3,
		Revocable: true, Autofill: true,
		EpsilonFrom: 0.4, EpsilonTo: 0.04, EpsilonShare: 0.6, ExploreBest: 0.75,
		StartGreedy: 0.3, StartLocal: 0.3, StartRandom: 0.4,
		Reward: RewardLogGap,
		Gamma:  0.97, NStep: 4, Batch: 64, ActsPerUpdate: 1, TargetEvery: 100,
		LearningRate: 4e-4, ClipNorm: 5, AverageDecay: 0.999, Loss: LossHuber,
		Replay: 60000, Warmup: 4000, PriorityAlpha: 0.6, PriorityBeta: 0.4, PriorityFloor: 0.01,
		ValidationPool: 32, ValidationEvery: 1000, ValidationRuns: 4,
	}
	smoke := base
	smoke.Sizes, smoke.Pool, smoke.Episodes, smoke.Environments = []int{6, 8}, 12, 250, 8
	smoke.Replay, smoke.Warmup, smoke.ValidationPool, smoke.ValidationEvery, smoke.ValidationRuns = 4000, 500, 6, 100, 1
	paper := base
	paper.Model = models.Config{Architecture: models.ArchitecturePaper, Hidden: 128, Head: 64, Iterations: 3}
	paper.Sizes, paper.Environments = []int{12, 16}, 12
	paper.Reward, paper.StepPenalty, paper.Loss, paper.NStep = RewardScore, 0.01, LossSquared, 1
	paper.Autofill, paper.StartGreedy, paper.StartLocal, paper.StartRandom = false, 0, 0, 0
	paper.EpsilonFrom, paper.EpsilonTo, paper.ExploreBest = 1, 0.02, 0
	paper.Gamma, paper.TargetEvery, paper.LearningRate = 0.9, 40, 1e-5
	qaplib := base
	qaplib.Instances, qaplib.Sizes = "qaplib-small", nil
	qaplib.Environments, qaplib.ValidationPool = 8, 8
	return map[string]Config{"qap": base, "smoke": smoke, "paper": paper, "qaplib": qaplib}
}

// Validate returns an error that lists everything a configuration has wrong.
func (c Config) Validate() error {
	var errs []error
	require := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf("train: "+format, args...))
		}
	}
	share := func(name string, v float64) { require(v >= 0 && v <= 1, "%s is %v: want 0..1", name, v) }
	positive := func(name string, v int) {
		require(v > 0 && v <= mostCounted, "%s is %d: want 1 or more, at most %d", name, v, mostCounted)
	}

	require(len(c.Sizes) > 0 || !c.generates(), "sizes is empty: want one size or more")
	for _, n := range c.Sizes {
		require(n >= 2 && n <= MaxNodes, "size %d: want 2..%d nodes", n, MaxNodes)
	}
	for name, v := range map[string]int{
		"pool": c.Pool, "episodes": c.Episodes, "environments": c.Environments, "n_step": c.NStep, "batch": c.Batch,
		"acts_per_update": c.ActsPerUpdate, "target_every": c.TargetEvery, "replay": c.Replay,
		"validation_pool": c.ValidationPool, "validation_every": c.ValidationEvery, "validation_runs": c.ValidationRuns,
	} {
		positive(name, v)
	}
	for name, v := range map[string]float64{
		"steps_spread": c.StepsSpread, "epsilon_from": c.EpsilonFrom, "epsilon_to": c.EpsilonTo,
		"epsilon_share": c.EpsilonShare, "explore_best": c.ExploreBest, "gamma": c.Gamma,
		"start_greedy": c.StartGreedy, "start_local": c.StartLocal, "start_random": c.StartRandom,
		"curriculum": c.Curriculum, "priority_alpha": c.PriorityAlpha, "priority_beta": c.PriorityBeta, "average_decay": c.AverageDecay,
	} {
		share(name, v)
	}
	require(c.Curriculum == 0 || slices.IsSorted(c.Sizes), "curriculum needs sizes in ascending order")
	require(c.StartGreedy+c.StartLocal+c.StartRandom <= 1+1e-9, "start_greedy, start_local and start_random add up to more than 1")
	require(c.Revocable || c.StartGreedy+c.StartLocal+c.StartRandom == 0, "start_greedy, start_local and start_random need revocable = true: a complete matching leaves nothing to choose")
	require(c.StepsPerNode > 0 && c.StepsPerNode <= 1000, "steps_per_node is %v: want more than 0, at most 1000", c.StepsPerNode)
	require(c.LearningRate > 0, "learning_rate is %v: want more than 0", c.LearningRate)
	require(c.ClipNorm >= 0, "clip_norm is %v: want 0 or more", c.ClipNorm)
	require(c.Patience >= 0, "patience is %d: want 0 or more", c.Patience)
	require(c.PriorityFloor > 0, "priority_floor is %v: want more than 0", c.PriorityFloor)
	require(c.Warmup >= c.Batch && c.Warmup <= c.Replay, "warmup is %d: want from batch (%d) to replay (%d)", c.Warmup, c.Batch, c.Replay)
	require(c.Replay <= mostReplay, "replay is %d: want at most %d", c.Replay, mostReplay)
	require(c.Reward == RewardScore || c.Reward == RewardLogGap, "reward %q: want %s or %s", c.Reward, RewardScore, RewardLogGap)
	require(c.Loss == LossHuber || c.Loss == LossSquared, "loss %q: want %s or %s", c.Loss, LossHuber, LossSquared)
	slices.SortFunc(errs, func(x, y error) int { return cmp.Compare(x.Error(), y.Error()) })
	return errors.Join(errs...)
}

// generates tells whether instances are generated.
func (c *Config) generates() bool { return c.Instances == "" || c.Instances == InstancesGenerated }

// admitted returns how many of the groups, the first ones, play after a share of
// the budget.
func (c *Config) admitted(groups int, progress float64) int {
	if progress >= c.Curriculum {
		return groups
	}
	return 1 + int(progress/c.Curriculum*float64(groups-1))
}

// rules returns the rules of the environments.
func (c *Config) rules() qap.EnvironmentOptions {
	return qap.EnvironmentOptions{Irrevocable: !c.Revocable, Autofill: c.Autofill}
}

// epsilon returns the exploration rate after a share of the budget.
func (c *Config) epsilon(progress float64) float64 {
	if progress >= c.EpsilonShare {
		return c.EpsilonTo
	}
	return c.EpsilonFrom + (c.EpsilonTo-c.EpsilonFrom)*progress/c.EpsilonShare
}

// beta returns the exponent of the importance weights after a share of the budget.
func (c *Config) beta(progress float64) float64 {
	return c.PriorityBeta + (1-c.PriorityBeta)*min(progress, 1)
}

// rate returns the learning rate after a share of the budget: constant over the
// first half, then falling in a straight line to half of it.
func (c *Config) rate(progress float64) float64 {
	return c.LearningRate * (1 - 0.5*max(0, min(2*progress-1, 1)))
}
