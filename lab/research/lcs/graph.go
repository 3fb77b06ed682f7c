package lcs

import (
	"strconv"

	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/lab/research/soft"
)

// Graph implements models.Exportable: it returns the logarithms of the soft matching, [batch, n1, n2], of features f and edges
// [batch, n1, n2, n1, n2].
func (n *Network) Graph(g *onnx.Builder, inputs []string) string {
	f, edges := inputs[0], inputs[1]
	flat := g.Ints(0, 1, -1, lcsColumns) // [batch, 1, n1·n2, columns]
	heads := n.attentionGraph(g, edges)
	n1, n2 := g.Sizes(f)
	most := g.Float(g.Op("Max", n1, n2))
	zero := g.Mul(g.Total(f, true, 3), g.Number(0))
	h, share := g.Product(zero, g.Op("Unsqueeze", "bias", g.Ints(0))), g.Op("Add", zero, g.Number(1))
	logs := ""
	for range n.rounds {
		y := g.Concat(3, h, share, f)
		sent := g.Op("MatMul", y, "message")
		var gathered []string
		for c, head := range heads {
			from := int64(c * lcsColumns)
			own := g.Op("Slice", sent, g.Ints(from), g.Ints(from+lcsColumns), g.Ints(3))
			near := g.Op("MatMul", head, g.Op("Reshape", own, flat))
			size := g.Op("Sqrt", g.Op("Add", g.Mean(g.Mul(near, near), 1, 2), g.Number(1e-6)))
			gathered = append(gathered, g.Div(near, size))
		}
		p := g.Concat(3, gathered...)
		h = g.Op("Relu", g.Sum(g.Dense(p, "gather", "bias"), g.Op("MatMul", y, "self")))
		logs = soft.SinkhornGraph(g, g.Op("Squeeze", g.Sum(g.Op("MatMul", h, "score"), g.Op("MatMul", p, "score.plain")), g.Ints(3)))
		share = g.Op("Unsqueeze", g.Mul(most, g.Op("Exp", logs)), g.Ints(3))
	}
	return logs
}

// attentionGraph returns A of every head, [batch, n1, n2, n1·n2]. All tensors of edges are over
// [batch, n1, n2, n1·n2], with the channels last where there are any.
func (n *Network) attentionGraph(g *onnx.Builder, edges string) []string {
	w := g.Op("Reshape", edges, g.Ints(0, 0, 0, -1))
	sizes := g.Op("Abs", w)
	there := g.Op("Greater", sizes, g.Number(0))
	largest := g.Op("Max", g.LargestOf(sizes, 1, 2, 3), g.Number(1e-30))
	count := g.Op("Max", g.Total(g.Float(there), true, 1, 2, 3), g.Number(1))
	mean := g.Div(g.Div(g.Total(sizes, true, 1, 2, 3), count), largest)
	k := g.Div(w, largest)
	logarithm := g.Div(g.Op("Max", g.Op("Log", g.Op("Abs", k)), g.Number(-12)), g.Number(4))
	channel := func(v string) string { return g.Op("Unsqueeze", v, g.Ints(4)) }
	phi := g.Concat(4, channel(k), channel(logarithm), channel(g.Op("Add", mean, g.Sub(k, k))))
	embedded := g.Op("Relu", g.Dense(phi, "edge.in", "edge.bias"))
	logits := g.Op("Add", g.Product(embedded, "edge.out"), g.Product(phi, "edge.skip"))
	logits = g.Op("Where", channel(there), logits, g.Number(-1e30))
	shares := g.Mul(g.Op("Exp", g.Sub(logits, g.LargestOf(logits, 1, 2, 3))), channel(g.Div(w, g.Op("Max", sizes, g.Number(1e-30)))))
	all := g.Op("Max", g.Total(g.Op("Abs", shares), true, 1, 2, 3), g.Number(1e-30))
	n1, n2 := g.Sizes(w)
	heads := g.Div(g.Mul(g.Float(g.Mul(n1, n2)), shares), all)
	var each []string
	for c := range lcsHeads {
		each = append(each, g.OpWith("Gather", []onnx.Attribute{{Name: "axis", Value: int64(4)}}, heads, index(g, int64(c))))
	}
	return each
}

// index returns a constant scalar of int64.
func index(g *onnx.Builder, k int64) string {
	return g.Constant("index "+strconv.FormatInt(k, 10), func(name string) onnx.Tensor {
		return onnx.NewInt64(name, nil, []int64{k})
	})
}
