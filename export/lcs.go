package export

import (
	"strconv"

	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models"
)

// lcs returns the logarithms of the soft matching, [batch, n1, n2], of features f and edges
// [batch, n1, n2, n1, n2].
func (g *graph) lcs(n *models.LCS, f, edges string) string {
	flat := g.ints(0, 1, -1, int64(n.Columns())) // [batch, 1, n1·n2, columns]
	heads := g.attention(n, edges)
	d := g.nodes(f)
	most := g.float(g.op("Max", d.n1, d.n2))
	zero := g.mul(g.total(f, true, 3), g.number(0))
	h, soft := g.product(zero, g.op("Unsqueeze", "bias", g.ints(0))), g.op("Add", zero, g.number(1))
	logs := ""
	for range n.Rounds() {
		y := g.concat(3, h, soft, f)
		sent := g.op("MatMul", y, "message")
		var gathered []string
		for c, head := range heads {
			from := int64(c * n.Columns())
			own := g.op("Slice", sent, g.ints(from), g.ints(from+int64(n.Columns())), g.ints(3))
			near := g.op("MatMul", head, g.op("Reshape", own, flat))
			size := g.op("Sqrt", g.op("Add", g.mean(g.mul(near, near), 1, 2), g.number(1e-6)))
			gathered = append(gathered, g.div(near, size))
		}
		p := g.concat(3, gathered...)
		h = g.op("Relu", g.sum(g.dense(p, "gather", "bias"), g.op("MatMul", y, "self")))
		logs = g.sinkhorn(g.op("Squeeze", g.sum(g.op("MatMul", h, "score"), g.op("MatMul", p, "score.plain")), g.ints(3)))
		soft = g.op("Unsqueeze", g.mul(most, g.op("Exp", logs)), g.ints(3))
	}
	return logs
}

// attention returns A of every head, [batch, n1, n2, n1·n2]. All tensors of edges are over
// [batch, n1, n2, n1·n2], with the channels last where there are any.
func (g *graph) attention(n *models.LCS, edges string) []string {
	w := g.op("Reshape", edges, g.ints(0, 0, 0, -1))
	sizes := g.op("Abs", w)
	there := g.op("Greater", sizes, g.number(0))
	largest := g.op("Max", g.largestOf(sizes, 1, 2, 3), g.number(1e-30))
	count := g.op("Max", g.total(g.float(there), true, 1, 2, 3), g.number(1))
	mean := g.div(g.div(g.total(sizes, true, 1, 2, 3), count), largest)
	k := g.div(w, largest)
	logarithm := g.div(g.op("Max", g.op("Log", g.op("Abs", k)), g.number(-12)), g.number(4))
	channel := func(v string) string { return g.op("Unsqueeze", v, g.ints(4)) }
	phi := g.concat(4, channel(k), channel(logarithm), channel(g.op("Add", mean, g.sub(k, k))))
	embedded := g.op("Relu", g.dense(phi, "edge.in", "edge.bias"))
	logits := g.op("Add", g.product(embedded, "edge.out"), g.product(phi, "edge.skip"))
	logits = g.op("Where", channel(there), logits, g.number(-1e30))
	shares := g.mul(g.op("Exp", g.sub(logits, g.largestOf(logits, 1, 2, 3))), channel(g.div(w, g.op("Max", sizes, g.number(1e-30)))))
	all := g.op("Max", g.total(g.op("Abs", shares), true, 1, 2, 3), g.number(1e-30))
	d := g.nodes(w)
	heads := g.div(g.mul(g.float(g.mul(d.n1, d.n2)), shares), all)
	var each []string
	for c := range n.Heads() {
		each = append(each, g.opWith("Gather", []onnx.Attribute{{Name: "axis", Value: int64(4)}}, heads, g.index(int64(c))))
	}
	return each
}

// index returns a constant scalar of int64.
func (g *graph) index(k int64) string {
	return g.constant("index "+strconv.FormatInt(k, 10), func(name string) onnx.Tensor {
		return onnx.NewInt64(name, nil, []int64{k})
	})
}
