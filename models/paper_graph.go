package models

import (
	"fmt"
	"math/rand/v2"

	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/features"
)

// paperArchitecture returns one of the architectures of Paper.
func paperArchitecture(name string) Architecture {
	return Architecture{
		Name: name,
		New: func(c Config, rng *rand.Rand) (Network, error) {
			kind := features.PaperKind{Weighted: name != ArchitecturePaper, Matched: name == ArchitectureMatched, Regularized: c.Regularized != ""}
			if kind.Regularized {
				var err error
				if kind.Form, err = qap.ParseRegularizedForm(c.Regularized); err != nil {
					return nil, fmt.Errorf("models: %w", err)
				}
			}
			return newPaper(paperShape{c.HiddenOr(128), c.HeadOr(64), c.IterationsOr(3), c.SingleStream, kind}, rng), nil
		},
		Least: func(c Config) float64 { return float64(c.Hidden) * float64(max(c.Hidden, c.Head)) },
	}
}

func (n *Paper) Config() Config {
	c := Config{Architecture: n.Architecture(), Hidden: n.hidden, Head: n.head, Iterations: n.iterations, SingleStream: n.single}
	if n.kind.Regularized {
		c.Regularized = n.kind.Form.String()
	}
	return c
}

// paperGraph writes the forward pass of Paper.
type paperGraph struct {
	*onnx.Builder
	n *Paper
}

// Graph implements Exportable.
func (n *Paper) Graph(b *onnx.Builder, inputs []string) string {
	return n.GraphOf(b, inputs[0], func() string { return b.Op("Reshape", inputs[1], b.Ints(0, 0, 0, -1)) })
}

// GraphOf is Graph of features f. edges makes W, [batch or nothing, n1, n2, n1·n2], where it is
// needed.
func (n *Paper) GraphOf(b *onnx.Builder, f string, edges func() string) string {
	return paperGraph{b, n}.forward(f, edges)
}

// forward returns Q of features f. Its tensors are [batch, n1, n2, width], so graph 1 is
// axis 1 and graph 2 axis 2. edges makes W, [batch or nothing, n1, n2, n1·n2], for networks
// that weigh by it.
func (g paperGraph) forward(f string, edges func() string) string {
	// One unit of each input adds a row of terms: θ1, θ5⁺·θ4, θ5⁻·θ4, θ3.
	row := func(v string) string { return g.Op("Unsqueeze", v, g.Ints(0)) }
	split := func(theta5 string) string { return row(g.Op("Relu", theta5)) }
	terms := make([]string, features.PaperChannels)
	terms[features.Solution] = row("theta1")
	terms[features.PositiveEdges] = g.Op("MatMul", split("theta5"), "theta4")
	terms[features.NegativeEdges] = g.Op("MatMul", split(g.Op("Neg", "theta5")), "theta4")
	terms[features.NeighbourWeights] = row("theta3")
	base := g.Op("MatMul", f, g.Concat(0, terms...))
	near := g.nearer(f, edges)
	e := g.Op("Relu", base)
	for range g.n.Iterations() - 1 {
		e = g.Op("Relu", g.Op("Add", base, near(e)))
	}
	h5 := g.Op("Relu", g.Dense(e, "theta6", "b1"))
	a := g.Dense(h5, "theta8", "b3")
	if g.n.Dueling() {
		a = duelGraph(g.Builder, a, g.Dense(g.Mean(h5, 1, 2), "theta7", "b2"), 1, 2)
	}
	return g.Op("Squeeze", a, g.Ints(3))
}

// nearer returns what a vertex takes in of the embeddings of its neighbours. v is over
// [batch, n1, n2, …].
func (g paperGraph) nearer(v string, edges func() string) func(e string) string {
	neighbours := g.Neighbours(v)
	adjacent := func(e string) string {
		others := g.Op("Add", g.Op("Sub", g.Op("Sub", g.Total(e, true, 1, 2), g.Total(e, true, 2)), g.Total(e, true, 1)), e)
		return g.Op("MatMul", g.Op("Div", others, neighbours), "theta2")
	}
	if !g.n.Weighted() {
		return adjacent
	}
	w := edges()
	if g.n.Matched() {
		return g.matchedNearer(v, w)
	}
	return func(e string) string {
		return g.Op("MatMul", g.Op("Div", g.weighed(w, e), neighbours), "theta2")
	}
}

// weighed is W·e, [batch, n1, n2, width].
func (g paperGraph) weighed(w, e string) string {
	return g.Op("MatMul", w, g.Op("Reshape", e, g.Ints(0, 1, -1, int64(g.n.Hidden())))) // [batch, 1, n1·n2, width]
}

// matchedNearer is nearer of paper-matched: see Paper.
func (g paperGraph) matchedNearer(v, w string) func(e string) string {
	x := g.OpWith("Gather", []onnx.Attribute{{Name: "axis", Value: int64(3)}}, v, g.Ints(features.Solution))
	n1, n2 := g.Sizes(v)
	most := g.Float(g.Op("Min", n1, n2))
	return func(e string) string {
		y := g.Mul(e, x)
		released := g.Sub(g.Op("Add", g.Total(y, true, 1), g.Total(y, true, 2)), g.Op("Add", y, y))
		support := g.Op("Div", g.weighed(w, y), most)
		return g.Op("Add", g.Op("MatMul", released, "theta2"), g.Op("MatMul", support, "theta9"))
	}
}
