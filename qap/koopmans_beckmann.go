package qap

import (
	"cmp"
	"fmt"
	"slices"
)

// KoopmansBeckmann is the affinity of the assignment form
//
//	Σ A[i,j]·B[m(i),m(j)] + Σ L[i,m(i)]
//
// with matrices A (n1×n1), B (n2×n2) and a linear term L (n1×n2). K, the
// Kronecker product of A and B, is never formed: memory grows with n².
// Source: Koopmans, Beckmann, Econometrica 25 (1957), doi:10.2307/1907742.
type KoopmansBeckmann struct {
	n1, n2 int
	sign   float64      // −1 where the user minimises
	a, at  []float64    // A and its transpose, diagonal 0
	b, bt  []float64    // B and its transpose, diagonal 0
	as, bs []float64    // A+Aᵀ and B+Bᵀ
	linear []float64    // L[i,a] + A[i,i]·B[a,a], in the user's sense
	given  [3][]float64 // A, B and L as they were given

	entries  [3]Entries // of a, b and linear
	products products   // of Multiply

	symmetricA, symmetricB bool
	symmetric              bool // A or B is, so that A⊗B may be read as (A+Aᵀ)⊗(B+Bᵀ)/4
}

// NewKoopmansBeckmann returns the instance with the given matrices, row-major,
// in the user's sense; linear may be nil. Every solution is complete. The
// matrices are copied. Diagonals of A and B join the linear term.
func NewKoopmansBeckmann(n1, n2 int, a, b, linear []float64, sense Sense) (*Instance, error) {
	if err := checkSize(n1, n2); err != nil {
		return nil, err
	}
	for _, m := range []struct {
		name       string
		values     []float64
		rows, cols int
	}{{"A", a, n1, n1}, {"B", b, n2, n2}, {"the linear term", linear, n1, n2}} {
		if m.values == nil && m.name == "the linear term" {
			continue
		}
		if len(m.values) != m.rows*m.cols {
			return nil, fmt.Errorf("qap: %s has %d entries, want %d·%d", m.name, len(m.values), m.rows, m.cols)
		}
		if err := checkFinite(m.name, m.values, m.cols); err != nil {
			return nil, err
		}
	}
	if err := cmp.Or(
		checkMagnitude(maxAbs(a), 1, 1), checkMagnitude(maxAbs(b), 1, 1), checkMagnitude(maxAbs(a)*maxAbs(b)+maxAbs(linear), n1, n2),
	); err != nil {
		return nil, err
	}
	kb := &KoopmansBeckmann{n1: n1, n2: n2, sign: sense.sign(), linear: make([]float64, n1*n2)}
	copy(kb.linear, linear)
	for i := range n1 {
		for c := range n2 {
			kb.linear[i*n2+c] += a[i*n1+i] * b[c*n2+c]
		}
	}
	kb.a, kb.at, kb.as, kb.symmetricA = halves(a, n1)
	kb.b, kb.bt, kb.bs, kb.symmetricB = halves(b, n2)
	kb.symmetric = kb.symmetricA || kb.symmetricB
	kb.entries = [3]Entries{entriesOf(kb.a, kb.at, n1), entriesOf(kb.b, kb.bt, n2), entriesOf(kb.linear, nil, n2)}
	kb.given = [3][]float64{copyOf(a, kb.a), copyOf(b, kb.b), slices.Clone(linear)}
	return &Instance{Sense: sense, Complete: true, Affinity: kb}, nil
}

// copyOf returns a copy of a matrix, which may be one that is at hand.
func copyOf(m, atHand []float64) []float64 {
	if slices.Equal(m, atHand) {
		return atHand
	}
	return slices.Clone(m)
}

// halves returns the n×n matrix m with a zero diagonal, its transpose, their
// sum, and whether the first two are equal, and then one.
func halves(m []float64, n int) (plain, transposed, sum []float64, symmetric bool) {
	plain = make([]float64, n*n)
	transposed = make([]float64, n*n)
	sum = make([]float64, n*n)
	symmetric = true
	for i := range n {
		for j := range n {
			if i == j {
				continue
			}
			plain[i*n+j] = m[i*n+j]
			transposed[i*n+j] = m[j*n+i]
			sum[i*n+j] = m[i*n+j] + m[j*n+i]
			symmetric = symmetric && m[i*n+j] == m[j*n+i]
		}
	}
	if symmetric {
		transposed = plain
	}
	return plain, transposed, sum, symmetric
}

// A returns A with a zero diagonal, n1×n1, in the user's sense. Do not change it.
func (kb *KoopmansBeckmann) A() []float64 { return kb.a }

// B returns B with a zero diagonal, n2×n2, in the user's sense. Do not change it.
func (kb *KoopmansBeckmann) B() []float64 { return kb.b }

// Transposed returns Aᵀ and Bᵀ of A and B, and whether these are symmetric: each is the same slice
// then. Do not change them.
func (kb *KoopmansBeckmann) Transposed() (at, bt []float64, symmetricA, symmetricB bool) {
	return kb.at, kb.bt, kb.symmetricA, kb.symmetricB
}

// Linear returns the linear term with the diagonals of A and B in it, n1×n2, in
// the user's sense. Do not change it.
func (kb *KoopmansBeckmann) Linear() []float64 { return kb.linear }

// Given returns A, B and the linear term as they were given, diagonals and all;
// the linear term may be nil. Do not change them.
func (kb *KoopmansBeckmann) Given() (a, b, linear []float64) {
	return kb.given[0], kb.given[1], kb.given[2]
}

// Size returns the numbers of nodes of the two graphs.
func (kb *KoopmansBeckmann) Size() (n1, n2 int) { return kb.n1, kb.n2 }

// At returns K[p,q].
func (kb *KoopmansBeckmann) At(p, q int) float64 {
	if p == q {
		return kb.sign * kb.linear[p]
	}
	i, c, j, d := p/kb.n2, p%kb.n2, q/kb.n2, q%kb.n2
	a, b, _ := kb.Given()
	return kb.sign / 2 * (a[i*kb.n1+j]*b[c*kb.n2+d] + a[j*kb.n1+i]*b[d*kb.n2+c])
}

// score is Instance.Score along rows: the same sum, in the same order.
func (kb *KoopmansBeckmann) score(m Matching) float64 {
	n1, n2, score := kb.n1, kb.n2, 0.0
	for i, c := range m {
		if c == Unmatched {
			continue
		}
		score += kb.sign * kb.linear[i*n2+c]
		a, at := kb.a[i*n1:(i+1)*n1], kb.at[i*n1:(i+1)*n1]
		b, bt := kb.b[c*n2:(c+1)*n2], kb.bt[c*n2:(c+1)*n2]
		for j, d := range m[:i] {
			if d != Unmatched {
				score += 2 * (kb.sign / 2 * (a[j]*b[d] + at[j]*bt[d]))
			}
		}
	}
	return score
}

// pair is what the matches (i,a) and (j,b) contribute together, in the user's
// sense: A[i,j]·B[a,b] + A[j,i]·B[b,a].
func (kb *KoopmansBeckmann) pair(i, a, j, b int) float64 {
	return kb.a[i*kb.n1+j]*kb.b[a*kb.n2+b] + kb.at[i*kb.n1+j]*kb.bt[a*kb.n2+b]
}

// Diagonal writes K[p,p] into dst, one number a vertex.
func (kb *KoopmansBeckmann) Diagonal(dst []float64) {
	for p, v := range kb.linear {
		dst[p] = kb.sign * v
	}
}

// AddRow is the rank-two (or, with a symmetric matrix, rank-one) update
// dst += scale/2·(A[:,i]·B[:,a]ᵀ + A[i,:]ᵀ·B[a,:]).
func (kb *KoopmansBeckmann) AddRow(dst []float64, p int, scale float64) {
	n1, n2 := kb.n1, kb.n2
	i, a := p/n2, p%n2
	scale *= kb.sign / 2
	if kb.symmetric {
		// A[j,i]·B[b,a] + A[i,j]·B[a,b] = (A+Aᵀ)[i,j]·(B+Bᵀ)[a,b]/2
		scale /= 2
		row := kb.bs[a*n2 : (a+1)*n2]
		for j, u := range kb.as[i*n1 : (i+1)*n1] {
			if u == 0 {
				continue
			}
			u *= scale
			out := dst[j*n2 : (j+1)*n2][:len(row)]
			for b, v := range row {
				out[b] += u * v
			}
		}
		return
	}
	row, rowT := kb.b[a*n2:(a+1)*n2], kb.bt[a*n2:(a+1)*n2]
	rowT = rowT[:len(row)]
	for j := range n1 {
		u, w := scale*kb.a[i*n1+j], scale*kb.at[i*n1+j]
		if u == 0 && w == 0 {
			continue
		}
		out := dst[j*n2 : (j+1)*n2][:len(row)]
		for b, v := range row {
			out[b] += u*v + w*rowT[b]
		}
	}
}

// addSwap is AddRow of (i,a) and (k,b) less AddRow of (i,b) and (k,a):
// dst += scale/2·((A[:,i]−A[:,k])·(B[:,a]−B[:,b])ᵀ + the same of Aᵀ and Bᵀ).
func (kb *KoopmansBeckmann) addSwap(dst []float64, i, k, a, b int, scale float64) {
	scale *= kb.sign / 2
	if kb.symmetric {
		addDifferences(dst, kb.as, kb.bs, kb.n1, kb.n2, i, k, a, b, scale/2)
		return
	}
	addDifferences(dst, kb.at, kb.bt, kb.n1, kb.n2, i, k, a, b, scale)
	addDifferences(dst, kb.a, kb.b, kb.n1, kb.n2, i, k, a, b, scale)
}

// addDifferences adds scale·(x[i]−x[k])ᵀ·(y[a]−y[b]) of rows of x and y.
func addDifferences(dst, x, y []float64, n1, n2, i, k, a, b int, scale float64) {
	ya := y[a*n2 : (a+1)*n2]
	yb := y[b*n2 : (b+1)*n2][:len(ya)]
	xk := x[k*n1 : (k+1)*n1]
	for j, u := range x[i*n1 : (i+1)*n1] {
		u = scale * (u - xk[j])
		if u == 0 {
			continue
		}
		out := dst[j*n2 : (j+1)*n2][:len(ya)]
		for c, v := range ya {
			out[c] += u * (v - yb[c])
		}
	}
}

// Row writes K[p,q] of all q into dst.
func (kb *KoopmansBeckmann) Row(dst []float64, p int) {
	for q := range dst[:kb.n1*kb.n2] {
		dst[q] = kb.At(p, q)
	}
}
