package policygradient

import (
	"context"
	"math"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"
)

// A2C is advantage actor-critic (Mnih et al. 2016, arXiv:1602.01783): a segment is learned from
// once, as a whole.
const A2C = "a2c"

// PPO is proximal policy optimisation (Schulman et al. 2017, arXiv:1707.06347): a segment is
// learned from several times, in batches.
const PPO = "ppo"

// PPOConfig holds what PPO has beside train.Config.
type PPOConfig struct {
	Config    `mapstructure:",squash"`
	ClipRatio float64 `mapstructure:"clip_ratio" want:"above 0"` // by how much a probability may change to advantage
	Epochs    int     `mapstructure:"epochs" want:"1.."`         // times that a segment is learned from
}

func init() {
	own := Defaults()
	Register(A2C, own, 20, func(c *train.Config, problems []*train.Problem, network models.Network) train.Algorithm {
		g := New(c, c.Own.(Config), problems, network)
		g.Loss.Action = advantage
		return planned{g, Plan{Epochs: 1, Learn: g.Update}}
	})
	Register(PPO, PPOConfig{own, 0.2, 3}, 500, func(c *train.Config, problems []*train.Problem, network models.Network) train.Algorithm {
		own := c.Own.(PPOConfig)
		g := New(c, own.Config, problems, network)
		g.Loss.Action = clipped(own.ClipRatio)
		return planned{g, Plan{Epochs: own.Epochs, Batch: c.Batch, Learn: g.Update}}
	})
}

// planned is a learner all of whose rounds have one plan.
type planned struct {
	*Learner
	plan Plan
}

// Round implements train.Algorithm.
func (p planned) Round(ctx context.Context, progress float64) (train.Outcome, error) {
	return p.Learner.Round(ctx, progress, p.plan)
}

// advantage is A2C's loss of an action, −A·log π.
func advantage(logarithm float64, s *Sample) (loss, slope float64) {
	return -s.Advantage * logarithm, -s.Advantage
}

// Surrogate is −A times the ratio of the probabilities now and when the action was taken.
func Surrogate(logarithm float64, s *Sample) (loss, slope float64) {
	ratio := math.Exp(logarithm - s.Logarithm)
	return -ratio * s.Advantage, -ratio * s.Advantage
}

// clipped is PPO's loss of an action: the surrogate, with no slope where the probability has
// changed to advantage by more than a share.
func clipped(share float64) func(logarithm float64, s *Sample) (loss, slope float64) {
	return func(logarithm float64, s *Sample) (loss, slope float64) {
		ratio := math.Exp(logarithm - s.Logarithm)
		bound := max(1-share, min(ratio, 1+share))
		if bound*s.Advantage < ratio*s.Advantage {
			return -bound * s.Advantage, 0
		}
		return -ratio * s.Advantage, -ratio * s.Advantage
	}
}
