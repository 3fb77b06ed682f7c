// Package drawn trains networks on instances that are drawn anew for every update: those
// that give soft matchings (ngm.Network, lcs.Network), by the cross-entropy with true
// matchings, or by the objective of their own soft matching, which needs no truth (Wang, Yan,
// Yang, TPAMI 2021, arXiv:1911.11308); and the pickers of local rewriting
// (rewriter.Network), by what they gain.
//
// Every update draws instances of its own, by the seed and its number, so a training that
// is resumed goes on bit for bit, and on any number of processors the weights are the same.
package drawn

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/lab/research/lcs"
	"github.com/rgm-go/rgm/lab/research/ngm"
	"github.com/rgm-go/rgm/lab/research/rewriter"
	"github.com/rgm-go/rgm/lab/research/soft"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
)

// Config holds the hyper-parameters.
type Config struct {
	Architecture string `mapstructure:"-" json:"-"` // one of Architectures, ngm.Name where it is empty

	Seed   uint64 `mapstructure:"seed" json:"seed"`
	Loss   string `mapstructure:"loss" json:"loss"` // LossTruth or LossObjective; of the rewriter LossScore
	Hidden int    `mapstructure:"hidden" json:"hidden"`
	Layers int    `mapstructure:"layers" json:"layers"` // of ngm; rounds of lcs; the rewriter has none

	LeastNodes      int `mapstructure:"least-nodes" json:"least_nodes"` // of the larger graph
	MostNodes       int `mapstructure:"most-nodes" json:"most_nodes"`
	ValidationPairs int `mapstructure:"validation-pairs" json:"validation_pairs"` // instances that nothing is learned from

	Batch        int     `mapstructure:"batch" json:"batch"` // instances of an update
	Updates      int     `mapstructure:"updates" json:"updates"`
	LearningRate float64 `mapstructure:"learning-rate" json:"learning_rate"` // at the start; it falls to 0 as a cosine
}

// The values of Config.Loss.
const (
	LossTruth     = "truth"     // mean −ln of the soft matching at the true matches
	LossScore     = "score"     // what rewritings add to the score: actor-critic
	LossObjective = "objective" // −(sᵀKs + Fᵀs) of the soft matching s, K over its mean degree
)

// clipNorm bounds the norm of a gradient.
const clipNorm = 5

// Default returns the configuration for an architecture.
func Default(architecture string) Config {
	c := Config{
		Architecture: architecture,
		Loss:         LossTruth, Hidden: 16, Layers: 3, LeastNodes: 6, MostNodes: 14, ValidationPairs: 200,
		Batch: 8, Updates: 3000, LearningRate: 3e-3,
	}
	if architecture == lcs.Name {
		c.Layers = 6
	}
	if architecture == rewriter.Name {
		c.Loss, c.Layers, c.Hidden, c.Updates = LossScore, 1, 24, 1000
	}
	return c
}

// architecture returns that of the network.
func (c *Config) architecture() string { return cmp.Or(c.Architecture, ngm.Name) }

// Validate returns an error that lists everything that cannot be.
func (c *Config) Validate() error {
	var errs []error
	for _, n := range []struct {
		name               string
		value, least, most int
	}{
		{"hidden", c.Hidden, 1, 1024}, {"layers", c.Layers, 1, 32},
		{"least-nodes", c.LeastNodes, 2, mostNodes}, {"most-nodes", c.MostNodes, c.LeastNodes, mostNodes},
		{"validation-pairs", c.ValidationPairs, 1, 1 << 20}, {"batch", c.Batch, 1, 1 << 12}, {"updates", c.Updates, 1, 1 << 24},
	} {
		if n.value < n.least || n.value > n.most {
			errs = append(errs, fmt.Errorf("drawn: %s %d: want %d..%d", n.name, n.value, n.least, n.most))
		}
	}
	if !(c.LearningRate > 0 && c.LearningRate < 1) {
		errs = append(errs, fmt.Errorf("drawn: learning-rate %v: want a number between 0 and 1", c.LearningRate))
	}
	if rewrites := c.architecture() == rewriter.Name; rewrites && c.Loss != LossScore {
		errs = append(errs, fmt.Errorf("drawn: loss %q: the rewriter learns from the %s", c.Loss, LossScore))
	} else if !rewrites && !slices.Contains([]string{LossTruth, LossObjective}, c.Loss) {
		errs = append(errs, fmt.Errorf("drawn: loss %q: want %s or %s", c.Loss, LossTruth, LossObjective))
	}
	if !slices.Contains(Architectures(), c.architecture()) {
		errs = append(errs, fmt.Errorf("drawn: architecture %q: want one of %v", c.Architecture, Architectures()))
	}
	return errors.Join(errs...)
}

// Architectures returns those that this package trains.
func Architectures() []string {
	return []string{ngm.Name, lcs.Name, rewriter.Name}
}

// mostNodes is the most of graphs whose matrix the network takes.
const mostNodes = 64 // √soft.MostVertices

// The random streams of Config.Seed.
const (
	streamWeights = 2

	streamTraining = iota + 30
	streamValidation
)

// example is an instance with what is to be found in it.
type example struct {
	instance *qap.Instance
	truth    qap.Matching // nil where it is not known
	rng      *rand.Rand   // goes on from the draw
}

// draw returns an instance of a stream by its number.
func (c *Config) draw(source train.PairSource, stream uint64, number int) (example, error) {
	rng := rand.New(rand.NewPCG(c.Seed, stream<<40|uint64(number)))
	in, truth, err := source.Problem(c.LeastNodes+rng.IntN(c.MostNodes-c.LeastNodes+1), rng)
	if err != nil {
		return example{}, fmt.Errorf("drawn: %w", err)
	}
	n1, n2 := in.Size()
	if n1*n2 > soft.MostVertices {
		return example{}, fmt.Errorf("drawn: %s has more than %d vertices", in.Name, soft.MostVertices)
	}
	if c.Loss == LossTruth && truth.Size() == 0 {
		return example{}, fmt.Errorf("drawn: %s: loss %s needs a known true matching", in.Name, LossTruth)
	}
	return example{in, truth, rng}, nil
}
