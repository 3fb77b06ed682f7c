package layers

import (
	"math/rand/v2"

	"github.com/rgm-go/rgm/internal/onnx"
)

// Perceptron holds the weights of w3·ReLU(W2·ReLU(W1·f + b1) + b2) + b3.
type Perceptron struct{ w1, b1, w2, b2, w3, b3 Parameter }

// Inputs are the numbers of a row, and how many of them are not 0 at once.
type Inputs struct{ Channels, Busy int }

// NewPerceptron returns a perceptron whose weights have names that begin alike.
func NewPerceptron(name string, in Inputs, hidden, head int, rng *rand.Rand) Perceptron {
	p := Perceptron{
		w1: Tensor(name+".w1", in.Channels, hidden), b1: Tensor(name+".b1", hidden),
		w2: Tensor(name+".w2", hidden, head), b2: Tensor(name+".b2", head),
		w3: Tensor(name+".w3", head, 1), b3: Tensor(name+".b3", 1),
	}
	HeInit(p.w1, in.Busy, rng)
	HeInit(p.w2, hidden, rng)
	XavierInit(p.w3, head, 1, rng)
	return p
}

// Parameters returns the weights, those of the output the last but one.
func (p *Perceptron) Parameters() []Parameter {
	return []Parameter{p.w1, p.b1, p.w2, p.b2, p.w3, p.b3}
}

// ShrinkOutput makes the output weights smaller, by OutputShrink.
func (p *Perceptron) ShrinkOutput() { Scale(p.w3.Data, OutputShrink) }

// Standardize changes the answers to those that it gave for inputs less mean, over scale.
func (p *Perceptron) Standardize(mean, scale []float32) {
	hidden := len(p.b1.Data)
	for i := range mean {
		row := p.w1.Data[i*hidden : (i+1)*hidden]
		for k := range row {
			row[k] /= scale[i]
			p.b1.Data[k] -= row[k] * mean[i]
		}
	}
}

// PerceptronPass is the working memory of a perceptron.
type PerceptronPass struct {
	net     *Perceptron
	h, u, y []float32
	dh, du  []float32 // made by the first backward
}

// NewPerceptronPass prepares evaluations of so many rows.
func NewPerceptronPass(net *Perceptron, rows int) *PerceptronPass {
	return &PerceptronPass{
		net: net, h: make([]float32, rows*len(net.b1.Data)), u: make([]float32, rows*len(net.b2.Data)), y: make([]float32, rows),
	}
}

// Answers returns those of the last Forward, 0 before.
func (p *PerceptronPass) Answers() []float32 { return p.y }

// Forward returns the answer of every row, valid until the next call.
func (p *PerceptronPass) Forward(f []float32) []float32 {
	n, rows := p.net, len(p.y)
	Dense(p.h, f, n.w1.Data, n.b1.Data, rows, n.w1.Shape[0])
	Relu(p.h)
	Dense(p.u, p.h, n.w2.Data, n.b2.Data, rows, len(n.b1.Data))
	Relu(p.u)
	Dense(p.y, p.u, n.w3.Data, n.b3.Data, rows, len(n.b2.Data))
	return p.y
}

// Backward adds to the gradient, in the order of Parameters, given that of the answers.
func (p *PerceptronPass) Backward(f, dy []float32, gradient [][]float32) {
	if p.dh == nil {
		p.dh, p.du = make([]float32, len(p.h)), make([]float32, len(p.u))
	}
	n, rows, hidden, head := p.net, len(p.y), len(p.net.b1.Data), len(p.net.b2.Data)
	AddBiasGradient(gradient[5], dy)
	AddWeightGradient(gradient[4], p.u, dy, rows, head, 1)
	MultiplyBack(p.du, dy, n.w3.Data, rows, head, 1, 0)
	ReluBack(p.du, p.u)
	AddBiasGradient(gradient[3], p.du)
	AddWeightGradient(gradient[2], p.h, p.du, rows, hidden, head)
	MultiplyBack(p.dh, p.du, n.w2.Data, rows, hidden, head, 0)
	ReluBack(p.dh, p.h)
	AddBiasGradient(gradient[1], p.dh)
	AddWeightGradient(gradient[0], f, p.dh, rows, n.w1.Shape[0], hidden)
}

// PerceptronGraph writes a perceptron as nodes, of rows f.
func PerceptronGraph(b *onnx.Builder, name, f string) string {
	h := b.Op("Relu", b.Dense(f, name+".w1", name+".b1"))
	u := b.Op("Relu", b.Dense(h, name+".w2", name+".b2"))
	return b.Dense(u, name+".w3", name+".b3")
}

// Mixed is (1 − s)·x + s·y, [batch, n1, n2], where s is the channel of f that says which of two
// questions is asked.
func Mixed(b *onnx.Builder, f string, channel int64, x, y string) string {
	asked := b.OpWith("Gather", []onnx.Attribute{{Name: "axis", Value: int64(3)}}, f, b.Ints(channel))
	return b.Op("Squeeze", b.Op("Add", x, b.Op("Mul", asked, b.Op("Sub", y, x))), b.Ints(3))
}
