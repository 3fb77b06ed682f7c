package affinity

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/reweigh"
	"github.com/rgm-go/rgm/train"
)

// GateConfig holds the hyper-parameters of a gate (reweigh.Gate): it learns how good the
// best matchings by given and by learned affinities are expected to be, and to choose
// among them. The learned affinities stay as they are.
type GateConfig struct {
	Seed  uint64 `mapstructure:"seed" json:"seed"`
	Width int    `mapstructure:"width" json:"width"` // of the hidden layers

	LeastNodes   int `mapstructure:"least-nodes" json:"least_nodes"`     // of the larger graph of most pairs
	MostNodes    int `mapstructure:"most-nodes" json:"most_nodes"`       // of it
	LargestNodes int `mapstructure:"largest-nodes" json:"largest_nodes"` // of the others, a fifth

	Pairs           int `mapstructure:"pairs" json:"pairs"`                       // generated pairs to learn from
	ValidationPairs int `mapstructure:"validation-pairs" json:"validation_pairs"` // others, to measure it on

	Updates      int     `mapstructure:"updates" json:"updates"`             // with about 64 pairs each
	LearningRate float64 `mapstructure:"learning-rate" json:"learning_rate"` // at the start; it falls to 0 as a cosine
	Decay        float64 `mapstructure:"decay" json:"decay"`                 // of weights, times the learning rate
}

// DefaultGate returns the configuration of the pretrained gate.
func DefaultGate() GateConfig {
	return GateConfig{
		Width: 40, LeastNodes: 6, MostNodes: 20, LargestNodes: 60, Pairs: 7000, ValidationPairs: 400,
		Updates: 2000, LearningRate: 3e-3, Decay: 1,
	}
}

// Validate returns an error that lists every number that cannot be.
func (c *GateConfig) Validate() error {
	errs := checkCounts([]countOf{
		{"width", c.Width, 1}, {"least-nodes", c.LeastNodes, reweigh.LeastSize + 1}, {"most-nodes", c.MostNodes, c.LeastNodes},
		{"largest-nodes", c.LargestNodes, c.MostNodes}, {"pairs", c.Pairs, 1}, {"validation-pairs", c.ValidationPairs, 1}, {"updates", c.Updates, 1},
	})
	if !(c.LearningRate > 0 && c.LearningRate < 1) || !(c.Decay >= 0 && c.Decay < 100) {
		errs = append(errs, fmt.Errorf("affinity: learning-rate %v, decay %v: want a rate in 0..1, a decay in 0..100", c.LearningRate, c.Decay))
	}
	return errors.Join(errs...)
}

// GateValidation is mean F1, 0..1, on pairs that nothing was learned from, of the best
// matchings that the comparison found.
type GateValidation struct {
	Pairs int     `json:"pairs"`
	F1    float64 `json:"f1"`       // what the gate chooses
	J     float64 `json:"f1_j"`     // the best by given affinities
	Mean  float64 `json:"f1_mean"`  // by J/m
	Phi   float64 `json:"f1_phi"`   // by learned ones
	Rule  float64 `json:"f1_rule"`  // what the unlearned gate chooses
	Best  float64 `json:"f1_best"`  // the best choice in hindsight
	Error float64 `json:"expected"` // mean difference of the F1 expected of the choice and its own
	// Where everything is matched, by given affinities, learned ones and the gate's choice;
	// with the true count of inliers the same.
	Full  [3]float64 `json:"f1_complete"`
	Count [3]float64 `json:"f1_count"`
}

// GateFile is the name of the checkpoint of a GateTrainer in Options.Dir.
const GateFile = "gate.rgm"

// GateTrainer is a training of a gate in progress. Not for use by several goroutines at
// once.
type GateTrainer struct {
	training[GateConfig, GateValidation]
	network *models.Gate
}

// NewGate prepares a training for learned affinities that stay as they are.
func NewGate(c GateConfig, a *reweigh.Affinity, source train.PairSource) (*GateTrainer, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	made, err := models.New(models.Config{Architecture: models.ArchitectureGate, Hidden: c.Width}, rand.New(rand.NewPCG(c.Seed, streamWeights)))
	if err != nil {
		return nil, err
	}
	n := made.(*models.Gate)
	draw := func(ctx context.Context, stream uint64, count int) ([]gateExample, error) {
		examples, err := drawAll(ctx, c.Seed, stream, count, func(rng *rand.Rand) (gateExample, error) {
			in, truth, err := source.Problem(drawNodes(c.LeastNodes, c.MostNodes, c.LargestNodes, rng), rng)
			if err != nil {
				return gateExample{}, err
			}
			return newGateExample(ctx, a, in, truth)
		})
		return slices.DeleteFunc(examples, func(e gateExample) bool { return e.Choices == 0 }), err
	}
	t := &GateTrainer{network: n, training: training[GateConfig, GateValidation]{config: c}}
	t.course = course[GateValidation]{
		network: n, rate: c.LearningRate, file: GateFile, format: gateCheckpointFormat,
		stages: []courseStage{{"gate", func(ctx context.Context) (*stage, error) {
			examples, err := draw(ctx, streamGatePairs, c.Pairs)
			if err == nil && len(examples) == 0 {
				err = errors.New("affinity: no pair leaves a choice")
			}
			if err != nil {
				return nil, err
			}
			return newGateStage(&c, n, examples), nil
		}}},
		validate: func(ctx context.Context) (GateValidation, error) {
			examples, err := draw(ctx, streamGateValidation, c.ValidationPairs)
			return validateGate(n, examples), err
		},
	}
	return t, nil
}

// Network returns the network; it is of use once Run has returned nil.
func (t *GateTrainer) Network() *models.Gate { return t.network }

// ResumeGate takes up the training of a checkpoint, by the affinities and on the source
// that it was begun with. What follows is bit for bit what would have followed then.
func ResumeGate(ctx context.Context, path string, a *reweigh.Affinity, source train.PairSource) (*GateTrainer, error) {
	return resumed(ctx, path, func(c GateConfig) (*GateTrainer, *training[GateConfig, GateValidation], error) {
		t, err := NewGate(c, a, source)
		if err != nil {
			return nil, nil, err
		}
		return t, &t.training, nil
	}, gateCheckpointFormat)
}

// gateRows is how many candidates a part of a batch has at most, of about sixteen pairs.
const gateRows = 96

// newGateStage learns from examples, which it standardises.
func newGateStage(c *GateConfig, n *models.Gate, examples []gateExample) *stage {
	const none = -1
	scale := newScaling(features.GateChannels, none, func(yield func(x []float32) bool) {
		for k := range examples {
			for _, x := range examples[k].Inputs {
				if !yield(x) {
					return
				}
			}
		}
	})
	most := gateRows
	for k := range examples {
		most = max(most, len(examples[k].Inputs))
		for _, x := range examples[k].Inputs {
			scale.apply(x)
		}
	}
	f := newFitting(n, most)
	pcg := rand.NewPCG(c.Seed, streamGateSampling)
	rng := rand.New(pcg)
	var drawn [fittingParts][]*gateExample
	sample := func() {
		for k := range f.parts {
			drawn[k] = draw(drawn[k][:0], examples, f.parts[k].pass.Inputs()[0], features.GateChannels, rng)
		}
	}
	lossOf := func(part int, q, dq []float32) float64 {
		loss, rows, count := 0.0, 0, float64(len(drawn[part]))
		for _, e := range drawn[part] {
			loss += e.loss(q[rows:][:len(e.F1)], dq[rows:][:len(e.F1)], fittingParts*count)
			rows += len(e.F1)
		}
		return loss / count
	}
	return &stage{
		fitting: f, pcg: pcg, updates: c.Updates, sample: sample, lossOf: lossOf, decayed: n.Parameters(), decay: c.Decay,
		end: func() { n.Standardize(scale.mean, scale.deviation) },
	}
}

// validateGate measures a gate on examples.
func validateGate(n *models.Gate, examples []gateExample) GateValidation {
	v := GateValidation{Pairs: len(examples)}
	share := 1 / float64(max(len(examples), 1))
	for k := range examples {
		e := &examples[k]
		q := e.answers(n)
		chosen := slices.Index(q[:e.Choices], slices.Max(q[:e.Choices]))
		add := func(sum *float64, at int) { *sum += share * float64(e.F1[at]) }
		fixed := func(sums *[3]float64, of [2]int) {
			given, learned := of[0], of[1]
			best := given
			if learned < 0 {
				learned = given
			} else if q[learned] > q[given] {
				best = learned
			}
			add(&sums[0], given)
			add(&sums[1], learned)
			add(&sums[2], best)
		}
		add(&v.F1, chosen)
		add(&v.J, e.J)
		add(&v.Mean, e.Mean)
		if e.Phi >= 0 {
			add(&v.Phi, e.Phi)
		} else { // affinities have signs, and stay
			add(&v.Phi, e.J)
		}
		add(&v.Rule, e.Rule)
		v.Best += share * float64(slices.Max(e.F1[:e.Choices]))
		v.Error += share * (logistic(q[chosen]) - float64(e.F1[chosen]))
		fixed(&v.Full, e.Full)
		fixed(&v.Count, e.Count)
	}
	return v
}

// answers returns what a network says of the candidates.
func (e *gateExample) answers(n *models.Gate) []float32 {
	pass := n.NewPass(1, 1, len(e.Inputs))
	for k, x := range e.Inputs {
		copy(pass.Inputs()[0][k*features.GateChannels:], x)
	}
	return pass.Forward()
}
