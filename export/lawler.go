package export

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
	k := g.exact(g.input(affinityInput, named("vertices"), named("vertices")))
	factors := g.exact(g.input(factorsInput, named("sizes")))
	rules := g.exact(g.input(rulesInput, fixed(3)))
	rule := func(k int64) string { return g.op("Gather", rules, g.ints(k)) }
	l := lawlerGraph{
		graph: g, vertices: g.split(k, d, g.exactEye, g.exactNumber(1), g.exactNumber(0.5)), dims: d,
		factors: factors, release: rule(1), autofill: rule(2), x: x, size: g.all(x),
	}
	o := objective{gains: l.gains(x), most: rule(0)}
	o.factor = l.factorOf(o.most)
	score := l.score(x, o.gains)
	o.value = g.mul(score, l.factorOf(l.size))
	o.best = g.mul(l.score(best, l.gains(best)), l.factorOf(g.all(best)))
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
	n := l.mul(l.n1, l.n2)
	edges := l.op("Reshape", l.edges, l.concat(0, n, n))
	sums := l.product(l.op("Reshape", y, l.ints(0, -1)), edges)
	return l.op("Add", l.weights, l.twice(l.op("Reshape", sums, l.op("Shape", y))))
}

// score is J = Σ y·(gains + K[p,p])/2.
func (l *lawlerGraph) score(y, gains string) string {
	return l.mul(l.exactNumber(0.5), l.all(l.mul(y, l.op("Add", gains, l.weights))))
}

// factorOf is f(m), for any shape of m.
func (l *lawlerGraph) factorOf(m string) string {
	last := l.sub(l.exact(l.op("Shape", l.factors)), l.exactNumber(1))
	index := l.op("Max", l.op("Min", m, last), l.exactNumber(0))
	return l.op("Gather", l.factors, l.integer(index))
}

// changes are ΔV.
func (l *lawlerGraph) changes(gains, score string) string {
	matched := l.mul(l.x, gains)
	free := l.less(l.x) // vertices that are not matched
	between := l.pairs(l.edges, l.x, l.x)
	change := l.op("Add", l.sub(l.sub(gains, l.rowSums(matched)), l.colSums(matched)), l.twice(between))
	change = l.sub(l.mul(free, change), l.mul(l.release, matched))

	conflicts := l.op("Add", l.rowSums(l.x), l.colSums(l.x))
	after := l.op("Add", l.size, l.mul(free, l.less(conflicts))) // matches, before a forced one
	forced := l.forced(free, after)
	change = l.op("Add", change, l.mul(forced, l.forcedGain(gains)))
	after = l.op("Add", l.sub(after, l.mul(l.release, l.x)), forced)

	f := l.factorOf(after)
	regularised := l.op("Add", l.mul(f, change), l.mul(l.sub(f, l.factorOf(l.size)), score))
	return l.where(l.greater(l.size, l.exactNumber(1)), regularised, change)
}

// pairs is Σ y[i,b]·z[k,a]·K[(i,b),(k,a)] over b and k: [batch, n1, n2]. edges are
// [n1, n2, n1, n2].
func (l *lawlerGraph) pairs(edges, y, z string) string {
	rows := l.op("Reshape", edges, l.concat(0, l.n1, l.n2, l.mul(l.n1, l.n2)))
	of := l.product(l.op("Unsqueeze", y, l.ints(2)), rows) // [batch, n1, 1, n1·n2]
	of = l.op("Reshape", of, l.concat(0, l.ints(0, 0), l.n1, l.n2))
	return l.total(l.mul(of, l.op("Unsqueeze", z, l.ints(1))), false, 2)
}

// forced is 1 where autofill makes one more match: one node of each graph is free then.
func (l *lawlerGraph) forced(free, after string) string {
	square := l.equal(l.n1, l.n2)
	lacksOne := l.equal(after, l.sub(l.exact(l.n1), l.exactNumber(1)))
	return l.mul(l.mul(l.mul(l.autofill, square), free), lacksOne)
}

// forcedGain is what the match (j,c) of the nodes that choosing (i,a) leaves free
// brings: its gain, which holds nothing of the released matches since they share a node
// with it, and 2·K[(j,c),(i,a)].
func (l *lawlerGraph) forcedGain(gains string) string {
	j := l.op("Add", l.less(l.rowSums(l.x)), l.x) // [j,a]: j is free once a is taken
	c := l.op("Add", l.less(l.colSums(l.x)), l.x) // [i,c]: c is free once i has left it
	// Σ c[i,c]·gains[j,c]·j[j,a] over j ≠ i and c ≠ a.
	byRow, byCol := l.mul(c, gains), l.mul(gains, j)
	sum := l.product(l.product(c, l.flip(gains)), j)
	sum = l.sub(l.sub(sum, l.mul(j, l.rowSums(byRow))), l.mul(c, l.colSums(byCol)))
	sum = l.op("Add", sum, l.mul(byRow, j))
	// K[(j,c),(i,a)] as [i, c, j, a]; it is 0 where j = i or c = a.
	return l.op("Add", sum, l.twice(l.pairs(l.permute(l.edges, 2, 1, 0, 3), c, j)))
}
