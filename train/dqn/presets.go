package dqn

import (
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/train"
)

// presets are described in docs/TRAINING.md.
func presets() map[string]func() train.Config {
	return map[string]func() train.Config{
		"qap": base, "smoke": smoke, "qaplib": qaplib, "matching": pairs,
		"sparse": func() train.Config { return sparse(pairs()) },
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
