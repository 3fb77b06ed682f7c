package export

import (
	"slices"

	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/qap/features"
)

// gain returns Q. Its tensors are [batch, width, vertices or nodes] and weights stand on
// the left: products and sums then run along the many vertices of a channel, not along
// the few channels of a vertex, which costs ONNX Runtime half the time. What channels of
// nodes and of the state add is the same for all vertices that share them, like means
// (see models.Gain). Sums of weights are constants: ONNX Runtime computes them once.
func (g *graph) gain(vertices, rows, columns, state string, dueling bool) string {
	const nodes1, nodes2 = 2, 3 // axes of vertices
	each := g.ints(0, 0, -1)    // the shape [batch, width, n1·n2]
	f := g.op("Reshape", vertices, each)

	rowMeans := g.concat(1, g.average(vertices, nodes2), rows)
	colMeans := g.concat(1, g.average(vertices, nodes1), columns)
	means := g.concat(1, g.mean(rowMeans, 2), g.mean(columns, 2), g.op("Unsqueeze", state, g.ints(2)))
	byAll := g.gainDense("embed.b", g.transpose(g.stateWeights()), means)
	byRow := g.op("Add", g.op("MatMul", g.transpose(g.nodeWeights("embed.row", features.RowChannels)), rowMeans), byAll)
	byCol := g.op("MatMul", g.transpose(g.nodeWeights("embed.col", features.ColumnChannels)), colMeans)
	w := g.transpose(g.channels("embed.w", features.VertexChannels))
	h := g.op("Relu", g.op("Add", g.op("MatMul", w, f), g.op("Reshape", g.outer(byRow, byCol), each)))

	u := g.op("Relu", g.gainDense("advantage.b1", g.transpose("advantage.w1"), h))
	a := g.op("Add", g.op("MatMul", g.transpose("advantage.w2"), u), g.skip(features.VertexChannels, f))
	a = g.op("Add", a, g.op("Reshape", g.outer(g.skip(features.RowChannels, rows), g.skip(features.ColumnChannels, columns)), each))
	if dueling {
		t := g.op("Relu", g.gainDense("value.b1", g.transpose("value.w1"), g.mean(h, 2)))
		a = g.duel(a, g.gainDense("value.b2", g.transpose("value.w2"), t), 2)
	} else {
		ofState := g.skip(features.StateChannels, g.op("Unsqueeze", state, g.ints(2)))
		a = g.sum(a, ofState, "advantage.b2")
	}
	return g.op("Reshape", a, g.op("Gather", g.op("Shape", vertices), g.ints(0, nodes1, nodes2)))
}

// gainDense is w·x + b.
func (g *graph) gainDense(b, w, x string) string {
	return g.op("Add", g.op("MatMul", w, x), g.op("Unsqueeze", b, g.ints(1)))
}

// outer adds a value of rows, [batch, width, n1], and one of columns, [batch, width, n2],
// for every vertex: [batch, width, n1, n2].
func (g *graph) outer(rows, columns string) string {
	return g.op("Add", g.op("Unsqueeze", rows, g.ints(3)), g.op("Unsqueeze", columns, g.ints(2)))
}

// skip is w_skip·x over some channels. What those of the state add is no advantage, and
// left out with duelling.
func (g *graph) skip(channels []int, x string) string {
	return g.op("MatMul", g.transpose(g.channels("advantage.skip", channels)), x)
}

// channels are the weights of some channels, [channels, width].
func (g *graph) channels(weights string, list []int) string {
	var indices []int64
	for _, channel := range list {
		indices = append(indices, int64(channel))
	}
	return g.op("Gather", weights, g.ints(indices...))
}

// nodeWeights are the weights of rows or columns: R or C of the means of vertices' channels,
// with W of the channels of nodes, which are their own means.
func (g *graph) nodeWeights(weights string, own []int) string {
	return g.concat(0, g.channels(weights, features.VertexChannels), g.op("Add", g.channels(weights, own), g.channels("embed.w", own)))
}

// stateWeights are the weights of the means of all channels, in the order of tensors: G, with
// what acts on a mean that the rows, the columns or all vertices share.
func (g *graph) stateWeights() string {
	part := func(list []int, weights ...string) string {
		var terms []string
		for _, w := range slices.Insert(weights, 0, "embed.all") {
			terms = append(terms, g.channels(w, list))
		}
		return g.sum(terms[0], terms[1:]...)
	}
	return g.concat(0,
		part(features.VertexChannels),
		part(features.RowChannels, "embed.col"),
		part(features.ColumnChannels, "embed.row"),
		part(features.StateChannels, "embed.row", "embed.col", "embed.w"),
	)
}

func (g *graph) transpose(v string) string {
	return g.opWith("Transpose", []onnx.Attribute{{Name: "perm", Value: []int64{1, 0}}}, v)
}

// average is the mean over an axis, which goes.
func (g *graph) average(v string, axis int64) string {
	return g.opWith("ReduceMean", []onnx.Attribute{{Name: "axes", Value: []int64{axis}}, {Name: "keepdims", Value: int64(0)}}, v)
}
