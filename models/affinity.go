package models

import (
	"math/rand/v2"

	"github.com/rgm-go/rgm/internal/layers"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/qap/features"
)

// Affinity answers the questions of the Affinity features f by two perceptrons with
// two hidden layers; the channel features.AsksSize, s, chooses between them:
//
//	Q = (1 − s)·edge(f) + s·size(f)
//	edge, size = w3·ReLU(W2·ReLU(W1·f + b1) + b2) + b3
type Affinity struct {
	hidden, head int
	edge, size   layers.Perceptron
}

var affinityArchitecture = Architecture{Name: ArchitectureAffinity, New: func(c Config, rng *rand.Rand) (Network, error) {
	hidden := c.HiddenOr(40)
	return newAffinity(hidden, c.HeadOr(hidden), rng), nil
}}

// affinityInputs are those of each: the inputs of the other question are 0.
var affinityInputs = layers.Inputs{Channels: features.AffinityChannels, Busy: features.AffinityChannels / 2}

func newAffinity(hidden, head int, rng *rand.Rand) *Affinity {
	return &Affinity{hidden, head, layers.NewPerceptron("edge", affinityInputs, hidden, head, rng), layers.NewPerceptron("size", affinityInputs, hidden, head, rng)}
}

// Architecture is the name of the architecture.
func (n *Affinity) Architecture() string { return ArchitectureAffinity }

// Features names the set of inputs.
func (n *Affinity) Features() string { return features.Affinity }

// Dueling is false: the answers are no Q.
func (n *Affinity) Dueling() bool { return false }

// Config makes a network of the same shape by models.New.
func (n *Affinity) Config() Config {
	return Config{Architecture: ArchitectureAffinity, Hidden: n.hidden, Head: n.head}
}

// Graph implements Exportable.
func (n *Affinity) Graph(b *onnx.Builder, inputs []string) string {
	edge, size := layers.PerceptronGraph(b, "edge", inputs[0]), layers.PerceptronGraph(b, "size", inputs[0])
	return layers.Mixed(b, inputs[0], features.AsksSize, edge, size)
}

// Parameters returns the weights, always in the same order.
func (n *Affinity) Parameters() []Parameter {
	return append(n.edge.Parameters(), n.size.Parameters()...)
}

// StandardizeEdge changes the answers about edge affinities to those that it gave for
// inputs less mean, over scale. The channel features.AsksSize must have mean 0.
func (n *Affinity) StandardizeEdge(mean, scale []float32) { n.edge.Standardize(mean, scale) }

// StandardizeSize does the same for the answers about sizes.
func (n *Affinity) StandardizeSize(mean, scale []float32) { n.size.Standardize(mean, scale) }

// NewPass prepares evaluations of batches of the given shape.
func (n *Affinity) NewPass(batch, n1, n2 int) Pass {
	rows := batch * n1 * n2
	return &affinityPass{
		net: n, f: make([]float32, rows*features.AffinityChannels), q: make([]float32, rows),
		edge: layers.NewPerceptronPass(&n.edge, rows), size: layers.NewPerceptronPass(&n.size, rows),
	}
}

type affinityPass struct {
	net        *Affinity
	f, q       []float32
	edge, size *layers.PerceptronPass
	dq         []float32 // made by the first Backward
}

func (p *affinityPass) Inputs() [][]float32 { return [][]float32{p.f} }

// asksSize is the channel that chooses, of a row.
func (p *affinityPass) asksSize(row int) float32 {
	return p.f[row*features.AffinityChannels+features.AsksSize]
}

// asks tells which of the questions are asked.
func (p *affinityPass) asks() (edge, size bool) {
	for row := range p.q {
		s := p.asksSize(row)
		edge, size = edge || s != 1, size || s != 0
	}
	return edge, size
}

// Forward leaves out the perceptron that nothing is asked of.
func (p *affinityPass) Forward() []float32 {
	asksEdge, asksSize := p.asks()
	edge, size := p.edge.Answers(), p.size.Answers()
	if asksEdge {
		edge = p.edge.Forward(p.f)
	}
	if asksSize {
		size = p.size.Forward(p.f)
	}
	for row := range p.q {
		s := p.asksSize(row)
		p.q[row] = (1-s)*edge[row] + s*size[row]
	}
	return p.q
}

// Backward does so too: the gradient of the other is 0.
func (p *affinityPass) Backward(dq []float32, gradient [][]float32) {
	if p.dq == nil {
		p.dq = make([]float32, len(dq))
	}
	asksEdge, asksSize := p.asks()
	each := len(gradient) / 2
	if asksEdge {
		for row, d := range dq {
			p.dq[row] = (1 - p.asksSize(row)) * d
		}
		p.edge.Backward(p.f, p.dq, gradient[:each])
	}
	if asksSize {
		for row, d := range dq {
			p.dq[row] = p.asksSize(row) * d
		}
		p.size.Backward(p.f, p.dq, gradient[each:])
	}
}
