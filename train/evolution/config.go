// Package evolution is an antithetic evolution strategy as a learner of package train.
package evolution

import (
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"
)

// Name is what train.Config.Learner calls it.
const Name = "es"

// Config holds what this learner has beside train.Config.
type Config struct {
	ESWeights   string  `mapstructure:"es_weights" want:"all|skip"` // which are searched: all or skip (the linear part of gain)
	ESPairs     int     `mapstructure:"es_pairs" want:"1..65536"`   // antithetic pairs of a generation
	ESInstances int     `mapstructure:"es_instances" want:"1.."`    // instances that a generation is judged by
	ESSigma     float64 `mapstructure:"es_sigma" want:"above 0"`    // deviation of the weights tried
}

// The values of Config.ESWeights.
const (
	WeightsAll  = "all"
	WeightsSkip = "skip"
)

var defaults = Config{ESWeights: WeightsAll, ESPairs: 12, ESInstances: 24, ESSigma: 0.03}

func init() {
	train.Register(train.Learner{
		Name: Name, Own: defaults, Presets: map[string]func() train.Config{Name: preset},
		Output: func(*train.Config) string { return "preferences, of which only the order counts" },
		New: func(c *train.Config, problems []*train.Problem, network models.Network) train.Algorithm {
			return newEvolution(c, problems, network)
		},
	})
}

// preset searches the linear part of the network of "qap".
func preset() train.Config {
	c, own := train.Base(), defaults
	own.ESWeights = WeightsSkip
	c.Learner, c.Own = Name, own
	c.LearningRate, c.AverageDecay = 0.01, 0.9
	c.Episodes, c.ValidationEvery = 300*2*own.ESPairs*own.ESInstances, 10
	return c
}

// Check implements train.Own.
func (o Config) Check(c *train.Config, f *train.Faults) {
	f.Require(o.ESWeights != WeightsSkip || c.Model.Architecture == models.ArchitectureGain,
		"es_weights %q: only the architecture %s has them", o.ESWeights, models.ArchitectureGain)
	f.Require(c.Guide == train.GuideNone, "guide %q: the learner %s cannot imitate", c.Guide, c.Learner)
}
