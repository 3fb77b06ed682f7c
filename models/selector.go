package models

import (
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap/features"
)

// Selector answers the questions of the Selector features, how good it would be to give
// a component the next turn, by a perceptron with two hidden layers:
//
//	Q = w3·ReLU(W2·ReLU(W1·f + b1) + b2) + b3
type Selector struct {
	hidden, head int
	choice       perceptron
}

func newSelector(hidden, head int, rng *rand.Rand) *Selector {
	in := inputs{features.SelectorChannels, features.SelectorChannels}
	return &Selector{hidden, head, newPerceptron("choice", in, hidden, head, rng)}
}

func (n *Selector) Architecture() string    { return ArchitectureSelector }
func (n *Selector) Features() string        { return features.Selector }
func (n *Selector) Dueling() bool           { return false } // of the answers only the order counts
func (n *Selector) Parameters() []Parameter { return n.choice.parameters() }

func (n *Selector) NewPass(batch, n1, n2 int) Pass {
	return newSinglePass(&n.choice, batch*n1*n2)
}
