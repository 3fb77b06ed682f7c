package export

import (
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models"
)

// The inputs of a self-contained model.
const (
	affinityInput = "affinity"
	matchingInput = "matching"
)

// selfContained returns the graph that takes an affinity matrix K, [n1·n2, n1·n2],
// row-major over vertices and maximised, and matchings X, [batch, n1, n2] of 0 and
// 1, and computes the Paper features itself.
func selfContained(n *models.Paper) *graph {
	g := newGraph("rgm paper, self-contained")
	k := g.input(affinityInput, named("vertices"), named("vertices"))
	x := g.input(matchingInput, named("batch"), named("n1"), named("n2"))
	g.parameters(n)

	size := g.op("Shape", x)
	n1, n2 := g.op("Gather", size, g.ints(1)), g.op("Gather", size, g.ints(2))
	eye1, eye2 := g.eye(n1), g.eye(n2)
	other := func(eye string) string { return g.op("Sub", g.number(1), eye) }
	// Both as [n1, n2, n1, n2]: the first two axes are vertex p, the others q.
	same := g.op("Mul", g.op("Unsqueeze", eye1, g.ints(1, 3)), g.op("Unsqueeze", eye2, g.ints(0, 2)))
	adjacent := g.op("Mul", g.op("Unsqueeze", other(eye1), g.ints(1, 3)), g.op("Unsqueeze", other(eye2), g.ints(0, 2)))
	half := g.op("Mul", g.op("Add", k, g.opWith("Transpose", []onnx.Attribute{{Name: "perm", Value: []int64{1, 0}}}, k)), g.number(0.5))
	k4 := g.op("Reshape", half, g.concat(0, n1, n2, n1, n2))
	w := g.op("Mul", k4, adjacent)                               // edge weights W
	weights := g.total(g.op("Mul", k4, same), false, 2, 3)       // vertex weights F, [n1, n2]
	scale := g.op("Mul", g.largest(w, weights), g.neighbours(x)) // what the features are divided by

	feature := func(v string) string { return g.op("Expand", g.op("Div", v, scale), size) }
	positive := feature(g.total(g.op("Relu", w), false, 2, 3))
	negative := feature(g.total(g.op("Relu", g.op("Neg", w)), false, 2, 3))
	near := g.op("Add", g.op("Sub", g.op("Sub", g.total(weights, true, 0, 1), g.total(weights, true, 1)), g.total(weights, true, 0)), weights)
	channel := func(v string) string { return g.op("Unsqueeze", v, g.ints(3)) }
	f := g.concat(3, channel(x), channel(positive), channel(negative), channel(feature(near)))
	g.finish(g.paper(f, n.Iterations(), n.Dueling()))
	return g
}

// eye is the n×n identity, for n a vector of one int64.
func (g *graph) eye(n string) string {
	square := g.op("ConstantOfShape", g.concat(0, n, n))
	return g.opWith("EyeLike", []onnx.Attribute{{Name: "dtype", Value: int64(onnx.Float32)}}, square)
}

// largest is the largest absolute entry of two tensors, 1 if all are 0.
func (g *graph) largest(v, w string) string {
	most := func(v string) string {
		return g.opWith("ReduceMax", []onnx.Attribute{{Name: "keepdims", Value: int64(0)}}, g.op("Abs", v))
	}
	m := g.op("Max", most(v), most(w))
	return g.op("Where", g.op("Equal", m, g.number(0)), g.number(1), m)
}

// concat joins values along an axis.
func (g *graph) concat(axis int64, values ...string) string {
	return g.opWith("Concat", []onnx.Attribute{{Name: "axis", Value: axis}}, values...)
}

// float turns integers into float32.
func (g *graph) float(v string) string {
	return g.opWith("Cast", []onnx.Attribute{{Name: "to", Value: int64(onnx.Float32)}}, v)
}
