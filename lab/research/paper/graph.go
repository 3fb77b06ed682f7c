package paper

import "github.com/rgm-go/rgm/internal/onnx"

// graph writes the forward pass of Network.
type graph struct {
	*onnx.Builder
	n *Network
}

// Graph implements models.Exportable.
func (n *Network) Graph(b *onnx.Builder, inputs []string) string {
	return graph{b, n}.forward(inputs[0], func() string { return b.Op("Reshape", inputs[1], b.Ints(0, 0, 0, -1)) })
}

// SelfContainedGraph implements export.SelfContained. It takes an affinity matrix K, [n1·n2,
// n1·n2], row-major over vertices and maximised, and matchings X, [batch, n1, n2] of 0 and 1;
// paper-matched also the Scale of a step.
func (n *Network) SelfContainedGraph(b *onnx.Builder) string {
	g := graph{b, n}
	k := g.Input("affinity", onnx.Named("vertices"), onnx.Named("vertices"))
	x := g.Input("matching", onnx.Named("batch"), onnx.Named("n1"), onnx.Named("n2"))
	n1, n2 := g.Sizes(x)
	entries, w := g.SplitAffinities(k, n1, n2, g.Eye, g.Number(1), g.Number(0.5))
	unit := g.largest(entries, w)
	most := g.Float(g.Op("Min", n1, n2)) // matches of the largest solution
	if n.variant.matched {
		unit = g.Div(g.Input("scale", onnx.Fixed(1)), most)
	}
	scale := g.Mul(unit, g.Neighbours(x)) // what the features are divided by

	feature := func(v string) string { return g.Op("Expand", g.Div(v, scale), g.Op("Shape", x)) }
	positive := feature(g.Total(g.Op("Relu", entries), false, 2, 3))
	negative := feature(g.Total(g.Op("Relu", g.Op("Neg", entries)), false, 2, 3))
	near := g.Op("Add", g.Sub(g.Sub(g.Total(w, true, 0, 1), g.Total(w, true, 1)), g.Total(w, true, 0)), w)
	if n.variant.matched {
		near = g.Mul(g.Div(w, most), g.Neighbours(x))
	}
	channel := func(v string) string { return g.Op("Unsqueeze", v, g.Ints(3)) }
	f := g.Concat(3, channel(x), channel(positive), channel(negative), channel(feature(near)))
	return g.forward(f, func() string { return g.Op("Reshape", g.Div(entries, unit), g.Ints(0, 0, -1)) })
}

// largest is the largest absolute entry of two tensors, 1 if all are 0.
func (g graph) largest(v, w string) string {
	most := func(v string) string {
		return g.OpWith("ReduceMax", []onnx.Attribute{{Name: "keepdims", Value: int64(0)}}, g.Op("Abs", v))
	}
	m := g.Op("Max", most(v), most(w))
	return g.Op("Where", g.Op("Equal", m, g.Number(0)), g.Number(1), m)
}

// forward returns Q of features f. Its tensors are [batch, n1, n2, width], so graph 1 is
// axis 1 and graph 2 axis 2. edges makes W, [batch or nothing, n1, n2, n1·n2], for networks
// that weigh by it.
func (g graph) forward(f string, edges func() string) string {
	// One unit of each input adds a row of terms: θ1, θ5⁺·θ4, θ5⁻·θ4, θ3.
	row := func(v string) string { return g.Op("Unsqueeze", v, g.Ints(0)) }
	split := func(theta5 string) string { return row(g.Op("Relu", theta5)) }
	terms := make([]string, channels)
	terms[solution] = row("theta1")
	terms[positiveEdges] = g.Op("MatMul", split("theta5"), "theta4")
	terms[negativeEdges] = g.Op("MatMul", split(g.Op("Neg", "theta5")), "theta4")
	terms[neighbourWeights] = row("theta3")
	base := g.Op("MatMul", f, g.Concat(0, terms...))
	near := g.nearer(f, edges)
	e := g.Op("Relu", base)
	for range g.n.iterations - 1 {
		e = g.Op("Relu", g.Op("Add", base, near(e)))
	}
	h5 := g.Op("Relu", g.Dense(e, "theta6", "b1"))
	a := g.Dense(h5, "theta8", "b3")
	if g.n.Dueling() {
		a = g.Duel(a, g.Dense(g.Mean(h5, 1, 2), "theta7", "b2"), 1, 2)
	}
	return g.Op("Squeeze", a, g.Ints(3))
}

// nearer returns what a vertex takes in of the embeddings of its neighbours. v is over
// [batch, n1, n2, …].
func (g graph) nearer(v string, edges func() string) func(e string) string {
	neighbours := g.Neighbours(v)
	adjacent := func(e string) string {
		others := g.Op("Add", g.Op("Sub", g.Op("Sub", g.Total(e, true, 1, 2), g.Total(e, true, 2)), g.Total(e, true, 1)), e)
		return g.Op("MatMul", g.Op("Div", others, neighbours), "theta2")
	}
	if !g.n.variant.weighted {
		return adjacent
	}
	w := edges()
	if g.n.variant.matched {
		return g.matchedNearer(v, w)
	}
	return func(e string) string {
		return g.Op("MatMul", g.Op("Div", g.weighed(w, e), neighbours), "theta2")
	}
}

// weighed is W·e, [batch, n1, n2, width].
func (g graph) weighed(w, e string) string {
	return g.Op("MatMul", w, g.Op("Reshape", e, g.Ints(0, 1, -1, int64(g.n.hidden)))) // [batch, 1, n1·n2, width]
}

// matchedNearer is nearer of paper-matched: see Network.
func (g graph) matchedNearer(v, w string) func(e string) string {
	x := g.OpWith("Gather", []onnx.Attribute{{Name: "axis", Value: int64(3)}}, v, g.Ints(solution))
	n1, n2 := g.Sizes(v)
	most := g.Float(g.Op("Min", n1, n2))
	return func(e string) string {
		y := g.Mul(e, x)
		released := g.Sub(g.Op("Add", g.Total(y, true, 1), g.Total(y, true, 2)), g.Op("Add", y, y))
		support := g.Op("Div", g.weighed(w, y), most)
		return g.Op("Add", g.Op("MatMul", released, "theta2"), g.Op("MatMul", support, "theta9"))
	}
}
