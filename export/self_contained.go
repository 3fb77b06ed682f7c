package export

import (
	"fmt"

	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models"
)

// Form is what a self-contained model of the architecture gain takes for an instance.
type Form string

const (
	Lawler           Form = "lawler"            // an affinity matrix K; the default
	KoopmansBeckmann Form = "koopmans-beckmann" // two matrices and a linear term
)

// The inputs of self-contained models. docs/MODEL_FORMAT.md says what each holds.
const (
	affinityInput = "affinity"
	aInput        = "a"
	bInput        = "b"
	linearInput   = "linear"
	factorsInput  = "factors"
	rulesInput    = "rules"

	matchingInput      = "matching"
	allowedInput       = "allowed"
	bestInput          = "best"
	releasedInput      = "released"
	visitsInput        = "visits"
	rowChangedInput    = "row_changed"
	columnChangedInput = "column_changed"
	episodeInput       = "episode"
	scaleInput         = "scale"

	alikeInput   = "alike"
	profileInput = "profile"
)

// The outputs beside q.
const (
	changesOutput   = "changes"
	reweighedOutput = "reweighed"
)

// selfContained returns the graph that computes a network's features itself.
func selfContained(n models.Network, form Form) (*graph, error) {
	if form == "" {
		form = Lawler
	}
	if form != Lawler && form != KoopmansBeckmann {
		return nil, fmt.Errorf("export: form %q: want %s or %s", form, Lawler, KoopmansBeckmann)
	}
	g := &graph{onnx.NewBuilder(fmt.Sprintf("rgm %s, self-contained, %s", n.Architecture(), form))}
	switch n := n.(type) {
	case *models.Gain:
		g.selfContainedGain(n, form)
		return g, nil
	case *models.Paper:
		if form == Lawler {
			g.selfContainedPaper(n)
			return g, nil
		}
	case *models.Affinity:
		if form == Lawler {
			g.selfContainedAffinity(n)
			return g, nil
		}
	}
	return nil, fmt.Errorf("export: a self-contained model of architecture %s takes no instance in the form %s", n.Architecture(), form)
}

// selfContainedPaper takes an affinity matrix K, [n1·n2, n1·n2], row-major over
// vertices and maximised, and matchings X, [batch, n1, n2] of 0 and 1; paper-matched also the
// Scale of a step.
func (g *graph) selfContainedPaper(n *models.Paper) {
	k := g.Input(affinityInput, onnx.Named("vertices"), onnx.Named("vertices"))
	x := g.Input(matchingInput, onnx.Named("batch"), onnx.Named("n1"), onnx.Named("n2"))
	g.parameters(n)

	d := g.nodes(x)
	v := g.split(k, d, g.eye, g.Number(1), g.Number(0.5))
	unit := g.largest(v.edges, v.weights)
	most := g.Float(g.Op("Min", d.n1, d.n2)) // matches of the largest solution
	if n.Matched() {
		unit = g.Div(g.Input(scaleInput, onnx.Fixed(1)), most)
	}
	scale := g.Mul(unit, g.Neighbours(x)) // what the features are divided by

	feature := func(v string) string { return g.Op("Expand", g.Div(v, scale), g.Op("Shape", x)) }
	positive := feature(g.Total(g.Op("Relu", v.edges), false, 2, 3))
	negative := feature(g.Total(g.Op("Relu", g.Op("Neg", v.edges)), false, 2, 3))
	w := v.weights
	near := g.Op("Add", g.Sub(g.Sub(g.Total(w, true, 0, 1), g.Total(w, true, 1)), g.Total(w, true, 0)), w)
	if n.Matched() {
		near = g.Mul(g.Div(w, most), g.Neighbours(x))
	}
	channel := func(v string) string { return g.Op("Unsqueeze", v, g.Ints(3)) }
	f := g.Concat(3, channel(x), channel(positive), channel(negative), channel(feature(near)))
	edges := func() string { return g.Op("Reshape", g.Div(v.edges, unit), g.Ints(0, 0, -1)) }
	g.finish(n.GraphOf(g.Builder, f, edges))
}

// eye is the n×n identity, for n a vector of one int64.
func (g *graph) eye(n string) string {
	square := g.Op("ConstantOfShape", g.Concat(0, n, n))
	return g.OpWith("EyeLike", []onnx.Attribute{{Name: "dtype", Value: int64(onnx.Float32)}}, square)
}

// largest is the largest absolute entry of two tensors, 1 if all are 0.
func (g *graph) largest(v, w string) string {
	most := func(v string) string {
		return g.OpWith("ReduceMax", []onnx.Attribute{{Name: "keepdims", Value: int64(0)}}, g.Op("Abs", v))
	}
	m := g.Op("Max", most(v), most(w))
	return g.Op("Where", g.Op("Equal", m, g.Number(0)), g.Number(1), m)
}
