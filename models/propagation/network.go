// Package propagation is a learned step of belief propagation on the matrix of the pairs of two
// graphs (package belief), of which the step by hand is the beginning.
//
// The state is of Channels numbers a pair; the first is S, the logarithm of the odds that a node of
// graph 1 is one of graph 2. A step forms Messages messages, as the step by hand does, and a
// perceptron of a hidden layer adds to what that would give; its weights are the same for all pairs
// and steps. What a step sees is symmetric in the two graphs. Two stages have weights of their own:
// the first knows the graphs alone, the second also a matching that was made of the beliefs
// before, and is repeated as long as that improves. It may undo every match of the one before.
package propagation

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/internal/modelfile"
	"github.com/rgm-go/rgm/qap/align/belief"
)

// Architecture is what model files call it.
const Architecture = "align"

const (
	Channels = 6 // of the state
	Messages = 3 // rounds of them
	hidden   = 24
	statics  = 6 // inputs of the degrees
	clues    = 8 // inputs of a matching

	// The inputs of the perceptron, in this order: the state, the less and the greater message
	// of both directions, expected witnesses, odds, the gap of the two normalisations, degrees.
	atLess      = Channels
	atGreater   = atLess + Messages
	atWitnesses = atGreater + Messages
	atOdds      = atWitnesses + 1
	atGap       = atOdds + 1
	atDegrees   = atGap + 1
	firstInputs = atDegrees + statics
	againInputs = firstInputs + clues
)

// The sizes of inputs, and what bounds them.
const (
	ofState, ofMessages, ofWitnesses, ofOdds, ofGap = 0.3, 0.1, 0.5, 0.2, 0.1
	mostInput                                       = 10
	leastMessage, mostMessage                       = -12, 14 // logarithms
	usualDegree                                     = 4       // sums over neighbours are in units of the graphs' mean degree over it
)

// Parameter is one weight tensor.
type Parameter = modelfile.Parameter

// Stage is the weights of a step.
type Stage struct {
	inputs         int
	mix, bias      Parameter // of messages: [Messages, Channels+1], [Messages]
	w1, b1, w2, b2 Parameter // [hidden, inputs], [hidden], [Channels, hidden], [Channels]
	keep           Parameter // of the damping, before the sigmoid: [Channels]
	prior          Parameter // base, slope and weight of the least message
}

// Network is the two stages.
type Network struct{ First, Again *Stage }

// ByHand is the model whose step both stages begin as, but for the perceptron's other channels.
var ByHand = belief.Model{Degree: usualDegree, Noise: 0.2}

// New returns a network at the beginning, with weights drawn from rng, or zero where it is nil.
func New(rng *rand.Rand) *Network {
	return &Network{newStage("first", firstInputs, rng), newStage("again", againInputs, rng)}
}

func newStage(name string, inputs int, rng *rand.Rand) *Stage {
	s := &Stage{
		inputs: inputs, mix: modelfile.Tensor(name+".mix", Messages, Channels+1), bias: modelfile.Tensor(name+".bias", Messages),
		w1: modelfile.Tensor(name+".w1", hidden, inputs), b1: modelfile.Tensor(name+".b1", hidden),
		w2: modelfile.Tensor(name+".w2", Channels, hidden), b2: modelfile.Tensor(name+".b2", Channels),
		keep: modelfile.Tensor(name+".keep", Channels), prior: modelfile.Tensor(name+".prior", 3),
	}
	base, slope, bias := ByHand.Terms()
	copy(s.prior.Data, []float32{base, slope, 1})
	for k := range Messages {
		s.mix.Data[k*(Channels+1)+Channels] = 1 - 0.25*float32(k)
		s.bias.Data[k] = bias
	}
	s.w1.Draw(math.Sqrt(1/float64(inputs)), rng)
	s.w2.Draw(math.Sqrt(0.5/hidden), rng)
	clear(s.w2.Data[:hidden])
	return s
}

// Parameters returns the weights, those of the first stage first.
func (n *Network) Parameters() []Parameter {
	return slices.Concat(n.First.Parameters(), n.Again.Parameters())
}

// Parameters returns the weights of a stage.
func (s *Stage) Parameters() []Parameter {
	return []Parameter{s.mix, s.bias, s.w1, s.b1, s.w2, s.b2, s.keep, s.prior}
}

// The places of a stage's gradients.
const (
	ofMix = iota
	ofBias
	ofW1
	ofB1
	ofW2
	ofB2
	ofKeep
	ofPrior
)

// Widen begins the second stage as the first: inputs of a matching count little.
func (n *Network) Widen() {
	from, to := n.First.Parameters(), n.Again.Parameters()
	for k := range from {
		if k == ofW1 {
			for row := range hidden {
				copy(to[k].Data[row*againInputs:], from[k].Data[row*firstInputs:(row+1)*firstInputs])
				for i := firstInputs; i < againInputs; i++ {
					to[k].Data[row*againInputs+i] *= 0.3
				}
			}
			continue
		}
		copy(to[k].Data, from[k].Data)
	}
}

// kept is the share of a channel that a step keeps.
func (s *Stage) kept(channel int) float32 {
	return float32(1 / (1 + math.Exp(-float64(s.keep.Data[channel]))))
}
