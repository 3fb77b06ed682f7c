// Package models holds the networks: their parameters, their forward pass and the backward
// pass that training needs, in float32 over gonum's BLAS or a kernel of its own, and the same forward pass as an ONNX
// graph.
//
// Gain is a policy, a small network over exact gains and the policy's memory; Affinity re-weighs
// affinities. Others plug in by Register, the paper's own among them. All take the tensors of their set of features for a
// batch of states (see features.Tensors), and return a number, Q, for every vertex of the
// association graph, [batch, n1, n2].
package models

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/internal/layers"
	"github.com/rgm-go/rgm/internal/lists"
	"github.com/rgm-go/rgm/qap"
)

// The architectures, as models state them.
const (
	ArchitectureGain     = "gain"
	ArchitectureAffinity = "affinity"
)

// Parameter is one weight tensor of a network: Name, Shape and Data, row-major.
type Parameter = layers.Parameter

// Network is a Q-network. It may be shared by goroutines as long as none changes
// its parameters; a Pass may not.
type Network interface {
	// Architecture is the name of the architecture (see Architectures).
	Architecture() string
	// Config makes a network of the same shape by New.
	Config() Config
	// Features names the set of inputs (see package features).
	Features() string
	// Parameters returns the weights, always in the same order. The data are the
	// network's own: what is written there counts.
	Parameters() []Parameter
	// Dueling reports whether Q is put together from a state value and advantages,
	// so that the mean of Q over the vertices of a state is its value.
	Dueling() bool
	// NewPass prepares evaluations of batches of the given shape.
	NewPass(batch, n1, n2 int) Pass
}

// Pass is the working memory of one forward and backward pass.
type Pass interface {
	// Inputs returns the tensors to fill in before Forward, the states of the batch
	// first in each.
	Inputs() [][]float32
	// Forward returns Q, [batch, n1, n2], valid until the next Forward.
	Forward() []float32
	// Backward adds to gradient, one slice a parameter in the order of
	// Parameters, the gradient of a loss whose derivative by the Q of the last
	// Forward is dq.
	Backward(dq []float32, gradient [][]float32)
}

// Config describes a network to make.
type Config struct {
	Architecture string `mapstructure:"architecture"` // one of Architectures
	Hidden       int    `mapstructure:"hidden"`       // width of the embedding (gain 16)
	Head         int    `mapstructure:"head"`         // width of the Q-value head (gain: Hidden)
	Iterations   int    `mapstructure:"iterations"`   // of architectures that have them
	SingleStream bool   `mapstructure:"-"`            // Q is the advantages alone: no duelling
	Features     string `mapstructure:"-"`            // the set of inputs, where an architecture takes one of several; its own where empty
}

// HiddenOr returns what the Config says, or else the default.
func (c Config) HiddenOr(otherwise int) int { return cmp.Or(c.Hidden, otherwise) }

// HeadOr returns what the Config says, or else the default.
func (c Config) HeadOr(otherwise int) int { return cmp.Or(c.Head, otherwise) }

// IterationsOr returns what the Config says, or else the default.
func (c Config) IterationsOr(otherwise int) int { return cmp.Or(c.Iterations, otherwise) }

// New returns a network with random weights drawn from rng, zero where it is nil.
func New(c Config, rng *rand.Rand) (Network, error) {
	if c.Hidden < 0 || c.Head < 0 || c.Iterations < 0 || max(c.Hidden, c.Head) > 4096 || c.Iterations > 64 {
		return nil, fmt.Errorf("models: hidden %d, head %d, iterations %d: want widths 1..4096 and iterations 1..64, or 0 for the default", c.Hidden, c.Head, c.Iterations)
	}
	a, known := architecture(c.Architecture)
	if !known {
		return nil, unknownArchitecture(c.Architecture)
	}
	return a.New(c, rng)
}

// Clone returns a network with the same weights in memory of its own.
func Clone(n Network) Network {
	clone, err := New(n.Config(), nil)
	if err != nil {
		panic(fmt.Sprintf("models: Clone of a %T: %v", n, err)) // its Config does not say what it is
	}
	Copy(clone, n)
	return clone
}

// Copy writes the weights of src, a network of the same shape, into dst.
func Copy(dst, src Network) {
	from := src.Parameters()
	for k, p := range dst.Parameters() {
		copy(p.Data, from[k].Data)
	}
}

// OfStateValue tells of every parameter whether it serves the state value alone: whatever
// it is, the advantages are the same. The network says so by a method OfStateValue, which
// returns the parameters' names.
func OfStateValue(n Network) []bool {
	var names []string
	if says, ok := n.(interface{ OfStateValue() []string }); ok {
		names = says.OfStateValue()
	}
	return lists.Of(n.Parameters(), func(p Parameter) bool { return slices.Contains(names, p.Name) })
}

// Count returns the number of weights.
func Count(n Network) int {
	count := 0
	for _, p := range n.Parameters() {
		count += len(p.Data)
	}
	return count
}

// Weights returns the weights, a slice a parameter: the network's own, not copies.
func Weights(n Network) [][]float32 {
	return lists.Of(n.Parameters(), func(p Parameter) []float32 { return p.Data })
}

// NewGradient returns zeroed memory for a gradient of the network.
func NewGradient(n Network) [][]float32 {
	return lists.Of(n.Parameters(), func(p Parameter) []float32 { return make([]float32, len(p.Data)) })
}

// QFunction returns the network as a function that rollouts evaluate in pure Go.
func QFunction(n Network) qap.QFunction { return qFunction{n} }

type qFunction struct{ network Network }

func (q qFunction) Features() string { return q.network.Features() }

func (q qFunction) NewBatch(size, n1, n2 int) (qap.QBatch, error) {
	return qBatch{q.network.NewPass(size, n1, n2)}, nil
}

type qBatch struct{ Pass }

func (b qBatch) Evaluate() ([]float32, error) { return b.Forward(), nil }
func (b qBatch) Close() error                 { return nil }
