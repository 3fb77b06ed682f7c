// Package ngm is neural graph matching: a network that gives a soft matching of an instance in
// one evaluation. The paper compares with it.
package ngm

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"

	"github.com/rgm-go/rgm/internal/layers"
	"github.com/rgm-go/rgm/lab/research/soft"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/features"
)

// Network gives a soft matching of an instance in one evaluation: embeddings of the vertices
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
type Network struct {
	hidden int
	layers []ngmLayer
}

// Name is that of the architecture, and of the method.
const Name = "ngm"

// Whoever imports the package has the architecture, and its method or refinement.
func init() {
	models.Register(models.Architecture{
		Name: Name,
		New: func(c models.Config, rng *rand.Rand) (models.Network, error) {
			return newNetwork(c.HiddenOr(16), c.IterationsOr(3), rng), nil
		},
		Least: func(c models.Config) float64 { // the first layer takes the inputs
			return float64(c.Iterations-1) * float64(c.Hidden) * float64(c.Hidden)
		},
	})
	soft.RegisterMethod(Name)
}

type ngmLayer struct{ message, sharp, self, bias, score models.Parameter }

func newNetwork(hidden, count int, rng *rand.Rand) *Network {
	n := &Network{hidden: hidden}
	in := soft.Channels
	for t := range count {
		name := func(weights string) string { return fmt.Sprintf("layer%d.%s", t+1, weights) }
		l := ngmLayer{
			message: layers.Tensor(name("message"), in, hidden), sharp: layers.Tensor(name("sharp"), in, hidden), self: layers.Tensor(name("self"), in, hidden),
			bias: layers.Tensor(name("bias"), hidden), score: layers.Tensor(name("score"), hidden, 1),
		}
		for _, p := range []models.Parameter{l.message, l.sharp, l.self} {
			layers.HeInit(p, 3*in, rng) // three terms add up
		}
		layers.XavierInit(l.score, hidden, 1, rng)
		n.layers = append(n.layers, l)
		in = hidden + 1
	}
	return n
}

// Architecture is the name of the architecture.
func (n *Network) Architecture() string { return Name }

// Features names the set of inputs.
func (n *Network) Features() string { return soft.Set }

// Dueling is false: the output is no Q.
func (n *Network) Dueling() bool { return false }

// Config makes a network of the same shape by models.New.
func (n *Network) Config() models.Config {
	return models.Config{Architecture: Name, Hidden: n.hidden, Iterations: len(n.layers)}
}

// InputSize is 1, of edges a vertex's share of 1.
func (n *Network) InputSize(tensor, vertices int) float64 {
	if tensor == 1 {
		return 1 / float64(vertices)
	}
	return 1
}

// Parameters returns the weights, always in the same order.
func (n *Network) Parameters() []models.Parameter {
	var all []models.Parameter
	for _, l := range n.layers {
		all = append(all, l.message, l.sharp, l.self, l.bias, l.score)
	}
	return all
}

// ngmPass works state by state; its memory is that of one batch.
type ngmPass struct {
	net           *Network
	batch, n1, n2 int
	inputs        [][]float32
	sharp         []float32   // V
	embeddings    [][]float32 // Eᵗ, [batch·vertices, channels]
	hidden        [][]float32 // Hᵗ
	messages      []float32   // Eᵗ·Mᵗ, then Eᵗ·Nᵗ
	scores        []float32
	sinkhorn      [][]*soft.Sinkhorn // of each layer and state

	back *ngmGradients // made by the first Backward
}

type ngmGradients struct{ dscores, dhidden, dmessages, de []float32 }

// NewPass prepares evaluations of batches of the given shape.
func (n *Network) NewPass(batch, n1, n2 int) models.Pass {
	rows := batch * n1 * n2
	floats := func(size int) []float32 { return make([]float32, size) }
	p := &ngmPass{
		net: n, batch: batch, n1: n1, n2: n2, inputs: features.Make(soft.Set, batch, n1, n2),
		messages: floats(rows * n.hidden), scores: floats(rows), sharp: floats(rows * n1 * n2),
	}
	p.embeddings = [][]float32{p.inputs[0]}
	for t := range n.layers {
		p.hidden = append(p.hidden, floats(rows*n.hidden))
		if t > 0 {
			p.embeddings = append(p.embeddings, floats(rows*(n.hidden+1)))
		}
		var each []*soft.Sinkhorn
		for range batch {
			each = append(each, soft.NewSinkhorn(n1, n2))
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
		layers.Dense(h, e, l.self.Data, l.bias.Data, rows, p.channels(t))
		layers.Multiply(p.messages, e, l.message.Data, rows, p.channels(t), d, 0)
		p.pass(p.inputs[1], h, p.messages, blas.NoTrans)
		layers.Multiply(p.messages, e, l.sharp.Data, rows, p.channels(t), d, 0)
		p.pass(p.sharp, h, p.messages, blas.NoTrans)
		layers.Relu(h)
		layers.Multiply(p.scores, h, l.score.Data, rows, d, 1, 0)
		for b, s := range p.sinkhorn[t] {
			s.Forward(p.state(p.scores, b, 1))
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
		largest := float32(soft.LeastEdge)
		for _, x := range w {
			largest = max(largest, x, -x)
		}
		for k, x := range w {
			share := max(x, -x) / largest
			v[k] = x * share * share * share
		}
	}
}

// pass adds the product of edges, W or V, and x to y, both of the width of the embeddings,
// or the product with their transpose.
func (p *ngmPass) pass(edges, y, x []float32, transposed blas.Transpose) {
	d, vertices := p.net.hidden, p.n1*p.n2
	for b := range p.batch {
		w := layers.Matrix(vertices, vertices, p.state(edges, b, vertices))
		layers.MatrixProduct(transposed, blas.NoTrans, 1, w, layers.Matrix(vertices, d, p.state(x, b, d)), 1, layers.Matrix(vertices, d, p.state(y, b, d)))
	}
}

// join puts an embedding together of Hᵗ and the soft matching of the scores.
func (p *ngmPass) join(e, h []float32, t int) {
	d := p.net.hidden
	for b, s := range p.sinkhorn[t] {
		for v := range p.n1 * p.n2 {
			row := (b*p.n1*p.n2 + v)
			copy(e[row*(d+1):], h[row*d:(row+1)*d])
			e[row*(d+1)+d] = soft.Exp(s.At(v)) * float32(max(p.n1, p.n2))
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
			s.Backward(p.state(g.dscores, b, 1))
		}
		layers.AddWeightGradient(dscore, p.hidden[t], g.dscores, rows, d, 1)
		layers.MultiplyBack(g.dhidden, g.dscores, l.score.Data, rows, d, 1, 1)
		layers.ReluBack(g.dhidden, p.hidden[t])
		layers.AddBiasGradient(dbias, g.dhidden)
		layers.AddWeightGradient(dself, p.embeddings[t], g.dhidden, rows, in, d)
		if t > 0 {
			layers.MultiplyBack(g.de, g.dhidden, l.self.Data, rows, in, d, 0)
		}
		p.backPass(p.inputs[1], l.message, dmessage, t)
		p.backPass(p.sharp, l.sharp, dsharp, t)
	}
}

// backPass goes back through the messages by edges, W or V, with their weights.
func (p *ngmPass) backPass(edges []float32, weights models.Parameter, gradient []float32, t int) {
	g, rows, in, d := p.back, len(p.scores), p.channels(t), p.net.hidden
	clear(g.dmessages)
	p.pass(edges, g.dmessages, g.dhidden, blas.Trans)
	layers.AddWeightGradient(gradient, p.embeddings[t], g.dmessages, rows, in, d)
	if t > 0 {
		layers.MultiplyBack(g.de, g.dmessages, weights.Data, rows, in, d, 1)
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
