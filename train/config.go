// Package train learns networks in the revocable environment: by double duelling
// deep Q-learning with prioritised replay, the paper's Algorithm 1, by advantage
// actor-critic and proximal policy optimisation, or by an evolution strategy.
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
	"math"
	"slices"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
)

// Config holds every hyper-parameter. Symbols are those of the paper's Algorithm 1.
type Config struct {
	Seed  uint64        `mapstructure:"seed"`
	Model models.Config `mapstructure:"model"`

	// Algorithm.
	Learner string `mapstructure:"learner"` // dqn (the paper's), es, a2c or ppo
	Dueling bool   `mapstructure:"dueling"` // Q is put together from a state value and advantages
	Init    string `mapstructure:"init"`    // model, checkpoint or pretrained model whose weights are the first; empty: random ones

	// Instances.
	Instances  string   `mapstructure:"instances"`  // where they come from (package sources); "" is generated
	Families   []string `mapstructure:"families"`   // of generated instances; all where it is empty
	Sizes      []int    `mapstructure:"sizes"`      // nodes of the larger graph; one group of environments each; those of given instances where instances are given
	Reweighed  float64  `mapstructure:"reweighed"`  // share of the pairs of graphs whose affinities the pretrained network re-weighs (package reweigh)
	Pool       int      `mapstructure:"pool"`       // instances of each size, where they are generated
	Curriculum float64  `mapstructure:"curriculum"` // share of the episodes over which the sizes enter, small first; 0 plays all from the start
	Goal       string   `mapstructure:"goal"`       // sought where solutions need not be complete: any, complete, inliers or mixed
	Regularize string   `mapstructure:"regularize"` // weighs matchings of any size: none, f1, f2, f3, mean, mean:p or mixed

	// Budget.
	Episodes int `mapstructure:"episodes"` // episodes after which training ends

	// Acting.
	Environments int     `mapstructure:"environments"`   // environments of each size that act together
	StepsPerNode float64 `mapstructure:"steps_per_node"` // T_max of an episode, times n
	StepsSpread  float64 `mapstructure:"steps_spread"`   // T_max varies by up to this share
	Patience     int     `mapstructure:"patience"`       // T_es: steps without a better best that end an episode; 0 none
	Revocable    bool    `mapstructure:"revocable"`      // paper §4.2
	Autofill     bool    `mapstructure:"autofill"`       // forced last matches are part of a step
	Release      bool    `mapstructure:"release"`        // releasing a match is an action, where solutions need not be complete
	EpsilonFrom  float64 `mapstructure:"epsilon_from"`   // exploration rate ε at the start
	EpsilonTo    float64 `mapstructure:"epsilon_to"`     // and once it has decayed
	EpsilonShare float64 `mapstructure:"epsilon_share"`  // share of the episodes over which it decays
	ExploreBest  float64 `mapstructure:"explore_best"`   // share of explorations among the 2n largest ΔV, the rest uniform
	StartGreedy  float64 `mapstructure:"start_greedy"`   // share of episodes that start at a greedy matching
	StartLocal   float64 `mapstructure:"start_local"`    // at a local optimum of swaps
	StartRandom  float64 `mapstructure:"start_random"`   // at a random matching; the rest start empty

	Demonstrators float64 `mapstructure:"demonstrators"` // share of the environments in which a tabu search acts (dqn)

	// Reward.
	Reward      string  `mapstructure:"reward"`       // score (the paper's J(s')−J(s)), potential (V(s')−V(s)), log-gap, or f1 of the best solution, where the truth is known
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
	Double        bool    `mapstructure:"double"`          // the network chooses the next action that the target network judges

	// Replay.
	Replay        int     `mapstructure:"replay"`         // transitions held
	Warmup        int     `mapstructure:"warmup"`         // transitions before the first update
	PriorityAlpha float64 `mapstructure:"priority_alpha"` // α; 0 samples uniformly
	PriorityBeta  float64 `mapstructure:"priority_beta"`  // β at the start, annealed to 1
	PriorityFloor float64 `mapstructure:"priority_floor"` // added to |TD| so that all can be sampled

	// Policy gradient (a2c, ppo): the policy is softmax(Q/temperature) over the
	// allowed actions, the critic the mean of Q over the vertices.
	Segment     int     `mapstructure:"segment"`      // steps of each environment between updates
	Temperature float64 `mapstructure:"temperature"`  // of the softmax
	GAELambda   float64 `mapstructure:"gae_lambda"`   // λ of the generalised advantage estimate
	ValueWeight float64 `mapstructure:"value_weight"` // of the critic's loss
	Entropy     float64 `mapstructure:"entropy"`      // weight of the policy's entropy, which is raised
	ClipRatio   float64 `mapstructure:"clip_ratio"`   // ppo: by how much a probability may change to advantage
	Epochs      int     `mapstructure:"epochs"`       // ppo: times that a segment is learned from

	// Evolution strategy (es).
	ESWeights   string  `mapstructure:"es_weights"`   // which are searched: all or skip (the linear part of gain)
	ESPairs     int     `mapstructure:"es_pairs"`     // antithetic pairs of a generation
	ESInstances int     `mapstructure:"es_instances"` // instances that a generation is judged by
	ESSigma     float64 `mapstructure:"es_sigma"`     // deviation of the weights tried

	// Imitation.
	Guide       string  `mapstructure:"guide"`        // none, tabu (what tabu search finds), or a .npy file of soft matchings, one an instance
	GuideShare  float64 `mapstructure:"guide_share"`  // share of the training at the start that learns from the guide alone
	GuideWeight float64 `mapstructure:"guide_weight"` // of the cross-entropy with the guide afterwards

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
	mostSegment = 1 << 16 // steps; pairs; environments of a size
	mostSamples = 1 << 24 // of a segment, of all environments
)

// Values of Config.Instances; package sources knows more.
const (
	InstancesGenerated = "generated" // assignment problems in the manner of QAPLIB's
	InstancesMatching  = "matching"  // pairs of graphs with outliers
)

// The values of Config.Learner, Config.Reward, Config.Loss, Config.ESWeights and
// Config.Guide; another guide names a file.
const (
	LearnerDQN = "dqn"
	LearnerES  = "es"
	LearnerA2C = "a2c"
	LearnerPPO = "ppo"

	RewardScore     = "score"
	RewardPotential = "potential"
	RewardLogGap    = "log-gap"
	RewardF1        = "f1"

	LossHuber   = "huber"
	LossSquared = "squared"

	ESWeightsAll  = "all"
	ESWeightsSkip = "skip"

	GuideNone = "none"
	GuideTabu = "tabu"
)

// Learners returns the values of Config.Learner.
func Learners() []string { return []string{LearnerDQN, LearnerES, LearnerA2C, LearnerPPO} }

// Preset returns a named configuration: "qap" and "matching" train the shipped
// models of these names, "smoke" a small one within a minute, "paper" the paper's
// network by its hyper-parameters, "paper-matching" the same on the instances of
// "matching", "qaplib" the network of "qap" on the smaller halves of QAPLIB's classes,
// as the paper trains; "es", "a2c" and "ppo" train a network as that of "qap" by these
// learners.
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
		Goal: GoalAny, Regularize: qap.Regularizer{}.String(),
		Episodes:     9000,
		Environments: 24, StepsPerNode: 5, StepsSpread: 0.3,
		Revocable: true, Autofill: true, Release: true,
		EpsilonFrom: 0.4, EpsilonTo: 0.04, EpsilonShare: 0.6, ExploreBest: 0.75,
		StartGreedy: 0.3, StartLocal: 0.3, StartRandom: 0.4,
		Learner: LearnerDQN, Double: true, Dueling: true,
		Reward: RewardLogGap,
		Gamma:  0.97, NStep: 4, Batch: 64, ActsPerUpdate: 1, TargetEvery: 100,
		LearningRate: 4e-4, ClipNorm: 5, AverageDecay: 0.999, Loss: LossHuber,
		Replay: 60000, Warmup: 4000, PriorityAlpha: 0.6, PriorityBeta: 0.4, PriorityFloor: 0.01,
		Segment: 16, Temperature: 0.02, GAELambda: 0.95, ValueWeight: 0.5, Entropy: 0.003, ClipRatio: 0.2, Epochs: 3,
		ESWeights: ESWeightsAll, ESPairs: 12, ESInstances: 24, ESSigma: 0.03,
		Guide: GuideNone, GuideShare: 0.1,
		ValidationPool: 32, ValidationEvery: 1000, ValidationRuns: 4,
	}
	smoke := base
	smoke.Sizes, smoke.Pool, smoke.Episodes, smoke.Environments = []int{6, 8}, 12, 250, 8
	smoke.Replay, smoke.Warmup, smoke.ValidationPool, smoke.ValidationEvery, smoke.ValidationRuns = 4000, 500, 6, 100, 1
	paper := base
	paper.Model = models.Config{Architecture: models.ArchitecturePaper, Hidden: 128, Head: 64, Iterations: 3}
	paper.Sizes, paper.Environments = []int{12, 16}, 12
	paper.Reward, paper.StepPenalty, paper.Loss, paper.NStep = RewardScore, 0.01, LossSquared, 1
	paper.Release = false
	paper.Autofill, paper.StartGreedy, paper.StartLocal, paper.StartRandom = false, 0, 0, 0
	paper.EpsilonFrom, paper.EpsilonTo, paper.ExploreBest = 1, 0.02, 0
	paper.Gamma, paper.TargetEvery, paper.LearningRate = 0.9, 40, 1e-5
	qaplib := base
	qaplib.Instances, qaplib.Sizes = "qaplib-small", nil
	qaplib.Environments, qaplib.ValidationPool = 8, 8
	es, a2c, ppo := base, base, base
	es.Learner, es.ESWeights, es.LearningRate, es.AverageDecay = LearnerES, ESWeightsSkip, 0.01, 0.9
	es.Episodes, es.ValidationEvery = 300*2*es.ESPairs*es.ESInstances, 10
	a2c.Learner, a2c.ValidationEvery = LearnerA2C, 20
	ppo.Learner, ppo.ValidationEvery = LearnerPPO, 500
	pairs := matching(base)
	pairs.LearningRate = 3e-4
	return map[string]Config{
		"qap": base, "smoke": smoke, "paper": paper, "matching": pairs, "paper-matching": matching(paper),
		"qaplib": qaplib, "es": es, "a2c": a2c, "ppo": ppo,
	}
}

// matching returns the configuration that trains on pairs of graphs of all sizes,
// for every goal, half of them with learned affinities.
func matching(c Config) Config {
	c.Instances, c.Goal, c.Regularize, c.Reweighed = InstancesMatching, GoalMixed, RegularizeMixed, 0.5
	c.Sizes = []int{6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}
	c.Pool, c.Environments, c.Episodes = 40, 12, 2000
	c.ValidationPool, c.ValidationRuns = 16, 2
	return c
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
	oneOf := func(name, v string, values ...string) {
		require(slices.Contains(values, v), "%s %q: want one of %v", name, v, values)
	}
	positive := func(name string, v int) {
		require(v > 0 && v <= mostCounted, "%s is %d: want 1 or more, at most %d", name, v, mostCounted)
	}

	require(c.Goal == "" || slices.Contains(goals(), c.Goal), "goal %q: want one of %v", c.Goal, goals())
	if c.Regularize != RegularizeMixed {
		_, err := parseRegularizer(c.Regularize)
		require(err == nil, "regularize: %w, or %s", err, RegularizeMixed)
	}
	require(len(c.Sizes) > 0 || !c.generates(), "sizes is empty: want one size or more")
	for _, n := range c.Sizes {
		require(n >= 2 && n <= MaxNodes, "size %d: want 2..%d nodes", n, MaxNodes)
	}
	for name, v := range map[string]int{
		"pool": c.Pool, "episodes": c.Episodes, "environments": c.Environments, "n_step": c.NStep, "batch": c.Batch,
		"acts_per_update": c.ActsPerUpdate, "target_every": c.TargetEvery, "replay": c.Replay,
		"segment": c.Segment, "epochs": c.Epochs, "es_pairs": c.ESPairs, "es_instances": c.ESInstances,
		"validation_pool": c.ValidationPool, "validation_every": c.ValidationEvery, "validation_runs": c.ValidationRuns,
	} {
		positive(name, v)
	}
	for name, v := range map[string]float64{
		"steps_spread": c.StepsSpread, "epsilon_from": c.EpsilonFrom, "epsilon_to": c.EpsilonTo,
		"epsilon_share": c.EpsilonShare, "explore_best": c.ExploreBest, "gamma": c.Gamma,
		"start_greedy": c.StartGreedy, "start_local": c.StartLocal, "start_random": c.StartRandom,
		"curriculum": c.Curriculum, "priority_alpha": c.PriorityAlpha, "priority_beta": c.PriorityBeta, "average_decay": c.AverageDecay,
		"demonstrators": c.Demonstrators, "reweighed": c.Reweighed, "gae_lambda": c.GAELambda, "guide_share": c.GuideShare,
	} {
		share(name, v)
	}
	require(c.Curriculum == 0 || slices.IsSorted(c.Sizes), "curriculum needs sizes in ascending order")
	require(c.StartGreedy+c.StartLocal+c.StartRandom <= 1+1e-9, "start_greedy, start_local and start_random add up to more than 1")
	require(c.Revocable || c.StartGreedy+c.StartLocal+c.StartRandom == 0, "start_greedy, start_local and start_random need revocable = true: a complete matching leaves nothing to choose")
	require(c.StepsPerNode > 0 && c.StepsPerNode <= 1000, "steps_per_node is %v: want more than 0, at most 1000", c.StepsPerNode)
	require(c.Patience >= 0, "patience is %d: want 0 or more", c.Patience)
	require(c.Warmup >= c.Batch && c.Warmup <= c.Replay, "warmup is %d: want from batch (%d) to replay (%d)", c.Warmup, c.Batch, c.Replay)
	require(c.Replay <= mostReplay, "replay is %d: want at most %d", c.Replay, mostReplay)
	oneOf("reward", c.Reward, RewardScore, RewardPotential, RewardLogGap, RewardF1)
	oneOf("loss", c.Loss, LossHuber, LossSquared)
	oneOf("learner", c.Learner, Learners()...)
	oneOf("es_weights", c.ESWeights, ESWeightsAll, ESWeightsSkip)
	for name, v := range map[string]float64{
		"clip_norm": c.ClipNorm, "step_penalty": c.StepPenalty,
		"value_weight": c.ValueWeight, "entropy": c.Entropy, "guide_weight": c.GuideWeight,
	} {
		require(v >= 0 && v <= math.MaxFloat64, "%s is %v: want a finite number of 0 or more", name, v)
	}
	for name, v := range map[string]float64{
		"learning_rate": c.LearningRate, "priority_floor": c.PriorityFloor,
		"temperature": c.Temperature, "clip_ratio": c.ClipRatio, "es_sigma": c.ESSigma,
	} {
		require(v > 0 && v <= math.MaxFloat64, "%s is %v: want a finite number above 0", name, v)
	}
	for name, v := range map[string]int{"segment": c.Segment, "es_pairs": c.ESPairs, "environments": c.Environments} {
		require(v <= mostSegment, "%s is %d: want at most %d", name, v, mostSegment)
	}
	if gradient := c.Learner == LearnerA2C || c.Learner == LearnerPPO; gradient {
		samples := len(c.Sizes) * c.Environments * c.Segment
		require(samples <= mostSamples, "sizes, environments and segment give %d samples: want at most %d", samples, mostSamples)
	}
	c.checkLearner(require)
	require(c.Reward != RewardF1 || c.Instances == InstancesMatching, "reward %s needs instances = %q: others have no known truth", RewardF1, InstancesMatching)
	require(c.Reweighed == 0 || c.Instances == InstancesMatching, "reweighed is %v: only instances = %q are re-weighed", c.Reweighed, InstancesMatching)
	slices.SortFunc(errs, func(x, y error) int { return cmp.Compare(x.Error(), y.Error()) })
	return errors.Join(errs...)
}

// generates tells whether instances are generated.
func (c *Config) generates() bool {
	return slices.Contains([]string{"", InstancesGenerated, InstancesMatching}, c.Instances)
}

// admitted returns how many of the groups, the first ones, play after a share of
// the budget.
func (c *Config) admitted(groups int, progress float64) int {
	if progress >= c.Curriculum {
		return groups
	}
	return 1 + int(progress/c.Curriculum*float64(groups-1))
}

// checkLearner refuses settings that do not go with the learner.
func (c *Config) checkLearner(require func(ok bool, format string, args ...any)) {
	gradient := c.Learner == LearnerA2C || c.Learner == LearnerPPO
	guided := c.Guide != GuideNone
	require(c.Dueling || !gradient, "learner %s needs dueling = true: the state value is its critic", c.Learner)
	require(c.Curriculum == 0 || c.Learner == LearnerDQN, "curriculum is %v: only the learner %s has one", c.Curriculum, LearnerDQN)
	require(c.Demonstrators == 0 || c.Learner == LearnerDQN, "demonstrators is %v: the learner %s learns from its own actions only", c.Demonstrators, c.Learner)
	require(c.Learner != LearnerES || c.ESWeights != ESWeightsSkip || c.Model.Architecture == models.ArchitectureGain,
		"es_weights %q: only the architecture %s has them", c.ESWeights, models.ArchitectureGain)
	require(c.Guide != "", "guide is empty: want %s, %s or a file", GuideNone, GuideTabu)
	require(!guided || c.Learner != LearnerES, "guide %q: the learner %s cannot imitate", c.Guide, c.Learner)
	require(!guided || c.GuideShare > 0 || c.GuideWeight > 0, "guide %q counts for nothing: guide_share and guide_weight are 0", c.Guide)
}

// GuideFile tells whether Guide names a file.
func (c *Config) GuideFile() bool {
	return c.Guide != "" && c.Guide != GuideNone && c.Guide != GuideTabu
}

// model returns the network to make.
func (c *Config) model() models.Config {
	m := c.Model
	m.SingleStream = !c.Dueling
	return m
}

// rules returns the rules of the environments of a goal.
func (c *Config) rules(goal qap.Goal) qap.EnvironmentOptions {
	return qap.EnvironmentOptions{Irrevocable: !c.Revocable, Autofill: c.Autofill, Release: c.Release, Goal: goal}
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
