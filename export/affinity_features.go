package export

import (
	"github.com/rgm-go/rgm/internal/layers"
	"github.com/rgm-go/rgm/internal/modelfile"
	"github.com/rgm-go/rgm/internal/onnx"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap/features"
	"github.com/rgm-go/rgm/qap/reweigh"
)

// selfContainedAffinity computes the Affinity set of features itself, and from the
// answers the re-weighed affinities. The searches stay outside: alike are the best
// matchings of K at a quarter, a half, three quarters and all of the nodes, profile those
// of the re-weighed affinities for every size from 0 on. The formulas are those of
// package reweigh.
func (g *graph) selfContainedAffinity(n *models.Affinity) {
	k := g.exact(g.Input(affinityInput, onnx.Named("vertices"), onnx.Named("vertices")))
	alike := g.exact(g.Input(alikeInput, onnx.Fixed(4), onnx.Named("n1"), onnx.Named("n2")))
	profile := g.exact(g.Input(profileInput, onnx.Named("sizes"), onnx.Named("n1"), onnx.Named("n2")))
	d := g.nodes(alikeInput)
	g.parameters(n)

	v := g.split(k, d)
	count := g.Mul(d.n1, d.n2)
	edges := g.Op("Reshape", v.edges, g.Concat(0, count, count))
	a := affinityFeatures{graph: g, dims: d, edges: edges, nodes: g.Op("Reshape", v.weights, count)}
	a.measure()
	a.statistics = a.statisticsOf(a.flat(alike))
	reweighed := a.reweighed()
	a.profile = a.flat(profile)
	g.Rename(g.Op("Squeeze", layers.PerceptronGraph(g.Builder, "size", a.sizeQuestions(reweighed)), g.Ints(1)), modelfile.Output)
	g.Output(modelfile.Output, onnx.Named("choices"))
	g.Rename(g.Float(reweighed), reweighedOutput)
	g.Output(reweighedOutput, onnx.Named("vertices"), onnx.Named("vertices"))
}

// affinityFeatures computes the channels of questions, [questions, channels].
type affinityFeatures struct {
	*graph
	dims
	edges, nodes         string // K off its diagonal and without conflicts, [n1·n2, n1·n2]; K[p,p]
	isEdge, shares, logs string // of edges that are not 0; 0 elsewhere
	greatest, count      string // [1, 1]
	asGiven              string // 1 where affinities stay as they are, [1, 1]
	statistics           string // [1, 16], float32
	profile              string // [sizes, n1·n2]
}

// flat makes vertices one axis.
func (a *affinityFeatures) flat(matchings string) string {
	return a.Op("Reshape", matchings, a.Ints(0, -1))
}

func (a *affinityFeatures) sumAll(v string) string { return a.Total(v, true, 0, 1) }

// measure computes shares and logarithms.
func (a *affinityFeatures) measure() {
	zero, one := a.exactNumber(0), a.exactNumber(1)
	least := a.Op("Neg", a.LargestOf(a.Op("Neg", a.edges), 0, 1)) // at most 0, as the diagonal is
	a.greatest = a.LargestOf(a.edges, 0, 1)
	negative := a.greater(a.Op("Neg", least), a.Mul(a.exactNumber(reweigh.Rounding), a.greatest))
	a.edges = a.where(negative, a.edges, a.Op("Max", a.edges, zero))
	a.isEdge = a.less(a.equal(a.edges, zero))
	a.count = a.Op("Max", a.sumAll(a.isEdge), one)
	a.asGiven = a.Op("Max", negative, a.equal(a.greatest, zero))
	a.greatest = a.where(a.asGiven, one, a.greatest)
	a.shares = a.Div(a.edges, a.greatest)
	bound := a.Op("Exp", a.exactNumber(leastLog))
	a.logs = a.Mul(a.isEdge, a.Op("Log", a.Op("Max", a.shares, bound)))
}

// leastLog bounds the logarithm of a share from below.
const leastLog = -12

// statisticsOf are channels 3 to 18.
func (a *affinityFeatures) statisticsOf(alike string) string {
	mean := a.Div(a.sumAll(a.shares), a.count)
	squares := a.Div(a.sumAll(a.Mul(a.shares, a.shares)), a.count)
	variance := a.Op("Max", a.Sub(squares, a.Mul(mean, mean)), a.exactNumber(0))
	parts := []string{mean, a.Op("Sqrt", variance), a.Div(a.sumAll(a.logs), a.count)}
	for _, tail := range []float32{-0.02, -0.1, -0.5, -2, -6} {
		above := a.sumAll(a.Mul(a.isEdge, a.greater(a.logs, a.exactNumber(tail))))
		parts = append(parts, a.Op("Log", a.Op("Add", a.Div(above, a.count), a.exactNumber(1e-4))))
	}
	small, large := a.smaller(), a.Op("Max", a.exact(a.n1), a.exact(a.n2))
	asMatrix := func(v string) string { return a.Op("Reshape", v, a.Ints(1, 1)) }
	parts = append(parts,
		asMatrix(a.Op("Log", a.Div(small, a.exactNumber(10)))),
		asMatrix(a.Op("Log", a.Div(large, small))))
	shares, logs := a.within(alike)
	row := func(v string, k int64) string { return a.Op("Gather", v, a.Ints(k)) }
	parts = append(parts, row(shares, 0), row(logs, 1), row(shares, 1), row(logs, 2), row(shares, 2), row(logs, 3))
	return a.Float(a.Concat(1, parts...))
}

// smaller is the number of nodes of the smaller graph, [1].
func (a *affinityFeatures) smaller() string { return a.Op("Min", a.exact(a.n1), a.exact(a.n2)) }

// within are the means of shares and logarithms over the edges between matches, one
// each, [matchings, 1].
func (a *affinityFeatures) within(matchings string) (shares, logs string) {
	sum := func(m string) string { return a.rowDots(a.Product(matchings, m), matchings) }
	count := a.Op("Max", sum(a.isEdge), a.exactNumber(1))
	return a.Div(sum(a.shares), count), a.Div(sum(a.logs), count)
}

// rowDots are the products of equal rows, [rows, 1].
func (a *affinityFeatures) rowDots(v, w string) string { return a.Total(a.Mul(v, w), true, 1) }

// tabulated is at how many equal steps of the logarithm φ is evaluated, as reweigh does.
const tabulated = 512

// table is φ from leastLog to 0, of float64.
func (a *affinityFeatures) table() string {
	places := make([]int64, tabulated)
	for k := range places {
		places[k] = int64(k)
	}
	log := a.Mul(a.exactNumber(leastLog), a.less(a.Div(a.exact(a.Ints(places...)), a.exactNumber(tabulated-1))))
	log = a.Op("Unsqueeze", log, a.Ints(1))
	questions := a.Float(a.Concat(1, a.Mul(log, a.exactNumber(0)), a.Op("Exp", log), log))
	statistics := a.Op("Expand", a.statistics, a.Ints(tabulated, features.StatisticCount))
	ofSize := a.Op("Expand", a.Number(0), a.Ints(tabulated, features.OfSizeCount))
	values := layers.PerceptronGraph(a.Builder, "edge", a.Concat(1, questions, statistics, ofSize))
	return a.exact(a.Op("Squeeze", values, a.Ints(1)))
}

// reweighed is the matrix of affinities: φ where there is an edge, interpolated, and
// node affinities, less their mean, in units of φ.
func (a *affinityFeatures) reweighed() string {
	table, last := a.table(), a.exactNumber(tabulated-1)
	place := a.Mul(a.Op("Add", a.Div(a.logs, a.exactNumber(-leastLog)), a.exactNumber(1)), last)
	low := a.integer(a.Op("Min", place, a.exactNumber(tabulated-2)))
	at := func(index string) string { return a.Op("Gather", table, index) }
	below := at(low)
	step := a.Sub(at(a.Op("Add", low, a.Ints(1))), below)
	phi := a.Op("Add", below, a.Mul(a.Sub(place, a.exact(low)), step))

	span := a.Op("Abs", a.Sub(at(a.Ints(tabulated-1)), at(a.Ints(0))))
	unit := a.Div(span, a.Op("Reshape", a.greatest, a.Ints(1)))
	nodes := a.Mul(unit, a.Sub(a.nodes, a.Mean(a.nodes, 0)))
	diagonal := a.exactEye(a.Mul(a.n1, a.n2))
	learned := a.Op("Add", a.Mul(a.isEdge, phi), a.Mul(diagonal, nodes))
	given := a.Op("Add", a.edges, a.Mul(diagonal, a.nodes))
	return a.where(a.asGiven, given, learned)
}
