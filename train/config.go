// Package train learns networks in the revocable environment: by double duelling
// deep Q-learning with prioritised replay, the paper's Algorithm 1, or by an evolution strategy;
// policy gradients are learners of package lab/research/learners.
//
// Run trains a Trainer until its budget is spent. Everything random comes from
// Config.Seed, and work that is spread over processors is put together in a
// fixed order, so that a seed gives the same weights on any number of them.
package train

import (
	"slices"
	"strings"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// Config holds the hyper-parameters: what every learner has, in sections, and what is the
// learner's own. Symbols are those of the paper's Algorithm 1; tags say what Validate wants (see Faults.Fields).
type Config struct {
	Seed    uint64        `mapstructure:"seed"`
	Model   models.Config `mapstructure:"model"`
	Dueling bool          `mapstructure:"dueling"` // Q is put together from a state value and advantages
	Init    string        `mapstructure:"init"`    // model, checkpoint or pretrained model whose weights are the first; empty: random ones

	InstanceConfig `mapstructure:",squash"`
	ActingConfig   `mapstructure:",squash"`
	LearningConfig `mapstructure:",squash"`

	Learner string `mapstructure:"learner"` // one of Learners: dqn is the paper's
	Own     Own    `mapstructure:"-"`       // of the learner, a struct; WithLearner gives its defaults
}

// InstanceConfig says what is learned from, and judged by.
type InstanceConfig struct {
	Instances  string   `mapstructure:"instances"`              // where they come from (package sources); "" is generated
	Reading    Reading  `mapstructure:",squash"`                // how files of instances are read
	Families   []string `mapstructure:"families"`               // of generated instances; all where it is empty
	Sizes      []int    `mapstructure:"sizes"`                  // nodes of the larger graph; one group of environments each; those of given instances where instances are given
	Reweighed  float64  `mapstructure:"reweighed" want:"share"` // share of the pairs of graphs whose affinities the pretrained network re-weighs (package reweigh)
	Pool       int      `mapstructure:"pool" want:"1.."`        // instances of each size, where they are generated
	Goal       string   `mapstructure:"goal"`                   // sought where solutions need not be complete: any, complete, inliers or mixed
	Regularize string   `mapstructure:"regularize"`             // weighs matchings of any size: none, f1, f2, f3, mean, mean:p or mixed

	// RegularizerForm is the form of K_reg that networks like the paper's see in place of K
	// where the goal regularises (Algorithm 1): none (K itself), literal, corrected or exact.
	RegularizerForm string `mapstructure:"regularizer_form" want:"|none|literal|corrected|exact"`

	ValidationPool  int `mapstructure:"validation_pool" want:"1.."`  // instances of each size, never trained on
	ValidationEvery int `mapstructure:"validation_every" want:"1.."` // updates between validations
	ValidationRuns  int `mapstructure:"validation_runs" want:"1.."`  // rollouts of each instance
}

// ActingConfig says how episodes are played, and what they are rewarded by.
type ActingConfig struct {
	Episodes     int     `mapstructure:"episodes" want:"1.."`          // after which training ends
	Environments int     `mapstructure:"environments" want:"1..65536"` // environments of each size that act together
	StepsPerNode float64 `mapstructure:"steps_per_node"`               // T_max of an episode, times n
	StepsSpread  float64 `mapstructure:"steps_spread" want:"share"`    // T_max varies by up to this share
	Patience     int     `mapstructure:"patience"`                     // T_es: steps without a better best, once there is one, that end an episode; 0 none
	StopAtCount  bool    `mapstructure:"stop_at_count"`                // a count of inliers ends an episode when it is reached (paper §4.3.1); else it goes on among matchings of that size
	Revocable    bool    `mapstructure:"revocable"`                    // paper §4.2
	Autofill     bool    `mapstructure:"autofill"`                     // forced last matches are part of a step
	Release      bool    `mapstructure:"release"`                      // releasing a match is an action, where solutions need not be complete
	EpsilonFrom  float64 `mapstructure:"epsilon_from" want:"share"`    // exploration rate ε at the start
	EpsilonTo    float64 `mapstructure:"epsilon_to" want:"share"`      // and once it has decayed
	EpsilonShare float64 `mapstructure:"epsilon_share" want:"share"`   // share of the episodes over which it decays
	ExploreBest  float64 `mapstructure:"explore_best" want:"share"`    // share of explorations among the 2n largest ΔV, the rest uniform
	StartGreedy  float64 `mapstructure:"start_greedy" want:"share"`    // share of episodes that start at a greedy matching
	StartLocal   float64 `mapstructure:"start_local" want:"share"`     // at a local optimum of swaps
	StartRandom  float64 `mapstructure:"start_random" want:"share"`    // at a random matching; the rest start empty

	Reward      string  `mapstructure:"reward" want:"score|potential|log-gap|f1"` // score (the paper's J(s')−J(s)), potential (V(s')−V(s)), log-gap, or f1 of the best solution, where the truth is known
	GapOffset   float64 `mapstructure:"gap_offset" want:"0 or more"`              // log-gap: spreads that keep its logarithm finite at the reference (0.25); the less, the more the last improvements count
	StepPenalty float64 `mapstructure:"step_penalty" want:"0 or more"`            // r_p, taken off every step's reward
	Gamma       float64 `mapstructure:"gamma" want:"share"`                       // discount γ
	NStep       int     `mapstructure:"n_step" want:"1.."`                        // rewards before the bootstrap
}

// LearningConfig says how weights follow from what was played, as far as learners share it.
type LearningConfig struct {
	LearningRate float64 `mapstructure:"learning_rate" want:"above 0"` // η, halved over the last half of training
	ClipNorm     float64 `mapstructure:"clip_norm" want:"0 or more"`   // largest norm of a gradient; 0 none
	AverageDecay float64 `mapstructure:"average_decay" want:"share"`   // of the moving average of the weights that is validated and kept; 0 keeps the latest
	Temperature  float64 `mapstructure:"temperature" want:"above 0"`   // of the policy softmax(Q/temperature), of policy gradients and of imitation
	Batch        int     `mapstructure:"batch" want:"1.."`             // transitions of an update
	Replay       int     `mapstructure:"replay" want:"1..134217728"`   // transitions held
	Warmup       int     `mapstructure:"warmup"`                       // transitions before the first update
	PriorityBeta float64 `mapstructure:"priority_beta" want:"share"`   // β at the start, annealed to 1

	Guide       string  `mapstructure:"guide"`                         // none, tabu (what tabu search finds), or a .npy file of soft matchings, one an instance
	GuideShare  float64 `mapstructure:"guide_share" want:"share"`      // share of the training at the start that learns from the guide alone; without one it counts for nothing
	GuideWeight float64 `mapstructure:"guide_weight" want:"0 or more"` // of the cross-entropy with the guide afterwards
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

// mostCounted bounds every number of things, so that a typo is no panic.
const mostCounted = 1 << 30

// Values of Config.Instances; others name files.
const (
	InstancesGenerated   = "generated"    // assignment problems in the manner of QAPLIB's
	InstancesMatching    = "matching"     // pairs of graphs with outliers
	InstancesSparse      = "sparse"       // pairs of sparse graphs with outliers
	InstancesQAPLIBSmall = "qaplib-small" // QAPLIB's smaller halves; of some classes behind a colon, separated by commas
)

// The values of Config.Reward and Config.Guide; another guide names a file.
const (
	RewardScore     = "score"
	RewardPotential = "potential"
	RewardLogGap    = "log-gap"
	RewardF1        = "f1"

	GuideNone = "none"
	GuideTabu = "tabu"
)

// FormNone is the value of Config.RegularizerForm of networks that see K itself; the
// others are those of qap.ParseRegularizedForm.
const FormNone = "none"

// Validate returns an error that lists everything a configuration has wrong.
func (c Config) Validate() error {
	var f Faults
	f.Fields(c)
	c.checkInstances(&f)
	c.checkActing(&f)
	c.checkLearning(&f)
	c.checkReading(&f)
	c.checkLearner(&f)
	return f.err()
}

func (c *Config) checkInstances(f *Faults) {
	f.Require(c.Goal == "" || slices.Contains(goals(), c.Goal), "goal %q: want one of %v", c.Goal, goals())
	if c.Regularize != RegularizeMixed {
		_, err := parseRegularizer(c.Regularize)
		f.Require(err == nil, "regularize: %w, or %s", err, RegularizeMixed)
	}
	f.Require(len(c.Sizes) > 0 || !c.generates(), "sizes is empty: want one size or more")
	for _, n := range c.Sizes {
		f.Require(n >= 2 && n <= MaxNodes, "size %d: want 2..%d nodes", n, MaxNodes)
	}
	f.Require(c.Reweighed == 0 || c.Instances == InstancesMatching, "reweighed is %v: only instances = %q are re-weighed", c.Reweighed, InstancesMatching)
	f.Require(c.regularizedSet() == "" || features.OfPolicy(c.regularizedSet()),
		"regularizer_form %q: networks of the architecture %s see the exact changes in place of K_reg", c.RegularizerForm, c.Model.Architecture)
}

func (c *Config) checkActing(f *Faults) {
	started := c.StartGreedy + c.StartLocal + c.StartRandom
	f.Require(started <= 1+1e-9, "start_greedy, start_local and start_random add up to more than 1")
	f.Require(c.Revocable || started == 0, "start_greedy, start_local and start_random need revocable = true: a complete matching leaves nothing to choose")
	f.Require(c.StepsPerNode > 0 && c.StepsPerNode <= 1000, "steps_per_node is %v: want more than 0, at most 1000", c.StepsPerNode)
	f.Require(c.Patience >= 0, "patience is %d: want 0 or more", c.Patience)
	known := c.Instances == InstancesMatching || c.Instances == InstancesSparse || c.readsFiles()
	f.Require(c.Reward != RewardF1 || known, "reward %s needs instances = %q, or stacks of pairs: others have no known truth", RewardF1, InstancesMatching)
}

func (c *Config) checkLearning(f *Faults) {
	f.Require(c.Warmup >= c.Batch && c.Warmup <= c.Replay, "warmup is %d: want from batch (%d) to replay (%d)", c.Warmup, c.Batch, c.Replay)
	f.Require(c.Guide != "", "guide is empty: want %s, %s or a file", GuideNone, GuideTabu)
	f.Require(c.Guide == GuideNone || c.GuideShare > 0 || c.GuideWeight > 0, "guide %q counts for nothing: guide_share and guide_weight are 0", c.Guide)
}

// generates reports whether instances are generated.
func (c *Config) generates() bool {
	return slices.Contains([]string{"", InstancesGenerated, InstancesMatching, InstancesSparse}, c.Instances)
}

// readsFiles reports whether instances are read from files.
func (c *Config) readsFiles() bool {
	kind, _, _ := strings.Cut(c.Instances, ":")
	return !c.generates() && kind != InstancesQAPLIBSmall
}

// checkReading refuses what says nothing of files, or of none.
func (c *Config) checkReading(f *Faults) {
	r := c.Reading
	f.Require(r.N1 >= 0 && r.N1 <= MaxNodes && r.N2 >= 0 && r.N2 <= MaxNodes, "n1 is %d, n2 %d: want 0 (not given) to %d", r.N1, r.N2, MaxNodes)
	f.Require(slices.Contains([]string{"", "row", "col"}, r.Order), "order %q: want row or col", r.Order)
	f.Require(slices.Contains([]string{"", "max", "min"}, r.Sense), "sense %q: want max or min", r.Sense)
	plain := r.N1 == 0 && r.N2 == 0 && r.Order != "col" && r.Sense != "min" && r.Member == ""
	f.Require(plain || c.readsFiles(), "n1, n2, order, sense and member say how files are read: leave them out, or name files in place of instances = %q", c.Instances)
}

// GuideFile reports whether Guide names a file.
func (c *Config) GuideFile() bool {
	return c.Guide != "" && c.Guide != GuideNone && c.Guide != GuideTabu
}

// model returns the network to make.
func (c *Config) model() models.Config {
	m := c.Model
	m.SingleStream = !c.Dueling
	m.Features = c.regularizedSet()
	return m
}

// regularizedSet returns the set of features by which the network sees K_reg, "" where it sees
// none.
func (c *Config) regularizedSet() string {
	if c.RegularizerForm == "" || c.RegularizerForm == FormNone {
		return ""
	}
	return c.Model.Architecture + "-" + c.RegularizerForm
}

// rules returns the rules of the environments of a goal.
func (c *Config) rules(goal qap.Goal) qap.EnvironmentOptions {
	o := qap.EnvironmentOptions{Irrevocable: !c.Revocable, Autofill: c.Autofill, Release: c.Release, StopAtInliers: c.StopAtCount, Goal: goal}
	if c.regularizedSet() != "" {
		o.Form, _ = qap.ParseRegularizedForm(c.RegularizerForm) // Validate refuses what is none
	}
	return o
}

// Epsilon returns the exploration rate after a share of the budget.
func (c *Config) Epsilon(progress float64) float64 {
	if progress >= c.EpsilonShare {
		return c.EpsilonTo
	}
	return c.EpsilonFrom + (c.EpsilonTo-c.EpsilonFrom)*progress/c.EpsilonShare
}

// Beta returns the exponent of the importance weights after a share of the budget.
func (c *Config) Beta(progress float64) float64 {
	return c.PriorityBeta + (1-c.PriorityBeta)*min(progress, 1)
}

// Rate returns the learning rate after a share of the budget: constant over the
// first half, then falling in a straight line to half of it.
func (c *Config) Rate(progress float64) float64 {
	return c.LearningRate * (1 - 0.5*max(0, min(2*progress-1, 1)))
}
