package export

import "github.com/rgm-go/rgm/internal/onnx"

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
	a := g.exact(g.Input(aInput, onnx.Named("n1"), onnx.Named("n1")))
	b := g.exact(g.Input(bInput, onnx.Named("n2"), onnx.Named("n2")))
	linear := g.exact(g.Input(linearInput, onnx.Named("n1"), onnx.Named("n2")))
	q := kbGraph{graph: g, dims: d, x: x}
	q.a, q.b, q.linear = g.withoutDiagonals(a, b, linear, d)
	o := objective{gains: q.gains(x), most: g.Op("Min", g.exact(d.n1), g.exact(d.n2)), factor: g.exactNumber(1)}
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
		diagonal = g.Mul(m, g.exactEye(n))
		return g.Sub(m, diagonal), diagonal
	}
	plainA, diagonalA := apart(a, d.n1)
	plainB, diagonalB := apart(b, d.n2)
	both := g.Mul(g.Total(diagonalA, true, 1), g.Total(diagonalB, true, 0))
	return plainA, plainB, g.Op("Add", linear, both)
}

// gains are L + A·Y·Bᵀ + Aᵀ·Y·B.
func (q *kbGraph) gains(y string) string {
	at, bt := q.Transpose(q.a), q.Transpose(q.b)
	sums := q.Op("Add", q.Product(q.Product(q.a, y), bt), q.Product(q.Product(at, y), q.b))
	return q.Op("Add", q.linear, sums)
}

// score is J = Σ y·(gains + L)/2.
func (q *kbGraph) score(y, gains string) string {
	return q.Mul(q.exactNumber(0.5), q.all(q.Mul(y, q.Op("Add", gains, q.linear))))
}

// changes are V and ΔV.
func (q *kbGraph) changes(gains string) (value, changes string) {
	x, xt := q.x, q.flip(q.x)
	r, c := q.less(q.rowSums(x)), q.less(q.colSums(x)) // [batch, n1, 1] and [batch, 1, n2]: 1 where free
	add := func(first string, rest ...string) string { return q.Sum(first, rest...) }

	// A[i,R], A[R,i] as columns, B[a,C], B[C,a] as rows.
	at, bt := q.Transpose(q.a), q.Transpose(q.b)
	aOut, aIn := q.Product(q.a, r), q.Product(at, r)
	bOut, bIn := q.Product(c, bt), q.Product(c, q.b)
	// A[i,k] and A[k,i] for the holder k of a; B[b,a] and B[a,b] for the match b of i.
	aik, aki := q.Product(q.a, x), q.Product(at, x)
	bba, bab := q.Product(x, q.b), q.Product(x, bt)
	// Of k as rows over a, of b as columns over i: 0 where there is none.
	ofHolder := func(v string) string { return q.flip(q.Product(xt, v)) }
	ofMatch := func(v string) string { return q.Product(x, q.flip(v)) }

	matched := q.Mul(x, gains)
	own, holder := q.rowSums(matched), q.colSums(matched) // gains of (i,b) and (k,a)
	between := q.Op("Add", q.Mul(aik, bba), q.Mul(aki, bab))
	scoreChange := add(q.Sub(q.Sub(gains, own), holder), between)

	// ΣM over R×C, and over R'×C' with what (i,a) adds, (i,b) and (k,a) no longer add.
	rowGain, colGain := q.Product(gains, q.flip(c)), q.Product(q.flip(r), gains) // M[i,C], M[R,a]
	gainRC := q.all(q.Mul(q.Mul(r, c), gains))
	crossed := q.Product(q.Product(x, q.flip(gains)), x) // M[k,b]
	gainAfter := add(gainRC, ofHolder(rowGain), ofMatch(colGain), crossed, q.Mul(q.Mul(r, c), gains))
	gainAfter = q.Sub(q.Sub(gainAfter, q.Mul(r, rowGain)), q.Mul(c, colGain))
	inA, outA := q.Op("Add", aIn, aki), q.Op("Add", aOut, aik) // A[R',i], A[i,R']
	inB, outB := q.Op("Add", bIn, bba), q.Op("Add", bOut, bab) // B[C',a], B[a,C']
	inK, outK := q.Sub(ofHolder(aIn), q.Mul(r, aik)), q.Sub(ofHolder(aOut), q.Mul(r, aki))
	inM, outM := q.Sub(ofMatch(bIn), q.Mul(c, bab)), q.Sub(ofMatch(bOut), q.Mul(c, bba))
	pair := func(in1, in2, out1, out2 string) string { return q.Op("Add", q.Mul(in1, in2), q.Mul(out1, out2)) }
	gainAfter = add(gainAfter, pair(inA, inB, outA, outB))
	gainAfter = q.Sub(q.Sub(gainAfter, pair(inA, inM, outA, outM)), pair(inK, inB, outK, outB))

	// ΣA over R×R and R'×R', and the same of B.
	sumA, bothA := q.all(q.Mul(r, aOut)), q.Op("Add", aOut, aIn)
	sumB, bothB := q.all(q.Mul(c, bOut)), q.Op("Add", bOut, bIn)
	afterA := q.Sub(q.Sub(add(sumA, ofHolder(bothA)), q.Mul(r, bothA)), q.Mul(r, q.Op("Add", aik, aki)))
	afterB := q.Sub(q.Sub(add(sumB, ofMatch(bothB)), q.Mul(c, bothB)), q.Mul(c, q.Op("Add", bba, bab)))

	h := q.Sub(q.Op("Max", q.exact(q.n1), q.exact(q.n2)), q.all(x))
	conflicts := q.Sub(q.Sub(q.exactNumber(2), r), c)
	before := q.completion(gainRC, q.Mul(sumA, sumB), h)
	after := q.completion(gainAfter, q.Mul(afterA, afterB), q.Op("Add", q.Sub(h, q.exactNumber(1)), conflicts))
	value = q.Op("Add", q.score(x, gains), before)
	return value, q.Mul(q.less(x), q.Sub(add(scoreChange, after), before))
}

// completion is V − J; both sums are 0 where their divisors are not positive.
func (q *kbGraph) completion(gain, pairs, h string) string {
	one := q.exactNumber(1)
	first := q.Div(gain, q.Op("Max", h, one))
	return q.Op("Add", first, q.Div(pairs, q.Op("Max", q.Mul(h, q.Sub(h, one)), one)))
}
