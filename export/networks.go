package export

import (
	"fmt"

	"github.com/rgm-go/rgm/internal/modelfile"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/features"
)

// The functions here, in ngm.go and in lcs.go write the equations of the networks of package models as
// nodes; names of weights are those of Parameters.

// network returns the graph of a network, from its features to q.
func network(n models.Network) (*graph, error) {
	g := newGraph("rgm " + n.Architecture())
	inputs := g.features(n.Features())
	g.parameters(n)
	switch n := n.(type) {
	case *models.Gain:
		g.finish(g.gain(inputs[0], inputs[1], inputs[2], inputs[3], n.Dueling()))
	case *models.Paper:
		g.finish(g.paper(n, inputs[0], func() string { return g.op("Reshape", inputs[1], g.ints(0, 0, 0, -1)) }))
	case *models.NGM:
		g.finish(g.ngm(n, inputs[0], inputs[1]))
	case *models.Rewriter:
		g.finish(g.rewriter(inputs[0]))
	case *models.LCS:
		g.finish(g.lcs(n, inputs[0], inputs[1]))
	case *models.Affinity:
		g.finish(g.affinity(inputs[0]))
	default:
		return nil, fmt.Errorf("export: no ONNX graph for architecture %q", n.Architecture())
	}
	return g, nil
}

// features declares the inputs of a set.
func (g *graph) features(set string) []string {
	var names []string
	for _, t := range features.Tensors(set) {
		dims := []onnx.Dim{named("batch")}
		for _, d := range t.Shape {
			if d < 0 {
				dims = append(dims, named(d.String()))
			} else {
				dims = append(dims, fixed(int64(d)))
			}
		}
		names = append(names, g.input(t.Name, dims...))
	}
	return names
}

// finish makes Q, [batch, n1, n2], the output.
func (g *graph) finish(q string) {
	g.rename(q, modelfile.Output)
	g.output(modelfile.Output, named("batch"), named("n1"), named("n2"))
}

// dense is x·w + b.
func (g *graph) dense(x, w, b string) string { return g.op("Add", g.op("MatMul", x, w), b) }

// duel is v + a − mean a, over the axes of the vertices.
func (g *graph) duel(a, v string, axes ...int64) string {
	return g.op("Add", a, g.op("Sub", v, g.mean(a, axes...)))
}

// paper returns Q of features f. Its tensors are [batch, n1, n2, width], so graph 1 is
// axis 1 and graph 2 axis 2. edges makes W, [batch or nothing, n1, n2, n1·n2], for networks
// that weigh by it.
func (g *graph) paper(n *models.Paper, f string, edges func() string) string {
	// One unit of each input adds a row of terms: θ1, θ5⁺·θ4, θ5⁻·θ4, θ3.
	row := func(v string) string { return g.op("Unsqueeze", v, g.ints(0)) }
	split := func(theta5 string) string { return row(g.op("Relu", theta5)) }
	terms := make([]string, features.PaperChannels)
	terms[features.Solution] = row("theta1")
	terms[features.PositiveEdges] = g.op("MatMul", split("theta5"), "theta4")
	terms[features.NegativeEdges] = g.op("MatMul", split(g.op("Neg", "theta5")), "theta4")
	terms[features.NeighbourWeights] = row("theta3")
	base := g.op("MatMul", f, g.concat(0, terms...))
	near := g.nearer(n, f, edges)
	e := g.op("Relu", base)
	for range n.Iterations() - 1 {
		e = g.op("Relu", g.op("Add", base, near(e)))
	}
	h5 := g.op("Relu", g.dense(e, "theta6", "b1"))
	a := g.dense(h5, "theta8", "b3")
	if n.Dueling() {
		a = g.duel(a, g.dense(g.mean(h5, 1, 2), "theta7", "b2"), 1, 2)
	}
	return g.op("Squeeze", a, g.ints(3))
}

// nearer returns what a vertex takes in of the embeddings of its neighbours. v is over
// [batch, n1, n2, …].
func (g *graph) nearer(n *models.Paper, v string, edges func() string) func(e string) string {
	neighbours := g.neighbours(v)
	adjacent := func(e string) string {
		others := g.op("Add", g.op("Sub", g.op("Sub", g.total(e, true, 1, 2), g.total(e, true, 2)), g.total(e, true, 1)), e)
		return g.op("MatMul", g.op("Div", others, neighbours), "theta2")
	}
	if !n.Weighted() {
		return adjacent
	}
	w := edges()
	if n.Matched() {
		return g.matchedNearer(n, v, w)
	}
	return func(e string) string {
		return g.op("MatMul", g.op("Div", g.weighed(n, w, e), neighbours), "theta2")
	}
}

// weighed is W·e, [batch, n1, n2, width].
func (g *graph) weighed(n *models.Paper, w, e string) string {
	return g.op("MatMul", w, g.op("Reshape", e, g.ints(0, 1, -1, int64(n.Hidden())))) // [batch, 1, n1·n2, width]
}

// matchedNearer is nearer of paper-matched: see models.Paper.
func (g *graph) matchedNearer(n *models.Paper, v, w string) func(e string) string {
	x := g.opWith("Gather", []onnx.Attribute{{Name: "axis", Value: int64(3)}}, v, g.ints(features.Solution))
	d := g.nodes(v)
	most := g.float(g.op("Min", d.n1, d.n2))
	return func(e string) string {
		y := g.mul(e, x)
		released := g.sub(g.op("Add", g.total(y, true, 1), g.total(y, true, 2)), g.op("Add", y, y))
		support := g.op("Div", g.weighed(n, w, y), most)
		return g.op("Add", g.op("MatMul", released, "theta2"), g.op("MatMul", support, "theta9"))
	}
}

func (g *graph) affinity(f string) string {
	edge, size := g.perceptron("edge", f), g.perceptron("size", f)
	asked := g.opWith("Gather", []onnx.Attribute{{Name: "axis", Value: int64(3)}}, f, g.ints(features.AsksSize))
	return g.op("Squeeze", g.op("Add", edge, g.op("Mul", asked, g.op("Sub", size, edge))), g.ints(3))
}

// rewriter mixes the answers about regions and about rules.
func (g *graph) rewriter(f string) string {
	part := func(name string) string { return g.op("Add", g.perceptron(name, f), g.op("MatMul", f, name+".skip")) }
	region, rule := part("region"), part("rule")
	asked := g.opWith("Gather", []onnx.Attribute{{Name: "axis", Value: int64(3)}}, f, g.ints(features.AsksRule))
	return g.op("Squeeze", g.op("Add", region, g.op("Mul", asked, g.op("Sub", rule, region))), g.ints(3))
}

// perceptron is one of the two of models.Affinity.
func (g *graph) perceptron(name, f string) string {
	h := g.op("Relu", g.dense(f, name+".w1", name+".b1"))
	u := g.op("Relu", g.dense(h, name+".w2", name+".b2"))
	return g.dense(u, name+".w3", name+".b3")
}

// neighbours is (n1−1)·(n2−1), at least 1, for v over [batch, n1, n2, …].
func (g *graph) neighbours(v string) string {
	shape := g.op("Shape", v)
	others := func(axis int64) string {
		return g.op("Sub", g.float(g.op("Gather", shape, g.ints(axis))), g.number(1))
	}
	return g.op("Max", g.op("Mul", others(1), others(2)), g.number(1))
}
