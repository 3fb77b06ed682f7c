package soft

import "github.com/rgm-go/rgm/internal/onnx"

// SinkhornGraph is Sinkhorn as nodes: it normalises scores, [batch, n1, n2], with a row and a column of dummy nodes of
// score 0: of none where there are as many nodes in the other graph, or fewer.
func SinkhornGraph(g *onnx.Builder, z string) string {
	none := func(v string) string { return g.Sub(v, v) }
	x := g.Concat(1, z, none(g.Total(z, true, 1)))
	x = g.Concat(2, x, none(g.Total(x, true, 2)))
	n1, n2 := g.Sizes(z)
	lacking := func(few, many string) string { // the logarithm of how many more there are, −∞ of none
		more := g.Op("Max", g.Sub(g.Float(many), g.Float(few)), g.Number(0))
		return g.Op("Reshape", g.Op("Log", more), g.Ints(1, 1, 1))
	}
	rows := g.Concat(1, none(g.Total(z, true, 0, 2)), lacking(n1, n2))
	columns := g.Concat(2, none(g.Total(z, true, 0, 1)), lacking(n2, n1))
	for range Rounds {
		x = g.Sub(x, logSum(g, g.Op("Add", x, columns), 2))
		x = g.Sub(x, logSum(g, g.Op("Add", x, rows), 1))
	}
	return g.Op("Slice", x, g.Ints(0, 0), g.Concat(0, n1, n2), g.Ints(1, 2))
}

// logSum is log Σ exp v along an axis, which stays with size 1.
func logSum(g *onnx.Builder, v string, axis int64) string {
	largest := g.LargestOf(v, axis)
	return g.Op("Add", largest, g.Op("Log", g.Total(g.Op("Exp", g.Sub(v, largest)), true, axis)))
}
