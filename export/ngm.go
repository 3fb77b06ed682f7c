package export

import (
	"fmt"

	"github.com/rgm-go/rgm/models"
)

// ngm returns the logarithms of the soft matching, [batch, n1, n2], of features f and edges
// [batch, n1, n2, n1, n2].
func (g *graph) ngm(n *models.NGM, f, edges string) string {
	w := g.op("Reshape", edges, g.ints(0, 0, 0, -1))
	sizes := g.op("Abs", w)
	share := g.div(sizes, g.op("Max", g.largestOf(sizes, 1, 2, 3), g.number(1e-30)))
	sharp := g.mul(w, g.mul(g.mul(share, share), share))
	e, logs := f, ""
	d := g.nodes(f)
	most := g.float(g.op("Max", d.n1, d.n2))
	for t := range n.Layers() {
		of := func(weights string) string { return fmt.Sprintf("layer%d.%s", t+1, weights) }
		near := func(edges, weights string) string { // [batch, 1, n1·n2, width] are the messages
			return g.product(edges, g.op("Reshape", g.product(e, of(weights)), g.ints(0, 1, -1, int64(n.Hidden()))))
		}
		h := g.op("Relu", g.sum(near(w, "message"), near(sharp, "sharp"), g.dense(e, of("self"), of("bias"))))
		logs = g.sinkhorn(g.op("Squeeze", g.product(h, of("score")), g.ints(3)))
		e = g.concat(3, h, g.op("Unsqueeze", g.mul(most, g.op("Exp", logs)), g.ints(3)))
	}
	return logs
}

// sinkhorn normalises scores, [batch, n1, n2], with a row and a column of dummy nodes of
// score 0: of none where there are as many nodes in the other graph, or fewer.
func (g *graph) sinkhorn(z string) string {
	none := func(v string) string { return g.sub(v, v) }
	x := g.concat(1, z, none(g.total(z, true, 1)))
	x = g.concat(2, x, none(g.total(x, true, 2)))
	d := g.nodes(z)
	lacking := func(few, many string) string { // the logarithm of how many more there are, −∞ of none
		more := g.op("Max", g.sub(g.float(many), g.float(few)), g.number(0))
		return g.op("Reshape", g.op("Log", more), g.ints(1, 1, 1))
	}
	rows := g.concat(1, none(g.total(z, true, 0, 2)), lacking(d.n1, d.n2))
	columns := g.concat(2, none(g.total(z, true, 0, 1)), lacking(d.n2, d.n1))
	for range models.SinkhornRounds {
		x = g.sub(x, g.logSum(g.op("Add", x, columns), 2))
		x = g.sub(x, g.logSum(g.op("Add", x, rows), 1))
	}
	return g.op("Slice", x, g.ints(0, 0), g.concat(0, d.n1, d.n2), g.ints(1, 2))
}

// logSum is log Σ exp v along an axis, which stays with size 1.
func (g *graph) logSum(v string, axis int64) string {
	largest := g.largestOf(v, axis)
	return g.op("Add", largest, g.op("Log", g.total(g.op("Exp", g.sub(v, largest)), true, axis)))
}
