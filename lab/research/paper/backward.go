package paper

import (
	"gonum.org/v1/gonum/blas"

	"github.com/rgm-go/rgm/internal/layers"
)

func (p *pass) Backward(dq []float32, gradient [][]float32) {
	if len(p.q) == 0 {
		return
	}
	p.backHead(dq, gradient)
	p.backEmbed(gradient)
	p.backTerms(gradient)
}

// backHead adds the gradients of equation 9 and leaves that of the last embedding
// in de.
func (p *pass) backHead(dq []float32, gradient [][]float32) {
	n, g, d := p.net, p.gradients(), p.net.hidden
	rows, vertices := len(p.q), p.n1*p.n2
	dtheta6, db1 := gradient[5], gradient[6]
	dtheta8, db3 := gradient[n.advantages()], gradient[n.advantages()+1]

	copy(g.dq, dq)
	if !n.single {
		p.backValue(gradient[7], gradient[8])
	}
	for b := range p.batch { // every vertex takes part in the mean
		for v := range vertices {
			copy(g.dh5[(b*vertices+v)*n.head:][:n.head], g.dh5Mean[b*n.head:])
		}
	}
	layers.AddBiasGradient(db3, g.dq)
	layers.AddWeightGradient(dtheta8, p.h5, g.dq, rows, n.head, 1)
	layers.MultiplyBack(g.dh5, g.dq, n.theta8.Data, rows, n.head, 1, 1)
	layers.ReluBack(g.dh5, p.h5)
	layers.AddBiasGradient(db1, g.dh5)
	layers.AddWeightGradient(dtheta6, p.e[len(p.e)-1], g.dh5, rows, d, n.head)
	layers.Transpose(g.theta6, n.theta6.Data, d, n.head, 1)
	layers.Multiply(g.de, g.dh5, g.theta6, rows, n.head, d, 0)
}

// backValue takes the gradient of Q apart, and passes the part of the state values
// on to θ7, b2 and dh5Mean.
func (p *pass) backValue(dtheta7, db2 []float32) {
	n, g := p.net, p.back
	layers.DuelBack(g.dq, g.dv)
	layers.AddBiasGradient(db2, g.dv)
	layers.AddWeightGradient(dtheta7, p.h5Mean, g.dv, p.batch, n.head, 1)
	layers.MultiplyBack(g.dh5Mean, g.dv, n.theta7.Data, p.batch, n.head, 1, 0)
	layers.Scale(g.dh5Mean, 1/float32(p.n1*p.n2))
}

// backEmbed goes back through the iterations, adds the gradients of θ2 and θ9 and leaves
// that of terms in dterms.
func (p *pass) backEmbed(gradient [][]float32) {
	g, d, dtheta2 := p.back, p.net.hidden, gradient[1]
	rows := len(p.q)
	clear(g.dterms)
	layers.Transpose(g.theta2, p.net.theta2.Data, d, d, p.share())
	for t := len(p.e) - 1; ; t-- {
		layers.ReluBack(g.de, p.e[t])
		layers.AddWeightGradient(g.dterms, p.inputs[0], g.de, rows, channels, d)
		if t == 0 {
			return
		}
		switch {
		case p.matched != nil:
			p.matched.back(g.spare, g.de, p.e[t-1], dtheta2, gradient[p.net.advantages()+2])
			g.de, g.spare = g.spare, g.de
			continue
		case p.net.variant.weighted:
			p.weigh(p.near, g.de, blas.Trans)
			g.de, p.near = p.near, g.de
		default:
			p.sums.others(g.de, p.batch, p.n1, p.n2, d) // A is symmetric: its own gradient
			if t == 1 && p.first != nil && p.first.found {
				p.first.back(g, dtheta2)
				return
			}
			p.sums.Spread(g.de, p.batch, p.n1, p.n2, d)
		}
		layers.MatrixProduct(blas.Trans, blas.NoTrans, p.share(), layers.Matrix(rows, d, p.e[t-1]), layers.Matrix(rows, d, g.de), 1, layers.Matrix(d, d, dtheta2))
		layers.Multiply(g.spare, g.de, g.theta2, rows, d, d, 0)
		g.de, g.spare = g.spare, g.de
	}
}

// backTerms adds the gradients of θ1, θ3, θ4 and θ5, given that of terms.
func (p *pass) backTerms(gradient [][]float32) {
	n, g, d := p.net, p.back, p.net.hidden
	layers.Axpy(gradient[0], 1, g.dterms[solution*d:][:d])
	layers.Axpy(gradient[2], 1, g.dterms[neighbourWeights*d:][:d])
	edges := g.dterms[positiveEdges*d:][:2*d]
	layers.AddWeightGradient(gradient[3], p.split, edges, 2, d, d)
	layers.MultiplyBack(g.dsplit, edges, n.theta4.Data, 2, d, d, 0)
	for k, v := range n.theta5.Data {
		switch {
		case v > 0:
			gradient[4][k] += g.dsplit[k]
		case v < 0:
			gradient[4][k] -= g.dsplit[d+k]
		}
	}
}
