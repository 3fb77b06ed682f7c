// Package alignment trains the learned belief propagation of package propagation on generated
// pairs of graphs whose alignment is known.
//
// A Trainer learns the first stage, and then the second, on matchings that the stages so far made.
// The loss is the cross-entropy of the true partners by rows and by columns after every step, of
// which later ones count more. Graphs grow as a stage goes on.
package alignment

import (
	"errors"
	"fmt"
	"math"

	"github.com/rgm-go/rgm/models/propagation"
	"github.com/rgm-go/rgm/qap/align/belief"
)

// Config holds the hyper-parameters.
type Config struct {
	Seed         uint64  `mapstructure:"seed" json:"seed"`
	Updates      int     `mapstructure:"updates" json:"updates"`             // of the first stage
	AgainUpdates int     `mapstructure:"again-updates" json:"again_updates"` // of the second
	Pairs        int     `mapstructure:"pairs" json:"pairs"`                 // of nodes in an update, at least: graphs are drawn until there are so many
	Steps        int     `mapstructure:"steps" json:"steps"`                 // that are learned through, in the first stage
	AgainSteps   int     `mapstructure:"again-steps" json:"again_steps"`     // in the second
	LeastNodes   int     `mapstructure:"least-nodes" json:"least_nodes"`     // of graph 1
	MostNodes    int     `mapstructure:"most-nodes" json:"most_nodes"`       // of it, at the end of a stage
	Noise        float64 `mapstructure:"noise" json:"noise"`                 // greatest share of edges that are changed
	LearningRate float64 `mapstructure:"learning-rate" json:"learning_rate"` // at the start of the first stage; it falls to 0 as a cosine
	ClipNorm     float64 `mapstructure:"clip-norm" json:"clip_norm"`         // greatest norm of a gradient
}

// Default returns the configuration of the pretrained model.
func Default() Config {
	return Config{
		Updates: 2400, AgainUpdates: 700, Pairs: 30000, Steps: 14, AgainSteps: 10, LeastNodes: 40, MostNodes: 320, Noise: 0.4, LearningRate: 5e-3, ClipNorm: 1,
	}
}

// Validate returns an error that lists every number that cannot be.
func (c *Config) Validate() error {
	var errs []error
	for _, n := range []struct {
		name        string
		value       int
		least, most int
	}{
		{"updates", c.Updates, 1, 1 << 24}, {"again-updates", c.AgainUpdates, 0, 1 << 24}, {"pairs", c.Pairs, 1, 1 << 24},
		{"steps", c.Steps, 1, 64}, {"again-steps", c.AgainSteps, 1, 64},
		{"least-nodes", c.LeastNodes, 20, 1000}, {"most-nodes", c.MostNodes, c.LeastNodes, 1000},
	} {
		if n.value < n.least || n.value > n.most {
			errs = append(errs, fmt.Errorf("alignment: %s %d: want %d to %d", n.name, n.value, n.least, n.most))
		}
	}
	if !(c.LearningRate > 0 && c.LearningRate < 1) || !(c.Noise >= 0 && c.Noise < 0.9) || !(c.ClipNorm > 0 && c.ClipNorm < 1e6) {
		errs = append(errs, fmt.Errorf("alignment: learning-rate %v, noise %v, clip-norm %v: want a rate in 0..1, noise from 0 to 0.9, a norm above 0", c.LearningRate, c.Noise, c.ClipNorm))
	}
	return errors.Join(errs...)
}

// Metrics is how a stage of the training goes.
type Metrics struct {
	Stage    string  `json:"stage"` // "first" or "again"
	Update   int     `json:"update"`
	Updates  int     `json:"updates"`
	Loss     float64 `json:"loss"`     // cross-entropy in units of that of knowing nothing
	Accuracy float64 `json:"accuracy"` // share of nodes whose likeliest partner is right after the last step
}

// The random streams of Config.Seed.
const (
	streamWeights = iota + 2
	streamFirst
	streamAgain
	streamValidation
)

// crossEntropy adds to d the derivative of a loss by S: factor times the mean of −log of what the
// true partners have by rows and by columns. It returns the loss, and how many nodes have the true
// partner as the likeliest.
func crossEntropy(d, s []float32, x *sample, norms *belief.Normalizer, factor float64) (loss float64, right int) {
	p := x.pair
	norms.Measure(s)
	partner := make([]int, p.N2)
	for a := range partner {
		partner[a] = belief.Unmatched
	}
	known := 0
	for i, a := range x.truth {
		if a != belief.Unmatched {
			partner[a] = i
			known++
		}
	}
	each := float32(factor / float64(2*max(1, known)))
	e := make([]float32, p.N2)
	for i, row := range norms.Rows {
		now, out := s[i*p.N2:(i+1)*p.N2], d[i*p.N2:(i+1)*p.N2]
		truth := x.truth[i]
		if truth != belief.Unmatched {
			loss += float64(each) * float64(row+norms.Columns[truth]-2*now[truth])
			out[truth] -= 2 * each
			likeliest := 0
			for a, v := range now {
				if v > now[likeliest] {
					likeliest = a
				}
				e[a] = v - row
			}
			if likeliest == truth {
				right++
			}
			belief.Exp(e, e)
			for a, v := range e {
				out[a] += each * v
			}
		}
		for a, v := range now {
			e[a] = v - norms.Columns[a]
		}
		belief.Exp(e, e)
		for a, v := range e {
			if partner[a] != belief.Unmatched {
				out[a] += each * v
			}
		}
	}
	return loss, right
}

// stepWeights returns how much the loss after each step counts.
func stepWeights(steps int) []float64 {
	weights, sum := make([]float64, steps), 0.0
	for t := range weights {
		x := 0.2 + 0.8*float64(t+1)/float64(steps)
		weights[t] = x * x
		sum += weights[t]
	}
	for t := range weights {
		weights[t] /= sum
	}
	return weights
}

// learn adds the gradient of the loss of a sample, weighed by factor, and returns the loss and the
// share of right nodes.
func learn(stage *propagation.Stage, x *sample, clues []float32, steps int, factor float64, gradient [][]float32) (loss, accuracy float64) {
	pass := stage.NewPass(x.pair, clues)
	states := make([][]float32, steps+1)
	states[0] = pass.NewState()
	for t := range steps {
		states[t+1] = pass.NewState()
		pass.Step(states[t+1], states[t])
	}
	weights := stepWeights(steps)
	norms := belief.NewNormalizer(x.pair.N1, x.pair.N2)
	d := pass.NewState()
	usual := math.Log(float64(x.pair.N2))
	for t := steps; t > 0; t-- {
		l, right := crossEntropy(d[:x.pair.Size()], states[t][:x.pair.Size()], x, norms, factor*weights[t-1]/usual)
		if loss += l; t == steps {
			accuracy = float64(right) / float64(x.pair.N1)
		}
		pass.Backward(d, states[t], states[t-1], gradient)
	}
	return loss, accuracy
}
