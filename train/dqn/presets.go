package dqn

import (
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
)

// presets are described in docs/TRAINING.md.
func presets() map[string]func() train.Config {
	return map[string]func() train.Config{
		"qap": base, "smoke": smoke, "qaplib": qaplib, "paper": paper,
		"matching":       pairs,
		"sparse":         func() train.Config { return sparse(pairs()) },
		"paper-matching": func() train.Config { return paperMatching(paper()) },
		"paper-weighted": func() train.Config {
			c := paperMatching(paper())
			c.Model.Architecture = models.ArchitectureWeighted
			return c
		},
		"paper-matched": func() train.Config { return paperMatched(paperMatching(paper())) },
	}
}

// with returns the learner's own part of a configuration, changed.
func with(c train.Config, change func(*Config)) Config {
	own := c.Own.(Config)
	change(&own)
	return own
}

// base trains the shipped model "qap".
func base() train.Config {
	c := train.Base()
	c.Learner, c.Own = Name, defaults
	return c
}

// smoke trains a small network within seconds.
func smoke() train.Config {
	c := base()
	c.Sizes, c.Pool, c.Episodes, c.Environments = []int{6, 8}, 12, 250, 8
	c.Replay, c.Warmup, c.ValidationPool, c.ValidationEvery, c.ValidationRuns = 4000, 500, 6, 100, 1
	return c
}

// qaplib trains the network of "qap" on the smaller halves of QAPLIB's classes, as the paper
// does.
func qaplib() train.Config {
	c := base()
	c.Instances, c.Sizes = train.InstancesQAPLIBSmall, nil
	c.Environments, c.ValidationPool = 8, 8
	return c
}

// paper trains the paper's network by its hyper-parameters.
func paper() train.Config {
	c := base()
	c.Model = models.Config{Architecture: models.ArchitecturePaper, Hidden: 128, Head: 64, Iterations: 3}
	c.Sizes, c.Environments = []int{12, 16}, 12
	c.Reward, c.StepPenalty, c.NStep = train.RewardScore, 0.01, 1
	c.Release = false
	c.Autofill, c.StartGreedy, c.StartLocal, c.StartRandom = false, 0, 0, 0
	c.EpsilonFrom, c.EpsilonTo, c.ExploreBest = 1, 0.02, 0
	c.Gamma, c.LearningRate = 0.9, 1e-5
	c.Replay, c.Patience, c.StopAtCount, c.RegularizerForm = 100000, 20, true, qap.RegularizedLiteral.String()
	c.Own = with(c, func(o *Config) { o.Loss, o.TargetEvery = LossSquared, 40 })
	return c
}

// pairs trains the shipped model "matching".
func pairs() train.Config {
	c := matching(base())
	c.LearningRate = 3e-4
	return c
}

// matching returns the configuration that trains on pairs of graphs of all sizes,
// for every goal, half of them with learned affinities.
func matching(c train.Config) train.Config {
	c.Instances, c.Goal, c.Regularize, c.Reweighed = train.InstancesMatching, train.GoalMixed, train.RegularizeMixed, 0.5
	c.Sizes = []int{6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}
	c.Pool, c.Environments, c.Episodes = 40, 12, 2000
	c.ValidationPool, c.ValidationRuns = 16, 2
	return c
}

// sparse returns the configuration that trains on pairs of larger graphs with few edges:
// short episodes, since they are expensive.
func sparse(c train.Config) train.Config {
	c.Instances, c.Goal, c.Regularize, c.Reweighed = train.InstancesSparse, train.GoalAny, qap.Regularizer{}.String(), 0
	c.Sizes = []int{30, 40, 50, 60}
	c.Pool, c.Environments, c.Episodes = 24, 3, 400
	c.StepsPerNode, c.Batch, c.Warmup, c.Replay = 2, 32, 2000, 20000
	c.Own = with(c, func(o *Config) { o.ActsPerUpdate = 2 })
	c.ValidationPool, c.ValidationRuns, c.ValidationEvery = 4, 1, 250
	return c
}

// paperMatched returns the configuration that teaches the paper's network over matched vertices,
// within minutes. With the paper's squares and target frequency of 40 its Q grow without end.
func paperMatched(c train.Config) train.Config {
	c.Model = models.Config{Architecture: models.ArchitectureMatched, Hidden: 32, Head: 16}
	c.Sizes, c.Pool, c.Episodes = []int{8, 10, 12}, 15, 3000
	c.LearningRate, c.Warmup = 3e-4, 1000
	c.Own = with(c, func(o *Config) { o.Loss, o.TargetEvery = LossHuber, 1000 })
	c.ValidationEvery, c.ValidationPool, c.ValidationRuns = 250, 8, 1
	return c
}

// paperMatching returns the configuration that trains the paper's network on pairs of
// graphs: for one goal, since it cannot see which is meant, and on the given affinities.
func paperMatching(paper train.Config) train.Config {
	c := matching(paper)
	c.Goal, c.Regularize, c.Reweighed = train.GoalAny, qap.RegularizeF1.String(), 0
	return c
}
