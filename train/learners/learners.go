// Package learners has the learners of rgm train: a program that imports it can train by them.
// One more is a line here.
package learners

import (
	_ "github.com/rgm-go/rgm/train/dqn"       // deep Q-learning, the paper's
	_ "github.com/rgm-go/rgm/train/evolution" // an evolution strategy
)
