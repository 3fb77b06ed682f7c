package paper

import (
	"fmt"

	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
	"github.com/rgm-go/rgm/train/dqn"
)

// presets are described in the notes' TRAINING.md.
func presets() map[string]func() train.Config {
	return map[string]func() train.Config{
		"paper": func() train.Config {
			c := literal("qap")
			c.Sizes, c.Environments = []int{12, 16}, 12
			return c
		},
		"paper-matching": matching,
		"paper-weighted": func() train.Config {
			c := matching()
			c.Model.Architecture = Weighted
			return c
		},
		"paper-matched": matched,
	}
}

// literal returns a preset of deep Q-learning with the paper's network and hyper-parameters.
func literal(preset string) train.Config {
	c, err := train.Preset(preset)
	if err != nil {
		panic(fmt.Sprint("paper: ", err)) // package dqn has it, which is imported
	}
	c.Model = models.Config{Architecture: Name, Hidden: 128, Head: 64, Iterations: 3}
	c.Reward, c.StepPenalty, c.NStep = train.RewardScore, 0.01, 1
	c.Release = false
	c.Autofill, c.StartGreedy, c.StartLocal, c.StartRandom = false, 0, 0, 0
	c.EpsilonFrom, c.EpsilonTo, c.ExploreBest = 1, 0.02, 0
	c.Gamma, c.LearningRate = 0.9, 1e-5
	c.Replay, c.Patience, c.StopAtCount, c.RegularizerForm = 100000, 20, true, qap.RegularizedLiteral.String()
	own := c.Own.(dqn.Config)
	own.Loss, own.TargetEvery = dqn.LossSquared, 40
	c.Own = own
	return c
}

// matching trains on pairs of graphs: for one goal, since the network cannot see which is
// meant, and on the given affinities.
func matching() train.Config {
	c := literal("matching")
	c.Goal, c.Regularize, c.Reweighed = train.GoalAny, qap.RegularizeF1.String(), 0
	return c
}

// matched teaches the network over matched vertices, within minutes. With the paper's squares
// and target frequency of 40 its Q grow without end.
func matched() train.Config {
	c := matching()
	c.Model = models.Config{Architecture: Matched, Hidden: 32, Head: 16}
	c.Sizes, c.Pool, c.Episodes = []int{8, 10, 12}, 15, 3000
	c.LearningRate, c.Warmup = 3e-4, 1000
	own := c.Own.(dqn.Config)
	own.Loss, own.TargetEvery = dqn.LossHuber, 1000
	c.Own = own
	c.ValidationEvery, c.ValidationPool, c.ValidationRuns = 250, 8, 1
	return c
}
