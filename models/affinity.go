package models

import (
	"math/rand/v2"

	"github.com/rgm-go/rgm/qap/features"
)

// Affinity answers the questions of the Affinity features f by two perceptrons with
// two hidden layers; the channel features.AsksSize, s, chooses between them:
//
//	Q = (1 − s)·edge(f) + s·size(f)
//	edge, size = w3·ReLU(W2·ReLU(W1·f + b1) + b2) + b3
type Affinity struct {
	hidden, head int
	edge, size   perceptron
}

// perceptron holds the weights of one of the two.
type perceptron struct{ w1, b1, w2, b2, w3, b3 Parameter }

func newPerceptron(name string, hidden, head int, rng *rand.Rand) perceptron {
	const in = features.AffinityChannels
	p := perceptron{
		w1: tensor(name+".w1", in, hidden), b1: tensor(name+".b1", hidden),
		w2: tensor(name+".w2", hidden, head), b2: tensor(name+".b2", head),
		w3: tensor(name+".w3", head, 1), b3: tensor(name+".b3", 1),
	}
	heInit(p.w1, in/2, rng) // the inputs of the other question are 0
	heInit(p.w2, hidden, rng)
	xavierInit(p.w3, head, 1, rng)
	return p
}

func (p *perceptron) parameters() []Parameter {
	return []Parameter{p.w1, p.b1, p.w2, p.b2, p.w3, p.b3}
}

func newAffinity(hidden, head int, rng *rand.Rand) *Affinity {
	return &Affinity{hidden, head, newPerceptron("edge", hidden, head, rng), newPerceptron("size", hidden, head, rng)}
}

func (n *Affinity) Architecture() string { return ArchitectureAffinity }
func (n *Affinity) Features() string     { return features.Affinity }

// Dueling is false: the answers are no Q.
func (n *Affinity) Dueling() bool { return false }

func (n *Affinity) Parameters() []Parameter {
	return append(n.edge.parameters(), n.size.parameters()...)
}

// StandardizeEdge changes the answers about edge affinities to those that it gave for
// inputs less mean, over scale. The channel features.AsksSize must have mean 0.
func (n *Affinity) StandardizeEdge(mean, scale []float32) { n.edge.standardize(mean, scale) }

// StandardizeSize does the same for the answers about sizes.
func (n *Affinity) StandardizeSize(mean, scale []float32) { n.size.standardize(mean, scale) }

func (p *perceptron) standardize(mean, scale []float32) {
	hidden := len(p.b1.Data)
	for i := range mean {
		row := p.w1.Data[i*hidden : (i+1)*hidden]
		for k := range row {
			row[k] /= scale[i]
			p.b1.Data[k] -= row[k] * mean[i]
		}
	}
}

func (n *Affinity) NewPass(batch, n1, n2 int) Pass {
	rows := batch * n1 * n2
	return &affinityPass{
		net: n, f: make([]float32, rows*features.AffinityChannels), q: make([]float32, rows),
		edge: newPerceptronPass(&n.edge, rows), size: newPerceptronPass(&n.size, rows),
	}
}

type affinityPass struct {
	net        *Affinity
	f, q       []float32
	edge, size *perceptronPass
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
	edge, size := p.edge.y, p.size.y
	if asksEdge {
		edge = p.edge.forward(p.f)
	}
	if asksSize {
		size = p.size.forward(p.f)
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
		p.edge.backward(p.f, p.dq, gradient[:each])
	}
	if asksSize {
		for row, d := range dq {
			p.dq[row] = p.asksSize(row) * d
		}
		p.size.backward(p.f, p.dq, gradient[each:])
	}
}

// perceptronPass is the working memory of a perceptron.
type perceptronPass struct {
	net     *perceptron
	h, u, y []float32
	dh, du  []float32 // made by the first backward
}

func newPerceptronPass(net *perceptron, rows int) *perceptronPass {
	return &perceptronPass{
		net: net, h: make([]float32, rows*len(net.b1.Data)), u: make([]float32, rows*len(net.b2.Data)), y: make([]float32, rows),
	}
}

func (p *perceptronPass) forward(f []float32) []float32 {
	n, rows := p.net, len(p.y)
	dense(p.h, f, n.w1.Data, n.b1.Data, rows, features.AffinityChannels)
	relu(p.h)
	dense(p.u, p.h, n.w2.Data, n.b2.Data, rows, len(n.b1.Data))
	relu(p.u)
	dense(p.y, p.u, n.w3.Data, n.b3.Data, rows, len(n.b2.Data))
	return p.y
}

func (p *perceptronPass) backward(f, dy []float32, gradient [][]float32) {
	if p.dh == nil {
		p.dh, p.du = make([]float32, len(p.h)), make([]float32, len(p.u))
	}
	n, rows, hidden, head := p.net, len(p.y), len(p.net.b1.Data), len(p.net.b2.Data)
	addBiasGradient(gradient[5], dy)
	addWeightGradient(gradient[4], p.u, dy, rows, head, 1)
	multiplyBack(p.du, dy, n.w3.Data, rows, head, 1, 0)
	reluBack(p.du, p.u)
	addBiasGradient(gradient[3], p.du)
	addWeightGradient(gradient[2], p.h, p.du, rows, hidden, head)
	multiplyBack(p.dh, p.du, n.w2.Data, rows, hidden, head, 0)
	reluBack(p.dh, p.h)
	addBiasGradient(gradient[1], p.dh)
	addWeightGradient(gradient[0], f, p.dh, rows, features.AffinityChannels, hidden)
}
