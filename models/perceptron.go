package models

import "math/rand/v2"

// perceptron holds the weights of w3·ReLU(W2·ReLU(W1·f + b1) + b2) + b3.
type perceptron struct{ w1, b1, w2, b2, w3, b3 Parameter }

// inputs are the numbers of a row, and how many of them are not 0 at once.
type inputs struct{ channels, busy int }

func newPerceptron(name string, in inputs, hidden, head int, rng *rand.Rand) perceptron {
	p := perceptron{
		w1: tensor(name+".w1", in.channels, hidden), b1: tensor(name+".b1", hidden),
		w2: tensor(name+".w2", hidden, head), b2: tensor(name+".b2", head),
		w3: tensor(name+".w3", head, 1), b3: tensor(name+".b3", 1),
	}
	heInit(p.w1, in.busy, rng)
	heInit(p.w2, hidden, rng)
	xavierInit(p.w3, head, 1, rng)
	return p
}

func (p *perceptron) parameters() []Parameter {
	return []Parameter{p.w1, p.b1, p.w2, p.b2, p.w3, p.b3}
}

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
	dense(p.h, f, n.w1.Data, n.b1.Data, rows, n.w1.Shape[0])
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
	addWeightGradient(gradient[0], f, p.dh, rows, n.w1.Shape[0], hidden)
}

// singlePass is the pass of a network that is one perceptron, of rows of inputs.
type singlePass struct {
	f   []float32
	net *perceptronPass
}

func newSinglePass(net *perceptron, rows int) *singlePass {
	return &singlePass{make([]float32, rows*net.w1.Shape[0]), newPerceptronPass(net, rows)}
}

func (p *singlePass) Inputs() [][]float32 { return [][]float32{p.f} }
func (p *singlePass) Forward() []float32  { return p.net.forward(p.f) }

func (p *singlePass) Backward(dq []float32, gradient [][]float32) {
	p.net.backward(p.f, dq, gradient)
}
