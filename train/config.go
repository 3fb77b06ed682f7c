// Package train learns networks in the revocable environment: by double duelling
// deep Q-learning with prioritised replay, the paper's Algorithm 1, by policy gradients
// (advantage actor-critic, proximal and trust region policy optimisation, actor-critic
// with experience replay), or by an evolution strategy.
//
// Run trains a Trainer until its budget is spent. Everything random comes from
// Config.Seed, and work that is spread over processors is put together in a
// fixed order, so that a seed gives the same weights on any number of them.
package train

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
)

// Config holds every hyper-parameter. Symbols are those of the paper's Algorithm 1.
type Config struct {
	Seed  uint64        `mapstructure:"seed"`
	Model models.Config `mapstructure:"model"`

	// Algorithm.
	Learner string `mapstructure:"learner"` // dqn (the paper's), es, a2c, ppo, trpo or acer
	Dueling bool   `mapstructure:"dueling"` // Q is put together from a state value and advantages
	Init    string `mapstructure:"init"`    // model, checkpoint or pretrained model whose weights are the first; empty: random ones

	// Instances.
	Instances  string   `mapstructure:"instances"`  // where they come from (package sources); "" is generated
	Reading    Reading  `mapstructure:",squash"`    // how files of instances are read
	Families   []string `mapstructure:"families"`   // of generated instances; all where it is empty
	Sizes      []int    `mapstructure:"sizes"`      // nodes of the larger graph; one group of environments each; those of given instances where instances are given
	Reweighed  float64  `mapstructure:"reweighed"`  // share of the pairs of graphs whose affinities the pretrained network re-weighs (package reweigh)
	Pool       int      `mapstructure:"pool"`       // instances of each size, where they are generated
	Curriculum float64  `mapstructure:"curriculum"` // share of the episodes over which the sizes enter, small first; 0 plays all from the start
	Goal       string   `mapstructure:"goal"`       // sought where solutions need not be complete: any, complete, inliers or mixed
	Regularize string   `mapstructure:"regularize"` // weighs matchings of any size: none, f1, f2, f3, mean, mean:p or mixed

	// RegularizerForm is the form of K_reg that the paper's networks see in place of K
	// where the goal regularises (Algorithm 1): none (K itself), literal, corrected or exact.
	RegularizerForm string `mapstructure:"regularizer_form"`

	// Budget.
	Episodes int `mapstructure:"episodes"` // episodes after which training ends

	// Acting.
	Environments int     `mapstructure:"environments"`   // environments of each size that act together
	StepsPerNode float64 `mapstructure:"steps_per_node"` // T_max of an episode, times n
	StepsSpread  float64 `mapstructure:"steps_spread"`   // T_max varies by up to this share
	Patience     int     `mapstructure:"patience"`       // T_es: steps without a better best, once there is one, that end an episode; 0 none
	StopAtCount  bool    `mapstructure:"stop_at_count"`  // a count of inliers ends an episode when it is reached (paper §4.3.1); else it goes on among matchings of that size
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
	GapOffset   float64 `mapstructure:"gap_offset"`   // log-gap: spreads that keep its logarithm finite at the reference (0.25); the less, the more the last improvements count
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

	// Policy gradient (a2c, ppo, trpo, acer): the policy is softmax(Q/temperature) over the
	// allowed actions, the critic the mean of Q over the vertices; of acer it is Q.
	Segment     int     `mapstructure:"segment"`      // steps of each environment between updates
	Temperature float64 `mapstructure:"temperature"`  // of the softmax
	GAELambda   float64 `mapstructure:"gae_lambda"`   // λ of the generalised advantage estimate; acer: of Retrace
	ValueWeight float64 `mapstructure:"value_weight"` // of the critic's loss
	Entropy     float64 `mapstructure:"entropy"`      // weight of the policy's entropy, which is raised
	ClipRatio   float64 `mapstructure:"clip_ratio"`   // ppo: by how much a probability may change to advantage
	Epochs      int     `mapstructure:"epochs"`       // ppo: times that a segment is learned from; trpo: that its critic learns from one

	// Trust regions (trpo, acer), and what is theirs alone.
	KLLimit        float64 `mapstructure:"kl_limit"`        // trpo: of the mean divergence of a step; acer: of how fast a step leaves the averaged policy
	ConjugateSteps int     `mapstructure:"conjugate_steps"` // trpo: of conjugate gradients
	Damping        float64 `mapstructure:"damping"`         // trpo: added to Fisher's information
	FisherShare    float64 `mapstructure:"fisher_share"`    // trpo: share of the segment that Fisher's information is taken from
	Truncation     float64 `mapstructure:"truncation"`      // acer: c, the largest importance weight
	ReplayRatio    int     `mapstructure:"replay_ratio"`    // acer: updates from the replay for one from what was just played

	// Evolution strategy (es).
	ESWeights   string  `mapstructure:"es_weights"`   // which are searched: all or skip (the linear part of gain)
	ESPairs     int     `mapstructure:"es_pairs"`     // antithetic pairs of a generation
	ESInstances int     `mapstructure:"es_instances"` // instances that a generation is judged by
	ESSigma     float64 `mapstructure:"es_sigma"`     // deviation of the weights tried

	// Imitation.
	Guide       string  `mapstructure:"guide"`        // none, tabu (what tabu search finds), or a .npy file of soft matchings, one an instance
	GuideShare  float64 `mapstructure:"guide_share"`  // share of the training at the start that learns from the guide alone; without one it counts for nothing
	GuideWeight float64 `mapstructure:"guide_weight"` // of the cross-entropy with the guide afterwards

	// Validation.
	ValidationPool  int `mapstructure:"validation_pool"`  // instances of each size, never trained on
	ValidationEvery int `mapstructure:"validation_every"` // updates between validations
	ValidationRuns  int `mapstructure:"validation_runs"`  // rollouts of each instance
}

// Reading says what files of affinity matrices do not: the same as the options of
// rgm solve (datasets.Options). The zero value reads row-major matrices of two graphs of
// equal size, to be maximised.
type Reading struct {
	N1     int    `mapstructure:"n1"`     // nodes of graph 1; 0 is from n2, or the square root of the vertices
	N2     int    `mapstructure:"n2"`     // nodes of graph 2
	Order  string `mapstructure:"order"`  // of the vertices: row (i·n2+a) or col (a·n1+i, as pygmtools writes)
	Sense  string `mapstructure:"sense"`  // max or min
	Member string `mapstructure:"member"` // the only array of an .npz file to read
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

// Values of Config.Instances; others name files.
const (
	InstancesGenerated   = "generated"    // assignment problems in the manner of QAPLIB's
	InstancesMatching    = "matching"     // pairs of graphs with outliers
	InstancesSparse      = "sparse"       // pairs of sparse graphs with outliers
	InstancesQAPLIBSmall = "qaplib-small" // QAPLIB's smaller halves; of some classes behind a colon, separated by commas
)

// The values of Config.Learner, Config.Reward, Config.Loss, Config.ESWeights and
// Config.Guide; another guide names a file.
const (
	LearnerDQN  = "dqn"
	LearnerES   = "es"
	LearnerA2C  = "a2c"
	LearnerPPO  = "ppo"
	LearnerTRPO = "trpo"
	LearnerACER = "acer"

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

// FormNone is the value of Config.RegularizerForm of networks that see K itself; the
// others are those of qap.ParseRegularizedForm.
const FormNone = "none"

// Learners returns the values of Config.Learner.
func Learners() []string {
	return []string{LearnerDQN, LearnerES, LearnerA2C, LearnerPPO, LearnerTRPO, LearnerACER}
}

// learnsPolicy tells whether the learner is a policy gradient.
func (c *Config) learnsPolicy() bool {
	return slices.Contains([]string{LearnerA2C, LearnerPPO, LearnerTRPO, LearnerACER}, c.Learner)
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
		"clip_norm": c.ClipNorm, "step_penalty": c.StepPenalty, "gap_offset": c.GapOffset,
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
	if c.learnsPolicy() {
		samples := len(c.Sizes) * c.Environments * c.Segment
		require(samples <= mostSamples, "sizes, environments and segment give %d samples: want at most %d", samples, mostSamples)
	}
	c.checkLearner(require)
	_, paper := c.paperForm()
	oneOf("regularizer_form", c.RegularizerForm, "", FormNone, "literal", "corrected", "exact")
	require(paper || c.RegularizerForm == "" || c.RegularizerForm == FormNone,
		"regularizer_form %q: only the architectures %s see K_reg; others see the exact changes", c.RegularizerForm, strings.Join(paperArchitectures, ", "))
	require(c.Reward != RewardF1 || c.Instances == InstancesMatching || c.Instances == InstancesSparse, "reward %s needs instances = %q: others have no known truth", RewardF1, InstancesMatching)
	require(c.Reweighed == 0 || c.Instances == InstancesMatching, "reweighed is %v: only instances = %q are re-weighed", c.Reweighed, InstancesMatching)
	c.checkReading(require)
	slices.SortFunc(errs, func(x, y error) int { return cmp.Compare(x.Error(), y.Error()) })
	return errors.Join(errs...)
}

// generates tells whether instances are generated.
func (c *Config) generates() bool {
	return slices.Contains([]string{"", InstancesGenerated, InstancesMatching, InstancesSparse}, c.Instances)
}

// readsFiles tells whether instances are read from files.
func (c *Config) readsFiles() bool {
	kind, _, _ := strings.Cut(c.Instances, ":")
	return !c.generates() && kind != InstancesQAPLIBSmall
}

// checkReading refuses what says nothing of files, or of none.
func (c *Config) checkReading(require func(ok bool, format string, args ...any)) {
	r := c.Reading
	require(r.N1 >= 0 && r.N1 <= MaxNodes && r.N2 >= 0 && r.N2 <= MaxNodes, "n1 is %d, n2 %d: want 0 (not given) to %d", r.N1, r.N2, MaxNodes)
	require(slices.Contains([]string{"", "row", "col"}, r.Order), "order %q: want row or col", r.Order)
	require(slices.Contains([]string{"", "max", "min"}, r.Sense), "sense %q: want max or min", r.Sense)
	plain := r.N1 == 0 && r.N2 == 0 && r.Order != "col" && r.Sense != "min" && r.Member == ""
	require(plain || c.readsFiles(), "n1, n2, order, sense and member say how files are read: leave them out, or name files in place of instances = %q", c.Instances)
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
	c.checkTrustRegion(require)
	guided := c.Guide != GuideNone
	require(c.Dueling || !c.learnsPolicy() || c.Learner == LearnerACER, "learner %s needs dueling = true: the state value is its critic", c.Learner)
	require(c.Curriculum == 0 || c.Learner == LearnerDQN, "curriculum is %v: only the learner %s has one", c.Curriculum, LearnerDQN)
	require(c.Demonstrators == 0 || c.Learner == LearnerDQN, "demonstrators is %v: the learner %s learns from its own actions only", c.Demonstrators, c.Learner)
	require(c.Learner != LearnerES || c.ESWeights != ESWeightsSkip || c.Model.Architecture == models.ArchitectureGain,
		"es_weights %q: only the architecture %s has them", c.ESWeights, models.ArchitectureGain)
	require(c.Guide != "", "guide is empty: want %s, %s or a file", GuideNone, GuideTabu)
	require(!guided || c.Learner != LearnerES, "guide %q: the learner %s cannot imitate", c.Guide, c.Learner)
	require(!guided || c.GuideShare > 0 || c.GuideWeight > 0, "guide %q counts for nothing: guide_share and guide_weight are 0", c.Guide)
}

// checkTrustRegion refuses what trpo and acer cannot work with; others, of checkpoints made
// before these keys, may have none.
func (c *Config) checkTrustRegion(require func(ok bool, format string, args ...any)) {
	trpo, acer := c.Learner == LearnerTRPO, c.Learner == LearnerACER
	above := func(name string, v float64) {
		require(v > 0 && v <= math.MaxFloat64, "%s is %v: want a finite number above 0", name, v)
	}
	if trpo || acer {
		above("kl_limit", c.KLLimit)
	}
	if trpo {
		require(c.ConjugateSteps > 0 && c.ConjugateSteps <= 1000, "conjugate_steps is %d: want 1..1000", c.ConjugateSteps)
		require(c.Damping >= 0 && c.Damping <= math.MaxFloat64, "damping is %v: want a finite number of 0 or more", c.Damping)
		require(c.FisherShare > 0 && c.FisherShare <= 1, "fisher_share is %v: want more than 0, at most 1", c.FisherShare)
	}
	if acer {
		above("truncation", c.Truncation)
		require(c.ReplayRatio >= 0 && c.ReplayRatio <= 1000, "replay_ratio is %d: want 0..1000", c.ReplayRatio)
	}
}

// GuideFile tells whether Guide names a file.
func (c *Config) GuideFile() bool {
	return c.Guide != "" && c.Guide != GuideNone && c.Guide != GuideTabu
}

// model returns the network to make.
func (c *Config) model() models.Config {
	m := c.Model
	m.SingleStream = !c.Dueling
	m.Regularized, _ = c.paperForm()
	return m
}

// paperArchitectures are the paper's network and its variants.
var paperArchitectures = []string{models.ArchitecturePaper, models.ArchitectureWeighted, models.ArchitectureMatched}

// paperForm returns the form of K_reg that the network sees, nothing if none, and whether
// the network is one of the paper's.
func (c *Config) paperForm() (form string, paper bool) {
	paper = slices.Contains(paperArchitectures, c.Model.Architecture)
	if paper && c.RegularizerForm != FormNone {
		form = c.RegularizerForm
	}
	return form, paper
}

// rules returns the rules of the environments of a goal.
func (c *Config) rules(goal qap.Goal) qap.EnvironmentOptions {
	o := qap.EnvironmentOptions{Irrevocable: !c.Revocable, Autofill: c.Autofill, Release: c.Release, StopAtInliers: c.StopAtCount, Goal: goal}
	if form, _ := c.paperForm(); form != "" {
		o.Form, _ = qap.ParseRegularizedForm(form) // Validate refuses what is none
	}
	return o
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
