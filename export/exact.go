package export

import (
	"fmt"

	"github.com/rgm-go/rgm/internal/onnx"
)

// Features of self-contained models are computed in float64, as Go computes them: a
// change of value is a small difference of large scores. Inputs, outputs and networks
// stay float32, the only real type of tensors that a model file may hold.

// float64Type is ONNX's number of float64; only casts make it.
const float64Type = 11

// exact turns a value into float64.
func (g *graph) exact(v string) string {
	return g.opWith("Cast", []onnx.Attribute{{Name: "to", Value: int64(float64Type)}}, v)
}

// exactNumber returns a constant scalar of float64.
func (g *graph) exactNumber(value float32) string {
	key := fmt.Sprintf("exact %v", value)
	if g.constants[key] == "" {
		g.constants[key] = g.exact(g.number(value))
	}
	return g.constants[key]
}

// integer turns whole numbers into int64.
func (g *graph) integer(v string) string {
	return g.opWith("Cast", []onnx.Attribute{{Name: "to", Value: int64(onnx.Int64)}}, v)
}

func (g *graph) sub(v, w string) string     { return g.op("Sub", v, w) }
func (g *graph) mul(v, w string) string     { return g.op("Mul", v, w) }
func (g *graph) div(v, w string) string     { return g.op("Div", v, w) }
func (g *graph) product(v, w string) string { return g.op("MatMul", v, w) }

// twice is 2v, less 1−v, both of float64.
func (g *graph) twice(v string) string { return g.mul(g.exactNumber(2), v) }
func (g *graph) less(v string) string  { return g.sub(g.exactNumber(1), v) }

// equal and greater are 1 where the comparison holds and 0 elsewhere, of float64.
func (g *graph) equal(v, w string) string   { return g.exact(g.op("Equal", v, w)) }
func (g *graph) greater(v, w string) string { return g.exact(g.op("Greater", v, w)) }

// where is v where the condition, 0 or 1, holds, and w elsewhere.
func (g *graph) where(condition, v, w string) string {
	return g.op("Where", g.op("Greater", condition, g.exactNumber(0)), v, w)
}

// rowSums and colSums add up [batch, n1, n2] over one axis, which stays with size 1.
func (g *graph) rowSums(v string) string { return g.total(v, true, 2) }
func (g *graph) colSums(v string) string { return g.total(v, true, 1) }

// all adds up [batch, n1, n2] over both nodes' axes: [batch, 1, 1].
func (g *graph) all(v string) string { return g.total(v, true, 1, 2) }

// flip exchanges the last two of three axes.
func (g *graph) flip(v string) string {
	return g.opWith("Transpose", []onnx.Attribute{{Name: "perm", Value: []int64{0, 2, 1}}}, v)
}

// gatherColumns takes entries along axis 1.
func (g *graph) gatherColumns(v, indices string) string {
	return g.opWith("Gather", []onnx.Attribute{{Name: "axis", Value: int64(1)}}, v, indices)
}

// permute reorders axes.
func (g *graph) permute(v string, axes ...int64) string {
	return g.opWith("Transpose", []onnx.Attribute{{Name: "perm", Value: axes}}, v)
}

// largestOf is the maximum over axes, which stay with size 1.
func (g *graph) largestOf(v string, axes ...int64) string {
	return g.opWith("ReduceMax", []onnx.Attribute{{Name: "axes", Value: axes}, {Name: "keepdims", Value: int64(1)}}, v)
}

// asinh is sign(v)·ln(|v| + √(v²+1)), of float64: ONNX Runtime has the operator for
// float32 only.
func (g *graph) asinh(v string) string {
	size := g.op("Abs", v)
	value := g.op("Log", g.op("Add", size, g.op("Sqrt", g.op("Add", g.mul(v, v), g.exactNumber(1)))))
	return g.where(g.greater(g.exactNumber(0), v), g.op("Neg", value), value)
}

// dims are the numbers of nodes as vectors of one int64, taken from [batch, n1, n2].
type dims struct{ n1, n2 string }

func (g *graph) nodes(matching string) dims {
	size := g.op("Shape", matching)
	return dims{g.op("Gather", size, g.ints(1)), g.op("Gather", size, g.ints(2))}
}

// vertices are the affinities of a matrix K, [n1·n2, n1·n2], symmetrised.
type vertices struct {
	edges   string // between vertices that share no node, 0 elsewhere, [n1, n2, n1, n2]
	weights string // K[p,p], [n1, n2]
}

// split takes K apart, of float32 or float64 as the function eye makes identities.
func (g *graph) split(k string, d dims, eye func(n string) string, one, half string) vertices {
	eye1, eye2 := eye(d.n1), eye(d.n2)
	// Both as [n1, n2, n1, n2]: the first two axes are vertex p, the others q.
	same := g.mul(g.op("Unsqueeze", eye1, g.ints(1, 3)), g.op("Unsqueeze", eye2, g.ints(0, 2)))
	adjacent := g.mul(g.op("Unsqueeze", g.sub(one, eye1), g.ints(1, 3)), g.op("Unsqueeze", g.sub(one, eye2), g.ints(0, 2)))
	symmetric := g.mul(g.op("Add", k, g.transpose(k)), half)
	k4 := g.op("Reshape", symmetric, g.concat(0, d.n1, d.n2, d.n1, d.n2))
	return vertices{g.mul(k4, adjacent), g.total(g.mul(k4, same), false, 2, 3)}
}

// exactEye is the n×n identity of float64.
func (g *graph) exactEye(n string) string { return g.exact(g.eye(n)) }
