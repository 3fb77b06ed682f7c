// Package affinity trains the network that re-weighs affinities against outliers
// (package reweigh).
//
// A Trainer learns from generated pairs: φ first, the logarithm of a likelihood ratio of the affinity between
// two right matches and between two random ones; then to choose a size, by the F1 that the
// best matching of it under φ is expected to give. An OwnTrainer learns from pairs of one's own: the
// choice of a size anew, under the φ of a network that is given, then on request φ and the choice once more.
package affinity

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/rgm-go/rgm/internal/parallel"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/reweigh"
	"github.com/rgm-go/rgm/train"
)

// Config holds the hyper-parameters of a learned affinity (package reweigh).
// φ is learned first, then how good the best matching of a size under φ is.
type Config struct {
	Seed  uint64 `mapstructure:"seed" json:"seed"`
	Width int    `mapstructure:"width" json:"width"` // of the hidden layers

	LeastNodes   int `mapstructure:"least-nodes" json:"least_nodes"`     // of the larger graph of most pairs
	MostNodes    int `mapstructure:"most-nodes" json:"most_nodes"`       // of it
	LargestNodes int `mapstructure:"largest-nodes" json:"largest_nodes"` // of the others, a fifth

	Pairs           int `mapstructure:"pairs" json:"pairs"`                       // generated pairs to learn φ from
	SizePairs       int `mapstructure:"size-pairs" json:"size_pairs"`             // others, to learn the choice of a size from
	ValidationPairs int `mapstructure:"validation-pairs" json:"validation_pairs"` // others, to measure both

	Updates      int     `mapstructure:"updates" json:"updates"`             // of φ, with 2048 affinities each
	SizeUpdates  int     `mapstructure:"size-updates" json:"size_updates"`   // of the choice, with 64 pairs each
	LearningRate float64 `mapstructure:"learning-rate" json:"learning_rate"` // at the start of both; it falls to 0 as a cosine
	SizeDecay    float64 `mapstructure:"size-decay" json:"size_decay"`       // weight decay of the choice, times the learning rate
}

// Default returns the configuration of the pretrained model.
func Default() Config {
	return Config{
		Width: 48, LeastNodes: 6, MostNodes: 20, LargestNodes: 60, Pairs: 10000, SizePairs: 7000, ValidationPairs: 400,
		Updates: 5000, SizeUpdates: 4000, LearningRate: 3e-3, SizeDecay: 1,
	}
}

// Validate returns an error that lists every number that cannot be.
func (c *Config) Validate() error {
	errs := checkCounts([]countOf{
		{"width", c.Width, 1}, {"least-nodes", c.LeastNodes, reweigh.LeastSize + 1}, {"most-nodes", c.MostNodes, c.LeastNodes},
		{"largest-nodes", c.LargestNodes, c.MostNodes}, {"pairs", c.Pairs, 1}, {"size-pairs", c.SizePairs, 1}, {"validation-pairs", c.ValidationPairs, 1},
		{"updates", c.Updates, 1}, {"size-updates", c.SizeUpdates, 1},
	})
	return errors.Join(append(errs, checkRates(c.LearningRate, c.SizeDecay))...)
}

func checkRates(rate, decay float64) error {
	if !(rate > 0 && rate < 1) || !(decay >= 0 && decay < 100) {
		return fmt.Errorf("affinity: learning-rate %v, size-decay %v: want a rate in 0..1, a decay in 0..100", rate, decay)
	}
	return nil
}

// mostOf is the most that a number of a configuration can be: what is counted is held.
const mostOf = 1 << 24

// countOf is a number of a configuration, and the least that it can be.
type countOf struct {
	name         string
	value, least int
}

func checkCounts(counts []countOf) (errs []error) {
	for _, n := range counts {
		if n.value < n.least {
			errs = append(errs, fmt.Errorf("affinity: %s %d: want %d or more", n.name, n.value, n.least))
		} else if n.value > mostOf {
			errs = append(errs, fmt.Errorf("affinity: %s %d: want at most %d", n.name, n.value, mostOf))
		}
	}
	return errs
}

// Metrics is how a stage of the training goes.
type Metrics struct {
	Stage   string  `json:"stage"` // "edge" or "size"
	Update  int     `json:"update"`
	Updates int     `json:"updates"`
	Loss    float64 `json:"loss"` // of edge: mean cross-entropy; of size: one less the expected F1
}

// Validation is mean F1, 0..1, on pairs that nothing was learned from.
type Validation struct {
	Pairs   int     `json:"pairs"`
	F1      float64 `json:"f1"`          // size chosen by the network
	F1ByPhi float64 `json:"f1_by_phi"`   // size of the greatest sum of φ
	F1Count float64 `json:"f1_count"`    // true number of inliers
	F1Best  float64 `json:"f1_best"`     // best size in hindsight
	F1Full  float64 `json:"f1_complete"` // everything matched
}

// The random streams of Config.Seed: of weights, of samples and of pairs of each
// purpose.
const (
	streamWeights  = 2
	streamSampling = 3

	streamEdgePairs = iota + 14
	streamSizePairs
	streamValidationPairs
	streamSizeSampling
)

// drawPairs makes what newPart returns of count pairs of a stream, in their order. Each has
// a random stream of its own. Their larger graphs have the configuration's numbers of nodes.
func drawPairs[T any](ctx context.Context, c *Config, source train.PairSource, stream uint64, count int,
	newPart func(*qap.Instance, qap.Matching, *rand.Rand) (T, error)) ([]T, error) {
	parts, errs := make([]T, count), make([]error, count)
	parallel.For(count, func(k int) {
		if errs[k] = ctx.Err(); errs[k] != nil {
			return
		}
		rng := rand.New(rand.NewPCG(c.Seed, stream<<32|uint64(k)))
		in, truth, err := source.Problem(c.drawNodes(rng), rng)
		if err == nil {
			parts[k], err = newPart(in, truth, rng)
		}
		errs[k] = err
	})
	for _, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("affinity: %w", err)
		}
	}
	return parts, nil
}

// drawNodes draws the nodes of the larger graph of a pair.
func (c *Config) drawNodes(rng *rand.Rand) int {
	const large = 0.2 // share
	if c.LargestNodes > c.MostNodes && rng.Float64() < large {
		return int(float64(c.MostNodes) * math.Pow(float64(c.LargestNodes)/float64(c.MostNodes), rng.Float64()))
	}
	return c.LeastNodes + rng.IntN(c.MostNodes-c.LeastNodes+1)
}

// Train trains from the beginning to the end. progress, if not nil, is told now and then.
// The seed gives the same network on any number of processors.
func Train(ctx context.Context, c Config, source train.PairSource, progress func(Metrics)) (*models.Affinity, Validation, error) {
	t, err := New(c, source)
	if err != nil {
		return nil, Validation{}, err
	}
	if err := t.Run(ctx, Options{Progress: progress}); err != nil {
		return nil, Validation{}, err
	}
	return t.Network(), t.Validation(), nil
}

// scaling is mean and standard deviation of inputs.
type scaling struct{ mean, deviation []float32 }

// newScaling measures rows of so many inputs. The channel kept stays as it is, −1 for
// none.
func newScaling(channels, kept int, rows func(yield func(x []float32) bool)) scaling {
	sum, squares := make([]float64, channels), make([]float64, channels)
	count := 0.0
	for x := range rows {
		for i, v := range x {
			sum[i] += float64(v)
			squares[i] += float64(v) * float64(v)
		}
		count++
	}
	const least = 1e-2 // below it an input is a constant: divided by so little, it would drown the others wherever it is another one
	s := scaling{make([]float32, len(sum)), make([]float32, len(sum))}
	for i := range sum {
		mean := sum[i] / count
		deviation := math.Sqrt(max(squares[i]/count-mean*mean, 0))
		if i == kept {
			mean, deviation = 0, 1
		}
		if deviation < least {
			deviation = 1
		}
		s.mean[i], s.deviation[i] = float32(mean), float32(deviation)
	}
	return s
}

// apply standardises a row of inputs.
func (s *scaling) apply(x []float32) {
	for i := range x {
		x[i] = (x[i] - s.mean[i]) / s.deviation[i]
	}
}
