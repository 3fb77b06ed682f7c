package lcs

import (
	"math"

	"github.com/rgm-go/rgm/internal/layers"
	"github.com/rgm-go/rgm/lab/research/soft"
)

// What Network sees of an edge: with k = W[p,q]/max|W|, k itself, its logarithm from
// leastLogarithm on, in units, and the mean |k| over the instance's edges.
const (
	edgeAffinity = iota
	edgeLogarithm
	edgeMean
	edgeChannels // how many there are

	edgeLogarithmUnit = 4
	leastLogarithm    = -12
)

// edgeChunk is how many edges are embedded together.
const edgeChunk = 1024

// attention is the edges of one state as each head weighs them: for the edges e, those with
// W ≠ 0,
//
//	A_c[e] = sign(W[e])·N·exp g_c[e] / Σ_f exp g_c[f],  g = ReLU(φ·In + b)·Out + φ·Skip
//
// with φ the channels above and N the number of vertices, so that the sum of |A_c| over the
// edges of a vertex is 1 in the mean; 0 elsewhere. What a vertex gathers therefore still
// tells how well it is supported, which it would not if every vertex's own were made 1.
type attention struct {
	vertices int
	heads    [][]float32 // A_c, [vertices, vertices]
	edges    []int32     // indices of the edges
	largest  float32     // max|W|
	mean     float32     // of |k|

	phi, embedded, logits []float32 // of a chunk
}

func newAttention(vertices int) *attention {
	a := &attention{vertices: vertices}
	for range lcsHeads {
		a.heads = append(a.heads, make([]float32, vertices*vertices))
	}
	return a
}

// embed writes the channels, the embeddings and the logits of some edges.
func (a *attention) embed(n *Network, w []float32, edges []int32) {
	if a.phi == nil {
		a.phi, a.embedded, a.logits = make([]float32, edgeChunk*edgeChannels), make([]float32, edgeChunk*n.edge), make([]float32, edgeChunk*lcsHeads)
	}
	count := len(edges)
	for k, e := range edges {
		x := w[e] / a.largest
		phi := a.phi[k*edgeChannels : (k+1)*edgeChannels]
		phi[edgeAffinity], phi[edgeMean] = x, a.mean
		phi[edgeLogarithm] = float32(max(math.Log(math.Abs(float64(x))), leastLogarithm)) / edgeLogarithmUnit
	}
	phi, embedded := a.phi[:count*edgeChannels], a.embedded[:count*n.edge]
	layers.Dense(embedded, phi, n.edgeIn.Data, n.edgeBias.Data, count, edgeChannels)
	layers.Relu(embedded)
	logits := a.logits[:count*lcsHeads]
	layers.Multiply(logits, embedded, n.edgeOut.Data, count, n.edge, lcsHeads, 0)
	layers.Multiply(logits, phi, n.edgeSkip.Data, count, edgeChannels, lcsHeads, 1)
}

// chunks calls do with parts of the edges, from their first on.
func (a *attention) chunks(do func(edges []int32)) {
	for rest := a.edges; len(rest) > 0; {
		count := min(edgeChunk, len(rest))
		do(rest[:count])
		rest = rest[count:]
	}
}

func (a *attention) forward(n *Network, w []float32) {
	a.edges, a.largest = a.edges[:0], soft.LeastEdge
	total := 0.0
	for e, x := range w {
		if x != 0 {
			a.edges = append(a.edges, int32(e))
			a.largest = max(a.largest, x, -x)
			total += math.Abs(float64(x))
		}
	}
	a.mean = float32(total / float64(max(len(a.edges), 1)) / float64(a.largest))
	for _, h := range a.heads {
		clear(h)
	}
	var most [lcsHeads]float32
	for c := range most {
		most[c] = float32(math.Inf(-1))
	}
	a.chunks(func(edges []int32) {
		a.embed(n, w, edges)
		for k, e := range edges {
			for c, h := range a.heads {
				h[e] = a.logits[k*lcsHeads+c]
				most[c] = max(most[c], h[e])
			}
		}
	})
	for c, h := range a.heads {
		sum := 0.0
		for _, e := range a.edges {
			h[e] = soft.Exp(h[e] - most[c])
			sum += float64(h[e])
		}
		factor := float32(float64(a.vertices) / sum)
		for _, e := range a.edges {
			h[e] = float32(math.Copysign(float64(factor*h[e]), float64(w[e])))
		}
	}
}

// backward adds to the gradients of edge.in, edge.bias, edge.out and edge.skip, given those
// of the heads.
func (a *attention) backward(n *Network, w []float32, dheads, gradient [][]float32) {
	var along [lcsHeads]float64 // Σ A·dA
	for c, h := range a.heads {
		for _, e := range a.edges {
			along[c] += float64(h[e]) * float64(dheads[c][e])
		}
	}
	dlogits, dembedded := make([]float32, edgeChunk*lcsHeads), make([]float32, edgeChunk*n.edge)
	a.chunks(func(edges []int32) {
		a.embed(n, w, edges)
		count := len(edges)
		for k, e := range edges {
			for c, h := range a.heads {
				share := math.Abs(float64(h[e])) / float64(a.vertices)
				dlogits[k*lcsHeads+c] = float32(float64(h[e])*float64(dheads[c][e]) - share*along[c])
			}
		}
		phi, embedded := a.phi[:count*edgeChannels], a.embedded[:count*n.edge]
		dl, de := dlogits[:count*lcsHeads], dembedded[:count*n.edge]
		layers.AddWeightGradient(gradient[2], embedded, dl, count, n.edge, lcsHeads)
		layers.AddWeightGradient(gradient[3], phi, dl, count, edgeChannels, lcsHeads)
		layers.MultiplyBack(de, dl, n.edgeOut.Data, count, n.edge, lcsHeads, 0)
		layers.ReluBack(de, embedded)
		layers.AddWeightGradient(gradient[0], phi, de, count, edgeChannels, n.edge)
		layers.AddBiasGradient(gradient[1], de)
	})
}
