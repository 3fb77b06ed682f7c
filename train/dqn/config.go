// Package dqn is double duelling deep Q-learning with prioritised replay, the paper's
// Algorithm 1, as a learner of package train.
package dqn

import (
	"slices"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"
)

// Name is what train.Config.Learner calls it.
const Name = "dqn"

// Config holds what this learner has beside train.Config.
type Config struct {
	ActsPerUpdate int     `mapstructure:"acts_per_update" want:"1.."`    // c1
	TargetEvery   int     `mapstructure:"target_every" want:"1.."`       // c2: updates between copies to the target network
	Loss          string  `mapstructure:"loss" want:"huber|squared"`     // huber or squared (the paper's)
	Double        bool    `mapstructure:"double"`                        // the network chooses the next action that the target network judges
	PriorityAlpha float64 `mapstructure:"priority_alpha" want:"share"`   // α; 0 samples uniformly
	PriorityFloor float64 `mapstructure:"priority_floor" want:"above 0"` // added to |TD| so that all can be sampled
	Curriculum    float64 `mapstructure:"curriculum" want:"share"`       // share of the episodes over which the sizes enter, small first; 0 plays all from the start
	Demonstrators float64 `mapstructure:"demonstrators" want:"share"`    // share of the environments in which a tabu search acts
}

// The values of Config.Loss.
const (
	LossHuber   = "huber"
	LossSquared = "squared"
)

var defaults = Config{
	ActsPerUpdate: 1, TargetEvery: 100, Loss: LossHuber, Double: true, PriorityAlpha: 0.6, PriorityFloor: 0.01,
}

func init() {
	train.Register(train.Learner{
		Name: Name, Own: defaults, Presets: presets(),
		Output: func(*train.Config) string { return "Q" },
		New: func(c *train.Config, problems []*train.Problem, network models.Network) train.Algorithm {
			return newDQN(c, problems, network)
		},
	})
}

// Check implements train.Own.
func (o Config) Check(c *train.Config, f *train.Faults) {
	f.Require(o.Curriculum == 0 || slices.IsSorted(c.Sizes), "curriculum needs sizes in ascending order")
}

// admitted returns how many of the groups, the first ones, play after a share of
// the budget.
func (o *Config) admitted(groups int, progress float64) int {
	if progress >= o.Curriculum {
		return groups
	}
	return 1 + int(progress/o.Curriculum*float64(groups-1))
}
