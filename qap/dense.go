package qap

import (
	"cmp"
	"errors"
	"fmt"
)

// Dense is an affinity matrix held entry by entry: (n1·n2)² numbers.
type Dense struct {
	n1, n2 int
	k      []float64 // row-major, symmetric
}

// NewDense returns the instance of Lawler's form with the given affinity
// matrix: (n1·n2)×(n1·n2) numbers, row-major, in the user's sense. The instance
// takes k over and changes it in place: K becomes (K+Kᵀ)/2, which leaves J
// unchanged, and the sign turns where sense is Minimize. An entry that is not finite is an error.
func NewDense(n1, n2 int, k []float64, sense Sense) (*Instance, error) {
	if err := checkDense(n1, n2, k); err != nil {
		return nil, err
	}
	n, sign := n1*n2, sense.sign()
	for p := range n {
		k[p*n+p] *= sign
		for q := range p {
			v := sign * (k[p*n+q]/2 + k[q*n+p]/2)
			k[p*n+q], k[q*n+p] = v, v
		}
	}
	return &Instance{Sense: sense, Affinity: &Dense{n1, n2, k}}, nil
}

// NewDenseView returns what NewDense returns for Maximize and a symmetric k, which it neither
// changes nor copies: nobody may change it before the instance is dropped. A k that is not
// symmetric is an error, ErrAsymmetric.
func NewDenseView(n1, n2 int, k []float64) (*Instance, error) {
	if err := checkDense(n1, n2, k); err != nil {
		return nil, err
	}
	n := n1 * n2
	for p := range n {
		for q := range p {
			if k[p*n+q] != k[q*n+p] {
				return nil, ErrAsymmetric
			}
		}
	}
	return &Instance{Sense: Maximize, Affinity: &Dense{n1, n2, k}}, nil
}

// checkDense returns an error unless k is an affinity matrix.
func checkDense(n1, n2 int, k []float64) error {
	if err := checkSize(n1, n2); err != nil {
		return err
	}
	n := n1 * n2
	if len(k) != n*n {
		return fmt.Errorf("qap: affinity has %d entries, want %d ((%d·%d)²)", len(k), n*n, n1, n2)
	}
	return cmp.Or(checkFinite("K", k, n), checkMagnitude(maxAbs(k), n1, n2))
}

// ErrAsymmetric is that of NewDenseView.
var ErrAsymmetric = errors.New("qap: the affinity matrix is not symmetric")

// Size returns the numbers of nodes of the two graphs.
func (d *Dense) Size() (n1, n2 int) { return d.n1, d.n2 }

// At returns K[p,q].
func (d *Dense) At(p, q int) float64 { return d.k[p*d.n1*d.n2+q] }

// Diagonal writes K[p,p] into dst, one number a vertex.
func (d *Dense) Diagonal(dst []float64) {
	n := d.n1 * d.n2
	for p := range dst[:n] {
		dst[p] = d.k[p*n+p]
	}
}

// AddRow adds scale·K[p,q] to dst[q] for every q that does not conflict with p and is not p itself.
func (d *Dense) AddRow(dst []float64, p int, scale float64) {
	n1, n2 := d.n1, d.n2
	i, a := p/n2, p%n2
	row := d.RowView(p)
	for j := range n1 {
		if j == i {
			continue
		}
		entries, out := row[j*n2:(j+1)*n2], dst[j*n2:(j+1)*n2]
		kept := out[a]
		for b, v := range entries {
			out[b] += scale * v
		}
		out[a] = kept
	}
}

// RowView returns the row of vertex p, which must not be changed.
func (d *Dense) RowView(p int) []float64 {
	n := d.n1 * d.n2
	return d.k[p*n : (p+1)*n]
}

// Row writes K[p,q] of all q into dst.
func (d *Dense) Row(dst []float64, p int) {
	n := d.n1 * d.n2
	copy(dst, d.k[p*n:(p+1)*n])
}

// Multiply sets dst to K·x, all entries of K included.
func (d *Dense) Multiply(dst, x []float64) { d.MultiplyRows(dst, x, 0, d.n1*d.n2) }

// MultiplyUntil is Multiply that can be stopped (see Interruptible).
func (d *Dense) MultiplyUntil(dst, x []float64, over func() bool) bool {
	n := d.n1 * d.n2
	rows := max(workBetweenLooks/max(n, 1), 1)
	rows += -rows & 3 // MultiplyRows works on four at a time
	for from := 0; from < n; from += rows {
		if from > 0 && over != nil && over() {
			return false
		}
		d.MultiplyRows(dst, x, from, min(from+rows, n))
	}
	return true
}

// MultiplyRows sets the entries from..to−1 of dst to those of K·x, for callers who look
// at the clock between rows. It works on four rows at a time, since each addition to a
// sum waits for the one before.
func (d *Dense) MultiplyRows(dst, x []float64, from, to int) {
	n := d.n1 * d.n2
	x = x[:n]
	p := from
	for ; p+4 <= to; p += 4 {
		r0, r1, r2, r3 := d.RowView(p)[:n], d.RowView(p + 1)[:n], d.RowView(p + 2)[:n], d.RowView(p + 3)[:n]
		var s0, s1, s2, s3 float64
		for q, v := range x {
			s0 += r0[q] * v
			s1 += r1[q] * v
			s2 += r2[q] * v
			s3 += r3[q] * v
		}
		dst[p], dst[p+1], dst[p+2], dst[p+3] = s0, s1, s2, s3
	}
	for ; p < to; p++ {
		sum := 0.0
		for q, v := range d.RowView(p) {
			sum += v * x[q]
		}
		dst[p] = sum
	}
}

// MultiplyMatching sets dst to K·x for the 0/1 vector x of a matching, all entries of K
// included, by the order of operations of Multiply.
func (d *Dense) MultiplyMatching(dst []float64, m Matching) {
	clear(dst)
	for i, a := range m {
		if a == Unmatched {
			continue
		}
		for q, v := range d.RowView(i*d.n2 + a) {
			dst[q] += v
		}
	}
}
