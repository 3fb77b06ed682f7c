package export

import (
	"github.com/rgm-go/rgm/internal/modelfile"
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
	k := g.exact(g.input(affinityInput, named("vertices"), named("vertices")))
	alike := g.exact(g.input(alikeInput, fixed(4), named("n1"), named("n2")))
	profile := g.exact(g.input(profileInput, named("sizes"), named("n1"), named("n2")))
	d := g.nodes(alikeInput)
	g.parameters(n)

	v := g.split(k, d, g.exactEye, g.exactNumber(1), g.exactNumber(0.5))
	count := g.mul(d.n1, d.n2)
	edges := g.op("Reshape", v.edges, g.concat(0, count, count))
	a := affinityFeatures{graph: g, dims: d, edges: edges, nodes: g.op("Reshape", v.weights, count)}
	a.measure()
	a.statistics = a.statisticsOf(a.flat(alike))
	reweighed := a.reweighed()
	a.profile = a.flat(profile)
	g.rename(g.op("Squeeze", g.perceptron("size", a.sizeQuestions(reweighed)), g.ints(1)), modelfile.Output)
	g.output(modelfile.Output, named("choices"))
	g.rename(g.float(reweighed), reweighedOutput)
	g.output(reweighedOutput, named("vertices"), named("vertices"))
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
	return a.op("Reshape", matchings, a.ints(0, -1))
}

func (a *affinityFeatures) sumAll(v string) string { return a.total(v, true, 0, 1) }

// measure computes shares and logarithms.
func (a *affinityFeatures) measure() {
	zero, one := a.exactNumber(0), a.exactNumber(1)
	least := a.op("Neg", a.largestOf(a.op("Neg", a.edges), 0, 1)) // at most 0, as the diagonal is
	a.greatest = a.largestOf(a.edges, 0, 1)
	negative := a.greater(a.op("Neg", least), a.mul(a.exactNumber(reweigh.Rounding), a.greatest))
	a.edges = a.where(negative, a.edges, a.op("Max", a.edges, zero))
	a.isEdge = a.less(a.equal(a.edges, zero))
	a.count = a.op("Max", a.sumAll(a.isEdge), one)
	a.asGiven = a.op("Max", negative, a.equal(a.greatest, zero))
	a.greatest = a.where(a.asGiven, one, a.greatest)
	a.shares = a.div(a.edges, a.greatest)
	bound := a.op("Exp", a.exactNumber(leastLog))
	a.logs = a.mul(a.isEdge, a.op("Log", a.op("Max", a.shares, bound)))
}

// leastLog bounds the logarithm of a share from below.
const leastLog = -12

// statisticsOf are channels 3 to 18.
func (a *affinityFeatures) statisticsOf(alike string) string {
	mean := a.div(a.sumAll(a.shares), a.count)
	squares := a.div(a.sumAll(a.mul(a.shares, a.shares)), a.count)
	variance := a.op("Max", a.sub(squares, a.mul(mean, mean)), a.exactNumber(0))
	parts := []string{mean, a.op("Sqrt", variance), a.div(a.sumAll(a.logs), a.count)}
	for _, tail := range []float32{-0.02, -0.1, -0.5, -2, -6} {
		above := a.sumAll(a.mul(a.isEdge, a.greater(a.logs, a.exactNumber(tail))))
		parts = append(parts, a.op("Log", a.op("Add", a.div(above, a.count), a.exactNumber(1e-4))))
	}
	small, large := a.smaller(), a.op("Max", a.exact(a.n1), a.exact(a.n2))
	asMatrix := func(v string) string { return a.op("Reshape", v, a.ints(1, 1)) }
	parts = append(parts,
		asMatrix(a.op("Log", a.div(small, a.exactNumber(10)))),
		asMatrix(a.op("Log", a.div(large, small))))
	shares, logs := a.within(alike)
	row := func(v string, k int64) string { return a.op("Gather", v, a.ints(k)) }
	parts = append(parts, row(shares, 0), row(logs, 1), row(shares, 1), row(logs, 2), row(shares, 2), row(logs, 3))
	return a.float(a.concat(1, parts...))
}

// smaller is the number of nodes of the smaller graph, [1].
func (a *affinityFeatures) smaller() string { return a.op("Min", a.exact(a.n1), a.exact(a.n2)) }

// within are the means of shares and logarithms over the edges between matches, one
// each, [matchings, 1].
func (a *affinityFeatures) within(matchings string) (shares, logs string) {
	sum := func(m string) string { return a.rowDots(a.product(matchings, m), matchings) }
	count := a.op("Max", sum(a.isEdge), a.exactNumber(1))
	return a.div(sum(a.shares), count), a.div(sum(a.logs), count)
}

// rowDots are the products of equal rows, [rows, 1].
func (a *affinityFeatures) rowDots(v, w string) string { return a.total(a.mul(v, w), true, 1) }

// tabulated is at how many equal steps of the logarithm φ is evaluated, as reweigh does.
const tabulated = 512

// table is φ from leastLog to 0, of float64.
func (a *affinityFeatures) table() string {
	places := make([]int64, tabulated)
	for k := range places {
		places[k] = int64(k)
	}
	log := a.mul(a.exactNumber(leastLog), a.less(a.div(a.exact(a.ints(places...)), a.exactNumber(tabulated-1))))
	log = a.op("Unsqueeze", log, a.ints(1))
	questions := a.float(a.concat(1, a.mul(log, a.exactNumber(0)), a.op("Exp", log), log))
	statistics := a.op("Expand", a.statistics, a.ints(tabulated, features.StatisticCount))
	ofSize := a.op("Expand", a.number(0), a.ints(tabulated, features.OfSizeCount))
	values := a.perceptron("edge", a.concat(1, questions, statistics, ofSize))
	return a.exact(a.op("Squeeze", values, a.ints(1)))
}

// reweighed is the matrix of affinities: φ where there is an edge, interpolated, and
// node affinities, less their mean, in units of φ.
func (a *affinityFeatures) reweighed() string {
	table, last := a.table(), a.exactNumber(tabulated-1)
	place := a.mul(a.op("Add", a.div(a.logs, a.exactNumber(-leastLog)), a.exactNumber(1)), last)
	low := a.integer(a.op("Min", place, a.exactNumber(tabulated-2)))
	at := func(index string) string { return a.op("Gather", table, index) }
	below := at(low)
	step := a.sub(at(a.op("Add", low, a.ints(1))), below)
	phi := a.op("Add", below, a.mul(a.sub(place, a.exact(low)), step))

	span := a.op("Abs", a.sub(at(a.ints(tabulated-1)), at(a.ints(0))))
	unit := a.div(span, a.op("Reshape", a.greatest, a.ints(1)))
	nodes := a.mul(unit, a.sub(a.nodes, a.mean(a.nodes, 0)))
	diagonal := a.exactEye(a.mul(a.n1, a.n2))
	learned := a.op("Add", a.mul(a.isEdge, phi), a.mul(diagonal, nodes))
	given := a.op("Add", a.edges, a.mul(diagonal, a.nodes))
	return a.where(a.asGiven, given, learned)
}
