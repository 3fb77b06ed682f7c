// Package policygradient has the learners of package train that follow the gradient of a policy:
// every environment plays a segment of some steps by the policy softmax(Q/temperature), and
// then the network learns from what was played. A2C and PPO are here; others build on Learner.
package policygradient

import (
	"fmt"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"
)

// Config holds what all of them have beside train.Config.
type Config struct {
	Segment     int     `mapstructure:"segment" want:"1..65536"`       // steps of each environment between updates
	GAELambda   float64 `mapstructure:"gae_lambda" want:"share"`       // λ of the generalised advantage estimate; acer: of Retrace
	ValueWeight float64 `mapstructure:"value_weight" want:"0 or more"` // of the critic's loss
	Entropy     float64 `mapstructure:"entropy" want:"0 or more"`      // weight of the policy's entropy, which is raised
}

// mostSamples bounds those of a segment, of all environments.
const mostSamples = 1 << 24

// Defaults returns the configuration of the presets.
func Defaults() Config { return Config{Segment: 16, GAELambda: 0.95, ValueWeight: 0.5, Entropy: 0.003} }

// Check implements train.Own.
func (o Config) Check(c *train.Config, f *train.Faults) {
	o.CheckPlaying(c, f)
	f.Require(c.Dueling, "learner %s needs dueling = true: the state value is its critic", c.Learner)
}

// CheckPlaying notes the faults of all but the critic.
func (o Config) CheckPlaying(c *train.Config, f *train.Faults) {
	samples := len(c.Sizes) * c.Environments * o.Segment
	f.Require(samples <= mostSamples, "sizes, environments and segment give %d samples: want at most %d", samples, mostSamples)
}

// Register registers a policy gradient, with a preset of its name that validates every so many
// updates.
func Register(name string, own train.Own, validationEvery int, newLearner func(*train.Config, []*train.Problem, models.Network) train.Algorithm) {
	train.Register(train.Learner{
		Name: name, Own: own, Policy: true, New: newLearner,
		Output: func(c *train.Config) string { return fmt.Sprintf("logits of softmax(q/%v)", c.Temperature) },
		Presets: map[string]func() train.Config{name: func() train.Config {
			c := train.Base()
			c.Learner, c.Own, c.ValidationEvery = name, own, validationEvery
			return c
		}},
	})
}
