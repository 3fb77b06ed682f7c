package qap

import "sync"

// products is what multiplying a Koopmans–Beckmann affinity takes, made at the first product:
// the terms A·X·Bᵀ and Aᵀ·X·B, which are summed one after the other whatever is symmetric, so that
// no bit of a product depends on that.
type products struct {
	once     sync.Once
	terms    [2]product
	matching []product // the same for matchings: one where A or B is symmetric
	half     sync.Pool // of *[]float64, one for each product that is being made

	onceBoth sync.Once
	both     [2]operand // A + Aᵀ and B + Bᵀ, diagonals 0
}

// product is scale·A·X·B with matrices that have their diagonals.
type product struct {
	scale float64
	a, b  operand
}

// operand is a square matrix: its rows, or where few entries are not 0 only these.
type operand struct {
	n      int
	dense  []float64
	start  []int32 // row i is [start[i], start[i+1]) of column and value; nil where dense serves
	column []int32
	value  []float64
}

// sparseShare is the part of a matrix that may be other than 0 for lists to be faster.
const sparseShare = 0.25

func newOperand(n int, m []float64) operand {
	count := 0
	for _, v := range m {
		if v != 0 {
			count++
		}
	}
	if float64(count) > sparseShare*float64(len(m)) {
		return operand{n: n, dense: m}
	}
	o := operand{n: n, start: make([]int32, n+1), column: make([]int32, 0, count), value: make([]float64, 0, count)}
	for i := range n {
		for j, v := range m[i*n : (i+1)*n] {
			if v != 0 {
				o.column, o.value = append(o.column, int32(j)), append(o.value, v)
			}
		}
		o.start[i+1] = int32(len(o.column))
	}
	return o
}

// multipliers makes the terms of (A·X·Bᵀ + Aᵀ·X·B)/2.
func (kb *KoopmansBeckmann) multipliers() *products {
	kb.products.once.Do(func() {
		given, givenB, _ := kb.Given()
		n1, n2, half := kb.n1, kb.n2, kb.sign/2
		a, b := newOperand(n1, given), newOperand(n2, givenB)
		at, bt := a, b
		if !kb.symmetricA {
			at = withDiagonal(n1, kb.at, given, 1)
		}
		if !kb.symmetricB {
			bt = withDiagonal(n2, kb.bt, givenB, 1)
		}
		kb.products.terms = [2]product{{half, a, bt}, {half, at, b}}
		switch {
		case kb.symmetricA && kb.symmetricB:
			kb.products.matching = []product{{kb.sign, a, b}}
		case kb.symmetricA:
			kb.products.matching = []product{{half, a, withDiagonal(n2, kb.bs, givenB, 2)}}
		case kb.symmetricB:
			kb.products.matching = []product{{half, withDiagonal(n1, kb.as, given, 2), b}}
		default:
			kb.products.matching = kb.products.terms[:]
		}
	})
	return &kb.products
}

// withDiagonal returns a matrix whose diagonal is 0 with that of another, times a factor.
func withDiagonal(n int, m, given []float64, factor float64) operand {
	whole := m
	for i := range n {
		if d := factor * given[i*n+i]; d != 0 {
			if &whole[0] == &m[0] {
				whole = append([]float64(nil), m...)
			}
			whole[i*n+i] = d
		}
	}
	return newOperand(n, whole)
}

// Multiply is σ·(A·X·Bᵀ + Aᵀ·X·B)/2 + σ·L∘X with x as the n1×n2 matrix X: O(n³) in place of
// O(n⁴), and n times the entries of A and B where these are few.
func (kb *KoopmansBeckmann) Multiply(dst, x []float64) { kb.MultiplyUntil(dst, x, nil) }

// MultiplyUntil is Multiply that can be stopped (see Interruptible).
func (kb *KoopmansBeckmann) MultiplyUntil(dst, x []float64, over func() bool) bool {
	p := pace{over: over}
	left := func(half []float64, a *operand) bool { return a.times(half, x, kb.n2, &p) }
	if !kb.multiply(dst, kb.multipliers().terms[:], left, &p) {
		return false
	}
	if _, _, linear := kb.Given(); linear != nil {
		for q, v := range linear {
			dst[q] += kb.sign * v * x[q]
		}
	}
	return true
}

// MultiplyMatching sets dst to K·x for the 0/1 vector x of a matching, all entries of K
// included: of two sparse graphs in time that grows with their edges.
func (kb *KoopmansBeckmann) MultiplyMatching(dst []float64, m Matching) {
	kb.MultiplyMatchingUntil(dst, m, nil)
}

// MultiplyMatchingUntil is MultiplyMatching that can be stopped (see Interruptible).
func (kb *KoopmansBeckmann) MultiplyMatchingUntil(dst []float64, m Matching, over func() bool) bool {
	p := pace{over: over}
	left := func(half []float64, a *operand) bool { return a.timesMatching(half, m, kb.n2, &p) }
	if !kb.multiply(dst, kb.multipliers().matching, left, &p) {
		return false
	}
	if _, _, linear := kb.Given(); linear != nil {
		for i, c := range m {
			if c != Unmatched {
				dst[i*kb.n2+c] += kb.sign * linear[i*kb.n2+c]
			}
		}
	}
	return true
}

// Commutator sets dst to α·(A+Aᵀ)·X − β·X·(B+Bᵀ) with zero diagonals: 0 where X renames the nodes
// of two graphs that are one but for the factors. It can be stopped as MultiplyUntil.
func (kb *KoopmansBeckmann) Commutator(dst, x []float64, alpha, beta float64, over func() bool) bool {
	kb.products.onceBoth.Do(func() {
		kb.products.both = [2]operand{newOperand(kb.n1, kb.as), newOperand(kb.n2, kb.bs)}
	})
	p := pace{over: over}
	half, done := kb.scratch()
	defer done()
	clear(dst[:len(half)])
	if !kb.products.both[0].times(half, x, kb.n2, &p) || !kb.products.both[1].addTimes(dst, x, kb.n1, &p) {
		return false
	}
	for q, v := range half {
		dst[q] = alpha*v - beta*dst[q]
	}
	return true
}

// scratch returns n1·n2 numbers for a product; done gives them back.
func (kb *KoopmansBeckmann) scratch() (numbers []float64, done func()) {
	s, ok := kb.products.half.Get().(*[]float64)
	if !ok {
		s = new([]float64)
		*s = make([]float64, kb.n1*kb.n2)
	}
	return *s, func() { kb.products.half.Put(s) }
}

// multiply sets dst to the sum of scale·A·X·B of all terms, which have one scale; left makes A·X.
func (kb *KoopmansBeckmann) multiply(dst []float64, terms []product, left func(half []float64, a *operand) bool, p *pace) bool {
	n := kb.n1 * kb.n2
	clear(dst[:n])
	half, done := kb.scratch()
	defer done()
	for k, t := range terms {
		if (k == 0 || !kb.symmetricA) && !left(half, &t.a) || !t.b.addTimes(dst, half, kb.n1, p) {
			return false
		}
	}
	for q := range dst[:n] {
		dst[q] *= terms[0].scale
	}
	return true
}

// times sets half to A·X, where X has rows of width.
func (o *operand) times(half, x []float64, width int, p *pace) bool {
	for i := range o.n {
		row := half[i*width : (i+1)*width]
		clear(row)
		if o.start == nil {
			if p.stops(o.n * width) {
				return false
			}
			addRows(row, o.dense[i*o.n:(i+1)*o.n], x)
			continue
		}
		from, to := o.start[i], o.start[i+1]
		if p.stops(int(to-from+1) * width) {
			return false
		}
		values := o.value[from:to]
		for k, j := range o.column[from:to] {
			addScaled(row, values[k], x[int(j)*width:(int(j)+1)*width])
		}
	}
	return true
}

// timesMatching sets half to A·X for the 0/1 matrix X of a matching.
func (o *operand) timesMatching(half []float64, m Matching, width int, p *pace) bool {
	for i := range o.n {
		if p.stops(o.n + width) {
			return false
		}
		row := half[i*width : (i+1)*width]
		clear(row)
		if o.start == nil {
			for j, v := range o.dense[i*o.n : (i+1)*o.n] {
				if c := m[j]; c != Unmatched {
					row[c] += v
				}
			}
			continue
		}
		for k := o.start[i]; k < o.start[i+1]; k++ {
			if c := m[o.column[k]]; c != Unmatched {
				row[c] += o.value[k]
			}
		}
	}
	return true
}

// addTimes adds half·B, both of so many rows, to dst.
func (o *operand) addTimes(dst, half []float64, rows int, p *pace) bool {
	for i := range rows {
		out, factors := dst[i*o.n:(i+1)*o.n], half[i*o.n:(i+1)*o.n]
		if o.start == nil {
			if p.stops(o.n * o.n) {
				return false
			}
			addRows(out, factors, o.dense)
			continue
		}
		if p.stops(o.n + len(o.value)) {
			return false
		}
		for d, v := range factors {
			if v == 0 {
				continue
			}
			from, to := o.start[d], o.start[d+1]
			values := o.value[from:to]
			for k, e := range o.column[from:to] {
				out[e] += v * values[k]
			}
		}
	}
	return true
}

// addRows adds factors[k] times row k of x, of the width of dst, for all k, the factors that are
// not 0 in their order, four rows at a time, since each addition waits for a load and a store.
func addRows(dst, factors, x []float64) {
	width, few := len(dst), 0
	var factor [4]float64
	var row [4][]float64
	for k, u := range factors {
		if u == 0 {
			continue
		}
		factor[few], row[few] = u, x[k*width:(k+1)*width]
		if few++; few == 4 {
			few = 0
			u0, u1, u2, u3 := factor[0], factor[1], factor[2], factor[3]
			r0, r1, r2, r3 := row[0][:width], row[1][:width], row[2][:width], row[3][:width]
			for c := range dst {
				dst[c] = dst[c] + u0*r0[c] + u1*r1[c] + u2*r2[c] + u3*r3[c]
			}
		}
	}
	for k := range few {
		addScaled(dst, factor[k], row[k])
	}
}

// addScaled adds scale·x to dst.
func addScaled(dst []float64, scale float64, x []float64) {
	if scale == 0 {
		return
	}
	x = x[:len(dst)]
	for k := range dst {
		dst[k] += scale * x[k]
	}
}
