// Package models holds the Q-networks: their parameters, their forward pass and
// the backward pass that training needs, in float32 over gonum's BLAS.
//
// Two architectures are policies. Paper is the paper's network, literally, or with one
// line changed; Gain is a small network over exact gains and the policy's memory.
// Affinity re-weighs affinities, NGM and LCS give soft matchings,
// Rewriter picks what to change. All take the tensors of
// their set of features for a batch of states (see features.Tensors), and return Q of
// every vertex of the association graph, [batch, n1, n2].
package models

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// The architectures, as models state them.
const (
	ArchitectureGain     = "gain"
	ArchitecturePaper    = "paper"
	ArchitectureWeighted = "paper-weighted"
	ArchitectureMatched  = "paper-matched"
	ArchitectureAffinity = "affinity"
	ArchitectureNGM      = "ngm"
	ArchitectureLCS      = "lcs"
	ArchitectureRewriter = "rewriter"
)

// Parameter is one weight tensor of a network, row-major.
type Parameter struct {
	Name  string
	Shape []int
	Data  []float32
}

// Network is a Q-network. It may be shared by goroutines as long as none changes
// its parameters; a Pass may not.
type Network interface {
	// Architecture is one of the constants of that name.
	Architecture() string
	// Features names the set of inputs (see package features).
	Features() string
	// Parameters returns the weights, always in the same order. The data are the
	// network's own: what is written there counts.
	Parameters() []Parameter
	// Dueling tells whether Q is put together from a state value and advantages,
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
	Architecture string `mapstructure:"architecture"` // gain, paper, paper-weighted or paper-matched
	Hidden       int    `mapstructure:"hidden"`       // width of the embedding (gain 16, paper 128)
	Head         int    `mapstructure:"head"`         // width of the Q-value head (gain: Hidden, paper 64)
	Iterations   int    `mapstructure:"iterations"`   // paper: the paper's T (3)
	SingleStream bool   `mapstructure:"-"`            // Q is the advantages alone: no duelling
	Regularized  string `mapstructure:"-"`            // paper: the form of K_reg that it sees, literal, corrected or exact; K where empty
}

// New returns a network with random weights drawn from rng.
func New(c Config, rng *rand.Rand) (Network, error) {
	if c.Hidden < 0 || c.Head < 0 || c.Iterations < 0 || max(c.Hidden, c.Head) > 4096 || c.Iterations > 64 {
		return nil, fmt.Errorf("models: hidden %d, head %d, iterations %d: want widths 1..4096 and iterations 1..64, or 0 for the default", c.Hidden, c.Head, c.Iterations)
	}
	switch c.Architecture {
	case ArchitectureGain:
		hidden := orDefault(c.Hidden, 16)
		return newGain(hidden, orDefault(c.Head, hidden), c.SingleStream, rng), nil
	case ArchitecturePaper, ArchitectureWeighted, ArchitectureMatched:
		kind := features.PaperKind{Weighted: c.Architecture != ArchitecturePaper, Matched: c.Architecture == ArchitectureMatched, Regularized: c.Regularized != ""}
		if kind.Regularized {
			var err error
			if kind.Form, err = qap.ParseRegularizedForm(c.Regularized); err != nil {
				return nil, fmt.Errorf("models: %w", err)
			}
		}
		shape := paperShape{orDefault(c.Hidden, 128), orDefault(c.Head, 64), orDefault(c.Iterations, 3), c.SingleStream, kind}
		return newPaper(shape, rng), nil
	case ArchitectureNGM:
		return newNGM(orDefault(c.Hidden, 16), orDefault(c.Iterations, 3), rng), nil
	case ArchitectureLCS:
		return newLCS(orDefault(c.Hidden, 16), orDefault(c.Head, 8), orDefault(c.Iterations, 6), rng), nil
	case ArchitectureRewriter:
		hidden := orDefault(c.Hidden, 24)
		return newRewriter(hidden, orDefault(c.Head, hidden), rng), nil
	case ArchitectureAffinity:
		hidden := orDefault(c.Hidden, 40)
		return newAffinity(hidden, orDefault(c.Head, hidden), rng), nil
	}
	return nil, fmt.Errorf("models: unknown architecture %q: want %s, %s, %s, %s, %s, %s, %s or %s", c.Architecture,
		ArchitectureGain, ArchitecturePaper, ArchitectureWeighted, ArchitectureMatched, ArchitectureAffinity, ArchitectureNGM, ArchitectureLCS, ArchitectureRewriter)
}

func orDefault(v, otherwise int) int {
	if v == 0 {
		return otherwise
	}
	return v
}

// Clone returns a network with the same weights in memory of its own.
func Clone(n Network) Network {
	var twin Network
	switch n := n.(type) {
	case *Gain:
		twin = newGain(n.hidden, n.head, n.single, nil)
	case *Paper:
		twin = newPaper(n.paperShape, nil)
	case *NGM:
		twin = newNGM(n.hidden, len(n.layers), nil)
	case *Rewriter:
		twin = newRewriter(n.hidden, n.head, nil)
	case *LCS:
		twin = newLCS(n.hidden, n.edge, n.rounds, nil)
	case *Affinity:
		twin = newAffinity(n.hidden, n.head, nil)
	default:
		panic(fmt.Sprintf("models: Clone of a %T", n))
	}
	Copy(twin, n)
	return twin
}

// Copy writes the weights of src, a network of the same shape, into dst.
func Copy(dst, src Network) {
	from := src.Parameters()
	for k, p := range dst.Parameters() {
		copy(p.Data, from[k].Data)
	}
}

// OfStateValue tells of every parameter whether it serves the state value alone: whatever
// it is, the advantages are the same.
func OfStateValue(n Network) []bool {
	var serves []bool
	for _, p := range n.Parameters() {
		serves = append(serves, slices.Contains(stateValueParameters, p.Name))
	}
	return serves
}

// stateValueParameters are those of Gain and of Paper.
var stateValueParameters = []string{"value.w1", "value.b1", "value.w2", "value.b2", "theta7", "b2"}

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
	var all [][]float32
	for _, p := range n.Parameters() {
		all = append(all, p.Data)
	}
	return all
}

// NewGradient returns zeroed memory for a gradient of the network.
func NewGradient(n Network) [][]float32 {
	var gradient [][]float32
	for _, p := range n.Parameters() {
		gradient = append(gradient, make([]float32, len(p.Data)))
	}
	return gradient
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
