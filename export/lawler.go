package export

import "github.com/rgm-go/rgm/internal/onnx"

// objective is what the features need of an instance and a batch of its matchings, all
// of float64: shapes are [batch, n1, n2], or [batch, 1, 1] of one number a state.
type objective struct {
	gains   string // K[p,p] + 2·Σ K[p,q] over matched q
	value   string // V
	changes string // ΔV of choosing each vertex
	best    string // V of the best solution
	most    string // matches of the largest solution, [1]
	factor  string // f of as many matches, [1]
}

// lawler is the objective of an affinity matrix: V = J·f(m). See qap.ScoreChanges and
// qap.RegularizedChanges, whose formulas these are.
func (g *graph) lawler(x, best string, d dims) objective {
	k := g.exact(g.Input(affinityInput, onnx.Named("vertices"), onnx.Named("vertices")))
	factors := g.exact(g.Input(factorsInput, onnx.Named("sizes")))
	rules := g.exact(g.Input(rulesInput, onnx.Fixed(3)))
	rule := func(k int64) string { return g.Op("Gather", rules, g.Ints(k)) }
	l := lawlerGraph{
		graph: g, vertices: g.split(k, d), dims: d,
		factors: factors, release: rule(1), autofill: rule(2), x: x, size: g.all(x),
	}
	o := objective{gains: l.gains(x), most: rule(0)}
	o.factor = l.factorOf(o.most)
	score := l.score(x, o.gains)
	o.value = g.Mul(score, l.factorOf(l.size))
	o.best = g.Mul(l.score(best, l.gains(best)), l.factorOf(g.all(best)))
	o.changes = l.changes(o.gains, score)
	return o
}

// lawlerGraph builds the objective of an affinity matrix.
type lawlerGraph struct {
	*graph
	vertices
	dims
	factors, release, autofill string
	x, size                    string
}

// gains of a batch of matchings.
func (l *lawlerGraph) gains(y string) string {
	n := l.Mul(l.n1, l.n2)
	edges := l.Op("Reshape", l.edges, l.Concat(0, n, n))
	sums := l.Product(l.Op("Reshape", y, l.Ints(0, -1)), edges)
	return l.Op("Add", l.weights, l.twice(l.Op("Reshape", sums, l.Op("Shape", y))))
}

// score is J = Σ y·(gains + K[p,p])/2.
func (l *lawlerGraph) score(y, gains string) string {
	return l.Mul(l.exactNumber(0.5), l.all(l.Mul(y, l.Op("Add", gains, l.weights))))
}

// factorOf is f(m), for any shape of m.
func (l *lawlerGraph) factorOf(m string) string {
	last := l.Sub(l.exact(l.Op("Shape", l.factors)), l.exactNumber(1))
	index := l.Op("Max", l.Op("Min", m, last), l.exactNumber(0))
	return l.Op("Gather", l.factors, l.integer(index))
}

// changes are ΔV.
func (l *lawlerGraph) changes(gains, score string) string {
	matched := l.Mul(l.x, gains)
	free := l.less(l.x) // vertices that are not matched
	between := l.pairs(l.edges, l.x, l.x)
	change := l.Op("Add", l.Sub(l.Sub(gains, l.rowSums(matched)), l.colSums(matched)), l.twice(between))
	change = l.Sub(l.Mul(free, change), l.Mul(l.release, matched))

	conflicts := l.Op("Add", l.rowSums(l.x), l.colSums(l.x))
	after := l.Op("Add", l.size, l.Mul(free, l.less(conflicts))) // matches, before a forced one
	forced := l.forced(free, after)
	change = l.Op("Add", change, l.Mul(forced, l.forcedGain(gains)))
	after = l.Op("Add", l.Sub(after, l.Mul(l.release, l.x)), forced)

	f := l.factorOf(after)
	regularised := l.Op("Add", l.Mul(f, change), l.Mul(l.Sub(f, l.factorOf(l.size)), score))
	return l.where(l.greater(l.size, l.exactNumber(1)), regularised, change)
}

// pairs is Σ y[i,b]·z[k,a]·K[(i,b),(k,a)] over b and k: [batch, n1, n2]. edges are
// [n1, n2, n1, n2].
func (l *lawlerGraph) pairs(edges, y, z string) string {
	rows := l.Op("Reshape", edges, l.Concat(0, l.n1, l.n2, l.Mul(l.n1, l.n2)))
	of := l.Product(l.Op("Unsqueeze", y, l.Ints(2)), rows) // [batch, n1, 1, n1·n2]
	of = l.Op("Reshape", of, l.Concat(0, l.Ints(0, 0), l.n1, l.n2))
	return l.Total(l.Mul(of, l.Op("Unsqueeze", z, l.Ints(1))), false, 2)
}

// forced is 1 where autofill makes one more match: one node of each graph is free then.
func (l *lawlerGraph) forced(free, after string) string {
	square := l.equal(l.n1, l.n2)
	lacksOne := l.equal(after, l.Sub(l.exact(l.n1), l.exactNumber(1)))
	return l.Mul(l.Mul(l.Mul(l.autofill, square), free), lacksOne)
}

// forcedGain is what the match (j,c) of the nodes that choosing (i,a) leaves free
// brings: its gain, which holds nothing of the released matches since they share a node
// with it, and 2·K[(j,c),(i,a)].
func (l *lawlerGraph) forcedGain(gains string) string {
	j := l.Op("Add", l.less(l.rowSums(l.x)), l.x) // [j,a]: j is free once a is taken
	c := l.Op("Add", l.less(l.colSums(l.x)), l.x) // [i,c]: c is free once i has left it
	// Σ c[i,c]·gains[j,c]·j[j,a] over j ≠ i and c ≠ a.
	byRow, byCol := l.Mul(c, gains), l.Mul(gains, j)
	sum := l.Product(l.Product(c, l.flip(gains)), j)
	sum = l.Sub(l.Sub(sum, l.Mul(j, l.rowSums(byRow))), l.Mul(c, l.colSums(byCol)))
	sum = l.Op("Add", sum, l.Mul(byRow, j))
	// K[(j,c),(i,a)] as [i, c, j, a]; it is 0 where j = i or c = a.
	return l.Op("Add", sum, l.twice(l.pairs(l.permute(l.edges, 2, 1, 0, 3), c, j)))
}
