package models

import (
	"github.com/rgm-go/rgm/internal/layers"
	"github.com/rgm-go/rgm/qap/features"
)

// gainWeights are the weights of Gain's embedding by what they act on, or the gradients
// of those.
type gainWeights struct {
	hidden     int
	vertices   []float32 // W of the channels of vertices
	rows, cols []float32 // R and C of all channels, with W of those of rows and of columns
	all        []float32 // G of all channels, with W of those of the state
}

func newGainWeights(hidden int) gainWeights {
	matrix := func(channels int) []float32 { return make([]float32, channels*hidden) }
	return gainWeights{
		hidden: hidden, vertices: matrix(len(features.VertexChannels)),
		rows: matrix(features.GainChannels), cols: matrix(features.GainChannels), all: matrix(features.GainChannels),
	}
}

// gather takes the weights of a network.
func (e *gainWeights) gather(n *Gain) {
	copy(e.rows, n.r.Data)
	copy(e.cols, n.c.Data)
	copy(e.all, n.g.Data)
	clear(e.vertices)
	e.pairs(n.w.Data, func(w, part []float32) { layers.Axpy(part, 1, w) })
}

// scatter adds gradients to those of W, R, C and G.
func (e *gainWeights) scatter(dw, dr, dc, dg []float32) {
	layers.Axpy(dr, 1, e.rows)
	layers.Axpy(dc, 1, e.cols)
	layers.Axpy(dg, 1, e.all)
	e.pairs(dw, func(w, part []float32) { layers.Axpy(w, 1, part) })
}

// pairs calls do with the row of W of every channel and the row that it is a part of.
func (e *gainWeights) pairs(w []float32, do func(w, part []float32)) {
	row := func(m []float32, k int) []float32 { return m[k*e.hidden : (k+1)*e.hidden] }
	for k, channel := range features.VertexChannels {
		do(row(w, channel), row(e.vertices, k))
	}
	for _, channel := range features.RowChannels {
		do(row(w, channel), row(e.rows, channel))
	}
	for _, channel := range features.ColumnChannels {
		do(row(w, channel), row(e.cols, channel))
	}
	for _, channel := range features.StateChannels {
		do(row(w, channel), row(e.all, channel))
	}
}

func (e *gainWeights) clear() {
	for _, m := range [][]float32{e.vertices, e.rows, e.cols, e.all} {
		clear(m)
	}
}
