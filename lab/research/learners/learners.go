// Package learners has learners that the paper compares with, beside those of package
// train/learners: a program that imports it can train by them.
package learners

import (
	_ "github.com/rgm-go/rgm/lab/research/learners/acer"           // actor-critic with experience replay
	_ "github.com/rgm-go/rgm/lab/research/learners/policygradient" // A2C, PPO
	_ "github.com/rgm-go/rgm/lab/research/learners/trpo"           // trust region policy optimisation
)
