package export

import (
	"fmt"

	"github.com/rgm-go/rgm/internal/modelfile"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/features"
)

// The functions here write the equations of models.Gain and models.Paper as
// nodes; names of weights are those of Parameters. Tensors over vertices are
// [batch, n1, n2, width], so graph 1 is axis 1 and graph 2 axis 2.

// network returns the graph of a network, from features to q.
func network(n models.Network) (*graph, error) {
	g := newGraph("rgm " + n.Architecture())
	f := g.input(modelfile.Input, named("batch"), named("n1"), named("n2"), fixed(int64(features.Channels(n.Features()))))
	g.parameters(n)
	q, err := g.body(n, f)
	if err != nil {
		return nil, err
	}
	g.finish(q)
	return g, nil
}

// body adds the nodes from features to Q, [batch, n1, n2, 1].
func (g *graph) body(n models.Network, f string) (string, error) {
	switch n := n.(type) {
	case *models.Gain:
		return g.gain(f, n.Dueling()), nil
	case *models.Paper:
		return g.paper(f, n.Iterations(), n.Dueling()), nil
	}
	return "", fmt.Errorf("export: no ONNX graph for architecture %q", n.Architecture())
}

// finish makes Q the output.
func (g *graph) finish(q string) {
	g.rename(g.op("Squeeze", q, g.ints(3)), modelfile.Output)
	g.output(modelfile.Output, named("batch"), named("n1"), named("n2"))
}

// dense is x·w + b.
func (g *graph) dense(x, w, b string) string { return g.op("Add", g.op("MatMul", x, w), b) }

// duel is v + a − mean a.
func (g *graph) duel(a, v string) string {
	return g.op("Add", a, g.op("Sub", v, g.mean(a, 1, 2)))
}

func (g *graph) gain(f string, dueling bool) string {
	rowMeans := g.mean(f, 2)
	all := g.dense(g.mean(rowMeans, 1), "embed.all", "embed.b")
	rows := g.op("Add", g.op("MatMul", rowMeans, "embed.row"), all)
	cols := g.op("MatMul", g.mean(f, 1), "embed.col")
	h := g.op("Relu", g.sum(g.op("MatMul", f, "embed.w"), rows, cols))
	u := g.op("Relu", g.dense(h, "advantage.w1", "advantage.b1"))
	a := g.op("Add", g.op("MatMul", u, "advantage.w2"), g.op("MatMul", f, "advantage.skip"))
	if !dueling {
		return g.op("Add", a, "advantage.b2")
	}
	t := g.op("Relu", g.dense(g.mean(h, 1, 2), "value.w1", "value.b1"))
	return g.duel(a, g.dense(t, "value.w2", "value.b2"))
}

func (g *graph) paper(f string, iterations int, dueling bool) string {
	// One unit of each input adds a row of terms: θ1, θ5⁺·θ4, θ5⁻·θ4, θ3.
	row := func(v string) string { return g.op("Unsqueeze", v, g.ints(0)) }
	split := func(theta5 string) string { return row(g.op("Relu", theta5)) }
	terms := make([]string, features.PaperChannels)
	terms[features.Solution] = row("theta1")
	terms[features.PositiveEdges] = g.op("MatMul", split("theta5"), "theta4")
	terms[features.NegativeEdges] = g.op("MatMul", split(g.op("Neg", "theta5")), "theta4")
	terms[features.NeighbourWeights] = row("theta3")
	base := g.op("MatMul", f, g.concat(0, terms...))
	neighbours := g.neighbours(f)
	e := g.op("Relu", base)
	for range iterations - 1 {
		near := g.op("Div", g.op("Add", g.op("Sub", g.op("Sub", g.total(e, true, 1, 2), g.total(e, true, 2)), g.total(e, true, 1)), e), neighbours)
		e = g.op("Relu", g.op("Add", base, g.op("MatMul", near, "theta2")))
	}
	h5 := g.op("Relu", g.dense(e, "theta6", "b1"))
	a := g.dense(h5, "theta8", "b3")
	if !dueling {
		return a
	}
	return g.duel(a, g.dense(g.mean(h5, 1, 2), "theta7", "b2"))
}

// neighbours is (n1−1)·(n2−1), at least 1, for v over [batch, n1, n2, …].
func (g *graph) neighbours(v string) string {
	shape := g.op("Shape", v)
	others := func(axis int64) string {
		return g.op("Sub", g.float(g.op("Gather", shape, g.ints(axis))), g.number(1))
	}
	return g.op("Max", g.op("Mul", others(1), others(2)), g.number(1))
}
