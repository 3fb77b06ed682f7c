// Package selector trains the network that chooses among searches (package auto).
//
// A Trainer first records, for many instances, generated or a user's own, what each
// component of the search brings by itself (auto.Trace). What a chooser would have found follows from
// these recordings, so the network then learns from any number of searches at no cost:
// in states that choosers lead to, it learns how much less each component is expected to
// leave at the end of the time than the unlearned rule.
package selector

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/rgm-go/rgm/datasets"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/auto"
)

// Config holds the hyper-parameters.
type Config struct {
	Seed  uint64 `mapstructure:"seed" json:"seed"`
	Width int    `mapstructure:"width" json:"width"` // of the hidden layers

	From  string `mapstructure:"from" json:"from"`   // model whose weights are the first, a file or a pretrained one; Width is then its own; empty: random ones
	Files string `mapstructure:"files" json:"files"` // what is recorded in place of generated instances: a folder, a pattern or a file (see train/sources)

	HeldOut    []string `mapstructure:"held-out" json:"held_out"`       // families of which nothing is learned
	Instances  int      `mapstructure:"instances" json:"instances"`     // recordings to learn from: of generated instances, or of those of Files in turn
	Validation int      `mapstructure:"validation" json:"validation"`   // of others, to measure it on
	LeastNodes int      `mapstructure:"least-nodes" json:"least_nodes"` // of an instance
	MostNodes  int      `mapstructure:"most-nodes" json:"most_nodes"`

	LeastTime time.Duration `mapstructure:"least-time" json:"least_time"` // that every component gets, as auto.SwapsIn counts
	MostTime  time.Duration `mapstructure:"most-time" json:"most_time"`

	Rounds       int     `mapstructure:"rounds" json:"rounds"`               // of searches to learn from, with the network as it then is
	Searches     int     `mapstructure:"searches" json:"searches"`           // of a round
	Updates      int     `mapstructure:"updates" json:"updates"`             // of a round, with 128 states each
	LearningRate float64 `mapstructure:"learning-rate" json:"learning_rate"` // at the start; it falls to 0 as a cosine
	Decay        float64 `mapstructure:"decay" json:"decay"`                 // of the weights, times the learning rate
}

// Default returns the configuration of the pretrained model.
func Default() Config {
	return Config{
		Width: 16, HeldOut: []string{"backboard", "mapping"},
		Instances: 286, Validation: 22, LeastNodes: 15, MostNodes: 130,
		LeastTime: 20 * time.Millisecond, MostTime: 300 * time.Millisecond,
		Rounds: 4, Searches: 2000, Updates: 300, LearningRate: 3e-3, Decay: 1,
	}
}

// Validate returns an error that lists everything that cannot be.
func (c *Config) Validate() error {
	var errs []error
	for _, n := range []struct {
		name         string
		value, least int
	}{
		{"width", c.Width, 1}, {"instances", c.Instances, 1}, {"validation", c.Validation, 1},
		{"least-nodes", c.LeastNodes, 2}, {"most-nodes", c.MostNodes, c.LeastNodes},
		{"rounds", c.Rounds, 1}, {"searches", c.Searches, 1}, {"updates", c.Updates, 1},
	} {
		if n.value < n.least {
			errs = append(errs, fmt.Errorf("selector: %s %d: want %d or more", n.name, n.value, n.least))
		}
	}
	if c.LeastTime < leastTime || c.MostTime < c.LeastTime {
		errs = append(errs, fmt.Errorf("selector: least-time %v, most-time %v: want %v or more, the least first", c.LeastTime, c.MostTime, leastTime))
	}
	if !(c.LearningRate > 0 && c.LearningRate < 1) || !(c.Decay >= 0 && c.Decay < 100) {
		errs = append(errs, fmt.Errorf("selector: learning-rate %v, decay %v: want a rate in 0..1, a decay in 0..100", c.LearningRate, c.Decay))
	}
	for _, name := range c.HeldOut {
		if !slices.Contains(datasets.Families(), name) {
			errs = append(errs, fmt.Errorf("selector: held-out %s: want one of %v", name, datasets.Families()))
		}
	}
	if len(errs) == 0 && len(c.families()) == 0 {
		errs = append(errs, errors.New("selector: held-out leaves no family to learn from"))
	}
	return errors.Join(errs...)
}

// families returns those that are learned from.
func (c *Config) families() []string {
	return slices.DeleteFunc(datasets.Families(), func(name string) bool { return slices.Contains(c.HeldOut, name) })
}

// leastTime is the shortest search that is learned from.
const leastTime = 10 * time.Millisecond

// Recorded is what was recorded of an instance.
type Recorded struct {
	*auto.Trace
	Time time.Duration // that every component got
}

// The random streams of Config.Seed.
const (
	streamWeights = iota + 1
	streamInstances
	streamRounds
	streamUpdates
)

// record makes the k-th recording. Those to learn from come first.
func (c *Config) record(ctx context.Context, files *files, k int) (Recorded, error) {
	rng := rand.New(rand.NewPCG(c.Seed, streamInstances<<32|uint64(k)))
	families := c.families()
	n := int(math.Round(logUniform(float64(c.LeastNodes), float64(c.MostNodes), rng)))
	d := time.Duration(logUniform(float64(c.LeastTime), float64(c.MostTime), rng))
	var in *qap.Instance
	if files != nil {
		in = files.instance(c, k)
	} else {
		var err error
		if in, err = datasets.Generate(families[k%len(families)], n, rng); err != nil {
			return Recorded{}, err
		}
	}
	t, err := auto.Record(ctx, in, d, qap.Options{Seed: rng.Uint64()})
	if err != nil {
		return Recorded{}, fmt.Errorf("selector: %s: %w", in.Name, err)
	}
	return Recorded{t, d}, nil
}

func logUniform(from, to float64, rng *rand.Rand) float64 {
	return from * math.Pow(to/from, rng.Float64())
}

// LogGap is the measure of what a search leaves: the logarithm to base 10 of its gap in
// percent, LeastGap added, to a cost that is known to be possible.
func LogGap(f *auto.Features, cost, best float64) float64 {
	whole := math.Abs(best)
	if whole == 0 {
		whole = f.RandomCost - best
	}
	if cost <= best || !(whole > 0) {
		return math.Log10(LeastGap)
	}
	return math.Log10(LeastGap + 100*(cost-best)/whole)
}

// LeastGap is what is added to a gap in percent before its logarithm is taken.
const LeastGap = 0.01
