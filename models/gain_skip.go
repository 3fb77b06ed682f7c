package models

import (
	"github.com/rgm-go/rgm/internal/layers"
	"github.com/rgm-go/rgm/qap/features"
)

// addSkip adds w_skip·f to q, without the channels of the state: what all vertices have
// alike is no advantage.
func (p *gainPass) addSkip() {
	skip, n1, n2 := p.net.skip.Data, p.n1, p.n2
	for s := range p.batch {
		q, vertices, rows, columns := p.q[s*n1*n2:(s+1)*n1*n2], p.input(0, s), p.input(1, s), p.input(2, s)
		for k, channel := range features.VertexChannels {
			layers.Axpy(q, skip[channel], vertices[k*n1*n2:(k+1)*n1*n2])
		}
		for k, channel := range features.RowChannels {
			for i, v := range rows[k*n1 : (k+1)*n1] {
				shift(q[i*n2:(i+1)*n2], skip[channel]*v)
			}
		}
		for k, channel := range features.ColumnChannels {
			for i := range n1 {
				layers.Axpy(q[i*n2:(i+1)*n2], skip[channel], columns[k*n2:(k+1)*n2])
			}
		}
	}
}

// addSkipGradient adds the gradient of w_skip, given that of the advantages.
func (p *gainPass) addSkipGradient(dskip, dadvantage []float32) {
	n1, n2 := p.n1, p.n2
	for s := range p.batch {
		da, vertices, rows, columns := dadvantage[s*n1*n2:(s+1)*n1*n2], p.input(0, s), p.input(1, s), p.input(2, s)
		for k, channel := range features.VertexChannels {
			dskip[channel] += dot(vertices[k*n1*n2:(k+1)*n1*n2], da)
		}
		sumPlane(p.sums.Rows, p.sums.Cols, da)
		for k, channel := range features.RowChannels {
			dskip[channel] += dot(rows[k*n1:(k+1)*n1], p.sums.Rows)
		}
		for k, channel := range features.ColumnChannels {
			dskip[channel] += dot(columns[k*n2:(k+1)*n2], p.sums.Cols)
		}
	}
}

// addStateSkip adds to Q, without duelling, what w_skip makes of the state's channels,
// and the bias. With duelling they are no advantage.
func (p *gainPass) addStateSkip() {
	size := p.n1 * p.n2
	for s := range p.batch {
		sum := p.net.b2.Data[0]
		for k, v := range p.input(3, s) {
			sum += p.net.skip.Data[features.StateChannels[k]] * v
		}
		shift(p.q[s*size:(s+1)*size], sum)
	}
}

// addStateSkipGradient adds the gradients of the weights in addStateSkip, given that of Q.
func (p *gainPass) addStateSkipGradient(dskip, db2, dq []float32) {
	size := p.n1 * p.n2
	for s := range p.batch {
		total := float32(size) * layers.Mean(dq[s*size:(s+1)*size])
		db2[0] += total
		for k, v := range p.input(3, s) {
			dskip[features.StateChannels[k]] += total * v
		}
	}
}
