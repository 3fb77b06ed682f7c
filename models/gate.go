package models

import (
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap/features"
)

// Gate judges candidates by the Gate features f with a perceptron of two hidden layers:
//
//	Q = w3·ReLU(W2·ReLU(W1·f + b1) + b2) + b3
//
// The logistic function of Q is the F1 that it expects of a candidate.
type Gate struct {
	hidden, head int
	perceptron   perceptron
}

func newGate(hidden, head int, rng *rand.Rand) *Gate {
	const in = features.GateChannels
	return &Gate{hidden, head, newPerceptron("gate", inputs{in, in}, hidden, head, rng)}
}

func (n *Gate) Architecture() string { return ArchitectureGate }
func (n *Gate) Features() string     { return features.Gate }

// Dueling is false: the answers are no Q.
func (n *Gate) Dueling() bool { return false }

func (n *Gate) Parameters() []Parameter { return n.perceptron.parameters() }

// Standardize changes the answers to those that it gave for inputs less mean, over scale.
func (n *Gate) Standardize(mean, scale []float32) { n.perceptron.standardize(mean, scale) }

func (n *Gate) NewPass(batch, n1, n2 int) Pass {
	return newSinglePass(&n.perceptron, batch*n1*n2)
}
