package export

// koopmansBeckmann is the objective of two matrices and a linear term, to be maximised:
// V is the expected score of a uniformly random completion. With R and C the free nodes,
// h = max(|R|, |C|) and M the gains,
//
//	V = J + ΣM[R,C]/h + ΣA[R,R]·ΣB[C,C]/(h·(h−1))
//
// (see qap.Environment.Value). Choosing (i,a), with b the match of i and k the holder of
// a where there are any, leaves R' = R − i + k and C' = C − a + b free; ΔV is the
// difference of this formula before and after.
func (g *graph) koopmansBeckmann(x, best string, d dims) objective {
	a := g.exact(g.input(aInput, named("n1"), named("n1")))
	b := g.exact(g.input(bInput, named("n2"), named("n2")))
	linear := g.exact(g.input(linearInput, named("n1"), named("n2")))
	q := kbGraph{graph: g, dims: d, x: x}
	q.a, q.b, q.linear = g.withoutDiagonals(a, b, linear, d)
	o := objective{gains: q.gains(x), most: g.op("Min", g.exact(d.n1), g.exact(d.n2)), factor: g.exactNumber(1)}
	o.best = q.score(best, q.gains(best))
	o.value, o.changes = q.changes(o.gains)
	return o
}

// kbGraph builds the objective of two matrices without diagonals.
type kbGraph struct {
	*graph
	dims
	a, b, linear string
	x            string
}

// withoutDiagonals moves the products of diagonals to the linear term.
func (g *graph) withoutDiagonals(a, b, linear string, d dims) (plainA, plainB, all string) {
	apart := func(m, n string) (plain, diagonal string) {
		diagonal = g.mul(m, g.exactEye(n))
		return g.sub(m, diagonal), diagonal
	}
	plainA, diagonalA := apart(a, d.n1)
	plainB, diagonalB := apart(b, d.n2)
	both := g.mul(g.total(diagonalA, true, 1), g.total(diagonalB, true, 0))
	return plainA, plainB, g.op("Add", linear, both)
}

// gains are L + A·Y·Bᵀ + Aᵀ·Y·B.
func (q *kbGraph) gains(y string) string {
	at, bt := q.transpose(q.a), q.transpose(q.b)
	sums := q.op("Add", q.product(q.product(q.a, y), bt), q.product(q.product(at, y), q.b))
	return q.op("Add", q.linear, sums)
}

// score is J = Σ y·(gains + L)/2.
func (q *kbGraph) score(y, gains string) string {
	return q.mul(q.exactNumber(0.5), q.all(q.mul(y, q.op("Add", gains, q.linear))))
}

// changes are V and ΔV.
func (q *kbGraph) changes(gains string) (value, changes string) {
	x, xt := q.x, q.flip(q.x)
	r, c := q.less(q.rowSums(x)), q.less(q.colSums(x)) // [batch, n1, 1] and [batch, 1, n2]: 1 where free
	add := func(first string, rest ...string) string { return q.sum(first, rest...) }

	// A[i,R], A[R,i] as columns, B[a,C], B[C,a] as rows.
	at, bt := q.transpose(q.a), q.transpose(q.b)
	aOut, aIn := q.product(q.a, r), q.product(at, r)
	bOut, bIn := q.product(c, bt), q.product(c, q.b)
	// A[i,k] and A[k,i] for the holder k of a; B[b,a] and B[a,b] for the match b of i.
	aik, aki := q.product(q.a, x), q.product(at, x)
	bba, bab := q.product(x, q.b), q.product(x, bt)
	// Of k as rows over a, of b as columns over i: 0 where there is none.
	ofHolder := func(v string) string { return q.flip(q.product(xt, v)) }
	ofMatch := func(v string) string { return q.product(x, q.flip(v)) }

	matched := q.mul(x, gains)
	own, holder := q.rowSums(matched), q.colSums(matched) // gains of (i,b) and (k,a)
	between := q.op("Add", q.mul(aik, bba), q.mul(aki, bab))
	scoreChange := add(q.sub(q.sub(gains, own), holder), between)

	// ΣM over R×C, and over R'×C' with what (i,a) adds, (i,b) and (k,a) no longer add.
	rowGain, colGain := q.product(gains, q.flip(c)), q.product(q.flip(r), gains) // M[i,C], M[R,a]
	gainRC := q.all(q.mul(q.mul(r, c), gains))
	crossed := q.product(q.product(x, q.flip(gains)), x) // M[k,b]
	gainAfter := add(gainRC, ofHolder(rowGain), ofMatch(colGain), crossed, q.mul(q.mul(r, c), gains))
	gainAfter = q.sub(q.sub(gainAfter, q.mul(r, rowGain)), q.mul(c, colGain))
	inA, outA := q.op("Add", aIn, aki), q.op("Add", aOut, aik) // A[R',i], A[i,R']
	inB, outB := q.op("Add", bIn, bba), q.op("Add", bOut, bab) // B[C',a], B[a,C']
	inK, outK := q.sub(ofHolder(aIn), q.mul(r, aik)), q.sub(ofHolder(aOut), q.mul(r, aki))
	inM, outM := q.sub(ofMatch(bIn), q.mul(c, bab)), q.sub(ofMatch(bOut), q.mul(c, bba))
	pair := func(in1, in2, out1, out2 string) string { return q.op("Add", q.mul(in1, in2), q.mul(out1, out2)) }
	gainAfter = add(gainAfter, pair(inA, inB, outA, outB))
	gainAfter = q.sub(q.sub(gainAfter, pair(inA, inM, outA, outM)), pair(inK, inB, outK, outB))

	// ΣA over R×R and R'×R', and the same of B.
	sumA, bothA := q.all(q.mul(r, aOut)), q.op("Add", aOut, aIn)
	sumB, bothB := q.all(q.mul(c, bOut)), q.op("Add", bOut, bIn)
	afterA := q.sub(q.sub(add(sumA, ofHolder(bothA)), q.mul(r, bothA)), q.mul(r, q.op("Add", aik, aki)))
	afterB := q.sub(q.sub(add(sumB, ofMatch(bothB)), q.mul(c, bothB)), q.mul(c, q.op("Add", bba, bab)))

	h := q.sub(q.op("Max", q.exact(q.n1), q.exact(q.n2)), q.all(x))
	conflicts := q.sub(q.sub(q.exactNumber(2), r), c)
	before := q.completion(gainRC, q.mul(sumA, sumB), h)
	after := q.completion(gainAfter, q.mul(afterA, afterB), q.op("Add", q.sub(h, q.exactNumber(1)), conflicts))
	value = q.op("Add", q.score(x, gains), before)
	return value, q.mul(q.less(x), q.sub(add(scoreChange, after), before))
}

// completion is V − J; both sums are 0 where their divisors are not positive.
func (q *kbGraph) completion(gain, pairs, h string) string {
	one := q.exactNumber(1)
	first := q.div(gain, q.op("Max", h, one))
	return q.op("Add", first, q.div(pairs, q.op("Max", q.mul(h, q.sub(h, one)), one)))
}
