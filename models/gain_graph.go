package models

import (
	"math/rand/v2"
	"slices"

	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/qap/features"
)

var gainArchitecture = Architecture{Name: ArchitectureGain, New: func(c Config, rng *rand.Rand) (Network, error) {
	hidden := c.HiddenOr(16)
	return newGain(hidden, c.HeadOr(hidden), c.SingleStream, rng), nil
}}

// Config makes a network of the same shape by models.New.
func (n *Gain) Config() Config {
	return Config{Architecture: ArchitectureGain, Hidden: n.hidden, Head: n.head, SingleStream: n.single}
}

// gainGraph writes the forward pass of Gain.
type gainGraph struct{ *onnx.Builder }

// Graph implements Exportable.
func (n *Gain) Graph(b *onnx.Builder, inputs []string) string {
	return gainGraph{b}.forward(inputs[0], inputs[1], inputs[2], inputs[3], n.Dueling())
}

// forward returns Q. Its tensors are [batch, width, vertices or nodes] and weights stand on
// the left: products and sums then run along the many vertices of a channel, not along
// the few channels of a vertex, which costs ONNX Runtime half the time. What channels of
// nodes and of the state add is the same for all vertices that share them, like means
// (see Gain). Sums of weights are constants: ONNX Runtime computes them once.
func (g gainGraph) forward(vertices, rows, columns, state string, dueling bool) string {
	const nodes1, nodes2 = 2, 3 // axes of vertices
	each := g.Ints(0, 0, -1)    // the shape [batch, width, n1·n2]
	f := g.Op("Reshape", vertices, each)

	rowMeans := g.Concat(1, g.average(vertices, nodes2), rows)
	colMeans := g.Concat(1, g.average(vertices, nodes1), columns)
	means := g.Concat(1, g.Mean(rowMeans, 2), g.Mean(columns, 2), g.Op("Unsqueeze", state, g.Ints(2)))
	byAll := g.gainDense("embed.b", g.Transpose(g.stateWeights()), means)
	byRow := g.Op("Add", g.Op("MatMul", g.Transpose(g.nodeWeights("embed.row", features.RowChannels)), rowMeans), byAll)
	byCol := g.Op("MatMul", g.Transpose(g.nodeWeights("embed.col", features.ColumnChannels)), colMeans)
	w := g.Transpose(g.channels("embed.w", features.VertexChannels))
	h := g.Op("Relu", g.Op("Add", g.Op("MatMul", w, f), g.Op("Reshape", g.outer(byRow, byCol), each)))

	u := g.Op("Relu", g.gainDense("advantage.b1", g.Transpose("advantage.w1"), h))
	a := g.Op("Add", g.Op("MatMul", g.Transpose("advantage.w2"), u), g.skip(features.VertexChannels, f))
	a = g.Op("Add", a, g.Op("Reshape", g.outer(g.skip(features.RowChannels, rows), g.skip(features.ColumnChannels, columns)), each))
	if dueling {
		t := g.Op("Relu", g.gainDense("value.b1", g.Transpose("value.w1"), g.Mean(h, 2)))
		a = g.Duel(a, g.gainDense("value.b2", g.Transpose("value.w2"), t), 2)
	} else {
		ofState := g.skip(features.StateChannels, g.Op("Unsqueeze", state, g.Ints(2)))
		a = g.Sum(a, ofState, "advantage.b2")
	}
	return g.Op("Reshape", a, g.Op("Gather", g.Op("Shape", vertices), g.Ints(0, nodes1, nodes2)))
}

// gainDense is w·x + b.
func (g gainGraph) gainDense(b, w, x string) string {
	return g.Op("Add", g.Op("MatMul", w, x), g.Op("Unsqueeze", b, g.Ints(1)))
}

// outer adds a value of rows, [batch, width, n1], and one of columns, [batch, width, n2],
// for every vertex: [batch, width, n1, n2].
func (g gainGraph) outer(rows, columns string) string {
	return g.Op("Add", g.Op("Unsqueeze", rows, g.Ints(3)), g.Op("Unsqueeze", columns, g.Ints(2)))
}

// skip is w_skip·x over some channels. What those of the state add is no advantage, and
// left out with duelling.
func (g gainGraph) skip(channels []int, x string) string {
	return g.Op("MatMul", g.Transpose(g.channels("advantage.skip", channels)), x)
}

// channels are the weights of some channels, [channels, width].
func (g gainGraph) channels(weights string, list []int) string {
	var indices []int64
	for _, channel := range list {
		indices = append(indices, int64(channel))
	}
	return g.Op("Gather", weights, g.Ints(indices...))
}

// nodeWeights are the weights of rows or columns: R or C of the means of vertices' channels,
// with W of the channels of nodes, which are their own means.
func (g gainGraph) nodeWeights(weights string, own []int) string {
	return g.Concat(0, g.channels(weights, features.VertexChannels), g.Op("Add", g.channels(weights, own), g.channels("embed.w", own)))
}

// stateWeights are the weights of the means of all channels, in the order of tensors: G, with
// what acts on a mean that the rows, the columns or all vertices share.
func (g gainGraph) stateWeights() string {
	part := func(list []int, weights ...string) string {
		var terms []string
		for _, w := range slices.Insert(weights, 0, "embed.all") {
			terms = append(terms, g.channels(w, list))
		}
		return g.Sum(terms[0], terms[1:]...)
	}
	return g.Concat(0,
		part(features.VertexChannels),
		part(features.RowChannels, "embed.col"),
		part(features.ColumnChannels, "embed.row"),
		part(features.StateChannels, "embed.row", "embed.col", "embed.w"),
	)
}

// average is the mean over an axis, which goes.
func (g gainGraph) average(v string, axis int64) string {
	return g.OpWith("ReduceMean", []onnx.Attribute{{Name: "axes", Value: []int64{axis}}, {Name: "keepdims", Value: int64(0)}}, v)
}
