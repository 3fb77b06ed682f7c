package models

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"

	"github.com/rgm-go/rgm/qap/features"
)

// NGM gives a soft matching of an instance in one evaluation: embeddings of the vertices
// of the association graph pass along K, and in every layer Sinkhorn's normalisation of a
// score of each vertex makes a soft matching, which the next layer sees. With W the edges
// and E⁰ the vertices of the NGM features, for t < T
//
//	Eᵗ⁺¹ = [Hᵗ, n·exp Lᵗ],  Hᵗ = ReLU(W·Eᵗ·Mᵗ + V·Eᵗ·Nᵗ + Eᵗ·Sᵗ + bᵗ),  Lᵗ = sinkhorn(Hᵗ·cᵗ)
//
// where V = W·(|W|/max|W|)³, entry by entry, in which the weak edges, those that
// fit by accident, count for little.
//
// with n = max(n1, n2), so that a uniform soft matching is 1. The output is Lᵀ⁻¹, logarithms of a soft matching, [batch, n1, n2].
//
// After Wang, Yan, Yang, "Neural graph matching network: learning Lawler's quadratic
// assignment problem", TPAMI 2021, arXiv:1911.11308, with one layer of weights for each of
// its functions; V is ours.
type NGM struct {
	hidden int
	layers []ngmLayer
}

type ngmLayer struct{ message, sharp, self, bias, score Parameter }

func newNGM(hidden, layers int, rng *rand.Rand) *NGM {
	n := &NGM{hidden: hidden}
	in := features.NGMChannels
	for t := range layers {
		name := func(weights string) string { return fmt.Sprintf("layer%d.%s", t+1, weights) }
		l := ngmLayer{
			message: tensor(name("message"), in, hidden), sharp: tensor(name("sharp"), in, hidden), self: tensor(name("self"), in, hidden),
			bias: tensor(name("bias"), hidden), score: tensor(name("score"), hidden, 1),
		}
		for _, p := range []Parameter{l.message, l.sharp, l.self} {
			heInit(p, 3*in, rng) // three terms add up
		}
		xavierInit(l.score, hidden, 1, rng)
		n.layers = append(n.layers, l)
		in = hidden + 1
	}
	return n
}

func (n *NGM) Architecture() string { return ArchitectureNGM }
func (n *NGM) Features() string     { return features.NGM }

// Dueling is false: the output is no Q.
func (n *NGM) Dueling() bool { return false }

// Layers returns the number T of layers.
func (n *NGM) Layers() int { return len(n.layers) }

// Hidden returns the width of the embeddings.
func (n *NGM) Hidden() int { return n.hidden }

func (n *NGM) Parameters() []Parameter {
	var all []Parameter
	for _, l := range n.layers {
		all = append(all, l.message, l.sharp, l.self, l.bias, l.score)
	}
	return all
}

// ngmPass works state by state; its memory is that of one batch.
type ngmPass struct {
	net           *NGM
	batch, n1, n2 int
	inputs        [][]float32
	sharp         []float32   // V
	embeddings    [][]float32 // Eᵗ, [batch·vertices, channels]
	hidden        [][]float32 // Hᵗ
	messages      []float32   // Eᵗ·Mᵗ, then Eᵗ·Nᵗ
	scores        []float32
	sinkhorn      [][]*sinkhorn // of each layer and state

	back *ngmGradients // made by the first Backward
}

type ngmGradients struct{ dscores, dhidden, dmessages, de []float32 }

func (n *NGM) NewPass(batch, n1, n2 int) Pass {
	rows := batch * n1 * n2
	floats := func(size int) []float32 { return make([]float32, size) }
	p := &ngmPass{
		net: n, batch: batch, n1: n1, n2: n2, inputs: features.Make(features.NGM, batch, n1, n2),
		messages: floats(rows * n.hidden), scores: floats(rows), sharp: floats(rows * n1 * n2),
	}
	p.embeddings = [][]float32{p.inputs[0]}
	for t := range n.layers {
		p.hidden = append(p.hidden, floats(rows*n.hidden))
		if t > 0 {
			p.embeddings = append(p.embeddings, floats(rows*(n.hidden+1)))
		}
		var each []*sinkhorn
		for range batch {
			each = append(each, newSinkhorn(n1, n2))
		}
		p.sinkhorn = append(p.sinkhorn, each)
	}
	return p
}

func (p *ngmPass) Inputs() [][]float32 { return p.inputs }

// channels is the width of Eᵗ.
func (p *ngmPass) channels(t int) int { return p.net.layers[t].message.Shape[0] }

// state is what the b-th state has of a tensor of some width.
func (p *ngmPass) state(x []float32, b, width int) []float32 {
	size := p.n1 * p.n2 * width
	return x[b*size : (b+1)*size]
}

func (p *ngmPass) Forward() []float32 {
	rows, d := len(p.scores), p.net.hidden
	if rows == 0 {
		return p.scores
	}
	p.sharpen()
	for t, l := range p.net.layers {
		e, h := p.embeddings[t], p.hidden[t]
		dense(h, e, l.self.Data, l.bias.Data, rows, p.channels(t))
		multiply(p.messages, e, l.message.Data, rows, p.channels(t), d, 0)
		p.pass(p.inputs[1], h, p.messages, blas.NoTrans)
		multiply(p.messages, e, l.sharp.Data, rows, p.channels(t), d, 0)
		p.pass(p.sharp, h, p.messages, blas.NoTrans)
		relu(h)
		multiply(p.scores, h, l.score.Data, rows, d, 1, 0)
		for b, s := range p.sinkhorn[t] {
			s.forward(p.state(p.scores, b, 1))
		}
		if t+1 < len(p.net.layers) {
			p.join(p.embeddings[t+1], h, t)
		}
	}
	return p.scores
}

// sharpen computes V of every state.
func (p *ngmPass) sharpen() {
	vertices := p.n1 * p.n2
	for b := range p.batch {
		w, v := p.state(p.inputs[1], b, vertices), p.state(p.sharp, b, vertices)
		largest := float32(leastEdge)
		for _, x := range w {
			largest = max(largest, x, -x)
		}
		for k, x := range w {
			share := max(x, -x) / largest
			v[k] = x * share * share * share
		}
	}
}

// leastEdge keeps the shares finite where all edges are 0.
const leastEdge = 1e-30

// pass adds the product of edges, W or V, and x to y, both of the width of the embeddings,
// or the product with their transpose.
func (p *ngmPass) pass(edges, y, x []float32, transposed blas.Transpose) {
	d, vertices := p.net.hidden, p.n1*p.n2
	for b := range p.batch {
		w := matrix(vertices, vertices, p.state(edges, b, vertices))
		matrixProduct(transposed, blas.NoTrans, 1, w, matrix(vertices, d, p.state(x, b, d)), 1, matrix(vertices, d, p.state(y, b, d)))
	}
}

// join puts an embedding together of Hᵗ and the soft matching of the scores.
func (p *ngmPass) join(e, h []float32, t int) {
	d := p.net.hidden
	for b, s := range p.sinkhorn[t] {
		for v := range p.n1 * p.n2 {
			row := (b*p.n1*p.n2 + v)
			copy(e[row*(d+1):], h[row*d:(row+1)*d])
			e[row*(d+1)+d] = exp32(s.at(v)) * float32(max(p.n1, p.n2))
		}
	}
}

func (p *ngmPass) Backward(dq []float32, gradient [][]float32) {
	rows, d := len(p.scores), p.net.hidden
	if rows == 0 {
		return
	}
	if p.back == nil {
		floats := func(size int) []float32 { return make([]float32, size) }
		p.back = &ngmGradients{floats(rows), floats(rows * d), floats(rows * d), floats(rows * (d + 1))}
	}
	g := p.back
	copy(g.dscores, dq)
	for t := len(p.net.layers) - 1; t >= 0; t-- {
		l, in := p.net.layers[t], p.channels(t)
		dmessage, dsharp, dself, dbias, dscore := gradient[5*t], gradient[5*t+1], gradient[5*t+2], gradient[5*t+3], gradient[5*t+4]
		clear(g.dhidden)
		if t+1 < len(p.net.layers) {
			p.part(t)
		}
		for b, s := range p.sinkhorn[t] {
			s.backward(p.state(g.dscores, b, 1))
		}
		addWeightGradient(dscore, p.hidden[t], g.dscores, rows, d, 1)
		multiplyBack(g.dhidden, g.dscores, l.score.Data, rows, d, 1, 1)
		reluBack(g.dhidden, p.hidden[t])
		addBiasGradient(dbias, g.dhidden)
		addWeightGradient(dself, p.embeddings[t], g.dhidden, rows, in, d)
		if t > 0 {
			multiplyBack(g.de, g.dhidden, l.self.Data, rows, in, d, 0)
		}
		p.backPass(p.inputs[1], l.message, dmessage, t)
		p.backPass(p.sharp, l.sharp, dsharp, t)
	}
}

// backPass goes back through the messages by edges, W or V, with their weights.
func (p *ngmPass) backPass(edges []float32, weights Parameter, gradient []float32, t int) {
	g, rows, in, d := p.back, len(p.scores), p.channels(t), p.net.hidden
	clear(g.dmessages)
	p.pass(edges, g.dmessages, g.dhidden, blas.Trans)
	addWeightGradient(gradient, p.embeddings[t], g.dmessages, rows, in, d)
	if t > 0 {
		multiplyBack(g.de, g.dmessages, weights.Data, rows, in, d, 1)
	}
}

// part goes back through join: from the gradient of Eᵗ⁺¹ to those of Hᵗ and of Lᵗ.
func (p *ngmPass) part(t int) {
	g, d := p.back, p.net.hidden
	for row := range len(p.scores) {
		copy(g.dhidden[row*d:(row+1)*d], g.de[row*(d+1):])
		g.dscores[row] = g.de[row*(d+1)+d] * p.embeddings[t+1][row*(d+1)+d]
	}
}
