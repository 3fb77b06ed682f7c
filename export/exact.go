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
	return g.OpWith("Cast", []onnx.Attribute{{Name: "to", Value: int64(float64Type)}}, v)
}

// exactNumber returns a constant scalar of float64.
func (g *graph) exactNumber(value float32) string {
	return g.Once(fmt.Sprintf("exact %v", value), func() string { return g.exact(g.Number(value)) })
}

// integer turns whole numbers into int64.
func (g *graph) integer(v string) string {
	return g.OpWith("Cast", []onnx.Attribute{{Name: "to", Value: int64(onnx.Int64)}}, v)
}

// twice is 2v, less 1−v, both of float64.
func (g *graph) twice(v string) string { return g.Mul(g.exactNumber(2), v) }
func (g *graph) less(v string) string  { return g.Sub(g.exactNumber(1), v) }

// equal and greater are 1 where the comparison holds and 0 elsewhere, of float64.
func (g *graph) equal(v, w string) string   { return g.exact(g.Op("Equal", v, w)) }
func (g *graph) greater(v, w string) string { return g.exact(g.Op("Greater", v, w)) }

// where is v where the condition, 0 or 1, holds, and w elsewhere.
func (g *graph) where(condition, v, w string) string {
	return g.Op("Where", g.Op("Greater", condition, g.exactNumber(0)), v, w)
}

// rowSums and colSums add up [batch, n1, n2] over one axis, which stays with size 1.
func (g *graph) rowSums(v string) string { return g.Total(v, true, 2) }
func (g *graph) colSums(v string) string { return g.Total(v, true, 1) }

// all adds up [batch, n1, n2] over both nodes' axes: [batch, 1, 1].
func (g *graph) all(v string) string { return g.Total(v, true, 1, 2) }

// flip exchanges the last two of three axes.
func (g *graph) flip(v string) string {
	return g.OpWith("Transpose", []onnx.Attribute{{Name: "perm", Value: []int64{0, 2, 1}}}, v)
}

// gatherColumns takes entries along axis 1.
func (g *graph) gatherColumns(v, indices string) string {
	return g.OpWith("Gather", []onnx.Attribute{{Name: "axis", Value: int64(1)}}, v, indices)
}

// permute reorders axes.
func (g *graph) permute(v string, axes ...int64) string {
	return g.OpWith("Transpose", []onnx.Attribute{{Name: "perm", Value: axes}}, v)
}

// asinh is sign(v)·ln(|v| + √(v²+1)), of float64: ONNX Runtime has the operator for
// float32 only.
func (g *graph) asinh(v string) string {
	size := g.Op("Abs", v)
	value := g.Op("Log", g.Op("Add", size, g.Op("Sqrt", g.Op("Add", g.Mul(v, v), g.exactNumber(1)))))
	return g.where(g.greater(g.exactNumber(0), v), g.Op("Neg", value), value)
}

// dims are the numbers of nodes as vectors of one int64, taken from [batch, n1, n2].
type dims struct{ n1, n2 string }

func (g *graph) nodes(matching string) dims {
	n1, n2 := g.Sizes(matching)
	return dims{n1, n2}
}

// vertices are the affinities of a matrix K, [n1·n2, n1·n2]: see onnx.Builder.SplitAffinities.
type vertices struct{ edges, weights string }

// split takes K apart, of float64.
func (g *graph) split(k string, d dims) vertices {
	edges, weights := g.SplitAffinities(k, d.n1, d.n2, g.exactEye, g.exactNumber(1), g.exactNumber(0.5))
	return vertices{edges, weights}
}

// exactEye is the n×n identity of float64.
func (g *graph) exactEye(n string) string { return g.exact(g.Eye(n)) }
